/** An id that is not there brings similar ones: over HTTP, on the command line, embedded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { carillon } from '../cli/command-stage.ts';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
  for (const id of ['nightly', 'weekly', 'nightly-backup'])
    await stage.carillon.schedules.create(id, { every: '1h', run: 'work' });
});
afterAll(async () => await stage.server.stop());

test('a refusal over HTTP lists them, nearest first', async () => {
  const { status, body } = await stage.call('/schedules/nigthly');
  expect(status).toBe(404);
  expect(body.error).toMatchObject({
    reason: 'NOT_FOUND',
    didYouMean: ['nightly'],
    message: "there is no schedule 'nigthly' in the namespace 'default'; did you mean 'nightly'?",
  });
});

test.each([':pause', ':trigger', '/slots'])('so does %s', async (verb) => {
  const said = verb.startsWith(':') ? { body: {} } : {};
  const { status, body } = await stage.call(`/schedules/nigthly${verb}`, said);
  expect([status, body.error.didYouMean]).toEqual([404, ['nightly']]);
});

test('the client hands them on, and the command line shows them', async () => {
  const { schedules } = new CarillonClient({ url: stage.server.url });
  await expect(schedules.describe('wekly')).rejects.toMatchObject({ didYouMean: ['weekly'] });
  const why = await carillon(['why', 'nigthly', '2026-01-01T00:00:00Z'], { url: stage.server.url });
  expect(why.code).toBe(1);
  expect(why.stderr).toContain("did you mean 'nightly'?");
});

test('an embedded program gets them too', async () => {
  await expect(stage.carillon.schedules.pause('nigthly')).rejects.toMatchObject({ didYouMean: ['nightly'] });
});

test('an id that is like no other brings none', async () => {
  const { body } = await stage.call('/schedules/something-else-entirely');
  expect(body.error).not.toHaveProperty('didYouMean');
});
