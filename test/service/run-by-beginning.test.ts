import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { runByBeginning } from '../../packages/carillon/src/service/run-by-beginning.ts';
import { aStage } from '../scheduler/stage.ts';

test('a run is found by the beginning of its id; several that begin alike are named', async () => {
  await using stage = await aStage();
  await stage.create({}, 'a');
  await stage.create({}, 'b');
  await stage.advance('2m');
  const { items } = await stage.carillon.runs.list({ limit: 10 });
  const [first] = items;
  const id = first?.id as string;
  expect((await stage.carillon.runs.get(id.slice(0, 15))).id).toBe(id);
  const alike = items.filter((run) => run.id.startsWith(id.slice(0, 9))).map((run) => run.id);
  expect(alike).toHaveLength(2);
  await expect(stage.carillon.runs.get(id.slice(0, 9))).rejects.toMatchObject({
    code: 'notFound',
    didYouMean: alike.toSorted(),
  });
  await expect(stage.carillon.runs.get('zzzzzzzzz-1')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  await expect(stage.carillon.runs.get('nightly')).rejects.toMatchObject({ didYouMean: [] });
});

test('a run of another namespace is not found by its beginning', async () => {
  await using stage = await aStage();
  await stage.create({}, 'a');
  await stage.advance('1m');
  const [run] = (await stage.carillon.runs.list({ limit: 1 })).items;
  const { store } = internalsOf(stage.carillon).runtime.engine;
  const id = run?.id.slice(0, 15) as string;
  expect((await runByBeginning(store, { namespace: 'default', id })).id).toBe(run?.id);
  await expect(runByBeginning(store, { namespace: 'other', id })).rejects.toMatchObject({
    reason: 'NOT_FOUND',
  });
});

test('a run tells when it was due, with its jitter', async () => {
  await using stage = await aStage();
  await stage.create({ every: '10m', jitter: '5m' }, 'jittered');
  await stage.advance('20m');
  const [run] = (await stage.carillon.runs.list({ limit: 1, outcome: ['completed'] })).items;
  expect(run?.dueAt).toBeGreaterThan(run?.scheduledAt as number);
  expect((run?.startedAt as number) - (run?.dueAt as number)).toBeLessThan(1000);
});
