/** An unknown id or time zone is answered with similar ones: over HTTP, on the command line, embedded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { carillon } from '../cli/command-stage.ts';
import { DoorStage } from './door-stage.ts';

const billing = defineWorkflow({ name: 'billing', topics: { bill: topic<string>() } }).consumer('pay', {
  subscribe: ['bill'],
  prepare: () => ({ reservations: [], data: null }),
});

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open({}, {}, (carillon) => void createHost({ carillon, workflows: [billing] }));
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

test('a workflow on a host that is not there brings similar ones, through every door', async () => {
  const near = { didYouMean: ['billing'] };
  const { status, body } = await stage.call('/hosts/biling');
  expect([status, body.error.message]).toEqual([
    404,
    "there is no workflow 'biling' on a host in the namespace 'default'; did you mean 'billing'?",
  ]);
  const client = new CarillonClient({ url: stage.server.url });
  await expect(client.hosts.pause('biling')).rejects.toMatchObject(near);
  await expect(stage.carillon.hosts.describe('biling')).rejects.toMatchObject(near);
  const shown = await carillon(['host', 'describe', 'biling'], { url: stage.server.url });
  expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining("did you mean 'billing'?")]);
});

test('settings for a workflow that the host does not have name the one that was meant', () => {
  const make = () =>
    createHost({ carillon: stage.carillon, workflows: [billing], workflowSettings: { biling: {} } });
  expect(make).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ fix: meant('billing') })] }),
  );
});

const meant = (name: string) => `did you mean '${name}'?`;
const mistyped = { cron: '0 9 * * *', zone: 'Europe/Berln', run: 'work' };
const named = { problems: [{ path: 'zone', reason: 'UNKNOWN_ZONE', fix: meant('Europe/Berlin') }] };

test('a mistyped time zone brings the nearest one, through every door', async () => {
  const { status, body } = await stage.call('/schedules/berlin', { method: 'PUT', body: mistyped });
  expect(status).toBe(400);
  expect(body.error).toMatchObject(named);
  const client = new CarillonClient({ url: stage.server.url });
  await expect(client.schedules.create('berlin', mistyped)).rejects.toMatchObject(named);
  await expect(stage.carillon.schedules.create('berlin', mistyped)).rejects.toMatchObject(named);
  const said = await carillon(
    ['schedule', 'create', 'berlin', '--cron', '0 9 * * *', '--zone', 'Europe/Berln', '--run', 'work'],
    { url: stage.server.url },
  );
  expect([said.code, said.stderr]).toEqual([2, expect.stringContaining(meant('Europe/Berlin'))]);
});

test.each([
  ['Mars/Olympus', 'write an IANA name such as Europe/Berlin, or an offset such as +05:30'],
  ['PST', 'write an IANA name such as Europe/Berlin, or an offset such as +05:30'],
  ['berlin', meant('Europe/Berlin')],
])('the zone %s: %s', async (zone, fix) => {
  await expect(stage.carillon.schedules.create('zoned', { ...mistyped, zone })).rejects.toMatchObject({
    problems: [{ fix }],
  });
});
