/** What the operator sets per namespace: how many starts may wait, how far apart they are, and how many there are per second. */
import { describe, expect, test } from 'vitest';
import type { OperatorOptions } from '../../packages/carillon/src/main.ts';
import type { Stage } from './stage.ts';
import { aStage, t } from './stage.ts';

async function stageWith(scheduler: OperatorOptions): Promise<Stage> {
  return await aStage({ scheduler });
}

const startsOf = async (stage: Stage) =>
  (await stage.runs()).map(({ createdAt }) => new Date(createdAt).toISOString().slice(11, 19)).sort();

describe('MaxBufferSize', () => {
  test('bounds the starts that wait, and is named where it drops one', async () => {
    await using stage = await stageWith({ MaxBufferSize: 2 });
    await stage.create({ every: '1s', run: 'long', overlap: 'bufferAll' });
    await stage.advance('6s');
    expect(await stage.verdicts()).toEqual({ started: 1, buffered: 2, bufferFull: 3 });
    expect((await stage.why(t('00:00:06'))).text).toContain('2 starts were waiting already (MaxBufferSize)');
    expect((await stage.describe()).counters.bufferDropped).toBe(3);
  });

  test('0 switches the bound off', async () => {
    await using stage = await stageWith({ MaxBufferSize: 0 });
    await stage.create({ every: '1s', run: 'long', overlap: 'bufferAll', catchup: '1d' });
    await stage.down('1100s');
    await stage.advance('1s');
    const [row] = (await stage.schedules.list()).items;
    expect(row?.waitingCount).toBe(1100);
    expect((await stage.describe()).counters.bufferDropped).toBe(0);
  });

  test('holds for the namespace it is set for', async () => {
    await using stage = await stageWith({
      namespaces: { default: { MaxBufferSize: 1 }, other: { MaxBufferSize: 9 } },
    });
    await stage.create({ every: '1s', run: 'long', overlap: 'bufferAll' });
    await stage.advance('4s');
    expect(await stage.verdicts()).toEqual({ started: 1, buffered: 1, bufferFull: 2 });
  });
});

test('BackfillsPerIteration bounds what a backfill hands over in a step', async () => {
  await using stage = await stageWith({ BackfillsPerIteration: 3 });
  await stage.create({ every: '1h', run: 'long' });
  await stage.schedules.pause('s');
  const handed: (number | undefined)[] = [];
  await stage.schedules.backfill('s', { from: t('00:00:00'), to: t('09:00:00'), overlap: 'bufferAll' });
  for (let pass = 0; pass < 4; pass += 1) {
    handed.push((await stage.describe()).backfills[0]?.handed);
    await stage.advance(1);
  }
  expect(handed).toEqual([3, 6, 9, undefined]);
});

describe('MinInterval', () => {
  test('a start that comes too soon is skipped under `skip`, and the verdict names it', async () => {
    await using stage = await stageWith({ MinInterval: 5000 });
    await stage.create({ every: '2s' });
    await stage.advance('13s');
    expect(await startsOf(stage)).toEqual(['00:00:02', '00:00:08']);
    expect(await stage.verdicts()).toEqual({ started: 2, skippedOverlap: 4 });
    const { text } = await stage.why(t('00:00:04'));
    expect(text).toContain('(MinInterval)');
  });

  test('under `bufferOne` one of them waits until its time has come', async () => {
    await using stage = await stageWith({ MinInterval: 5000 });
    await stage.create({ every: '2s', overlap: 'bufferOne' });
    await stage.advance('13s');
    expect(await startsOf(stage)).toEqual(['00:00:02', '00:00:07', '00:00:12']);
    expect((await stage.why(t('00:00:04'))).text).toMatch(/It started, held back by .*\(MinInterval\)/);
  });

  test.each(['bufferAll', 'allowAll', 'cancelOther'] as const)(
    'under %s all of them wait',
    async (overlap) => {
      await using stage = await stageWith({ MinInterval: 5000 });
      await stage.create({ every: '2s', overlap, limit: 3 });
      await stage.advance('13s');
      expect(await startsOf(stage)).toEqual(['00:00:02', '00:00:07', '00:00:12']);
    },
  );

  test('does not hold back what a person asks for; the next automatic start keeps its distance from it', async () => {
    await using stage = await stageWith({ MinInterval: 5000 });
    await stage.create({ every: '2s' });
    await stage.advance('3s');
    await stage.schedules.trigger('s');
    await stage.advance('7s');
    expect(await startsOf(stage)).toEqual(['00:00:02', '00:00:03', '00:00:08']);
  });

  test('is kept through a crash', async () => {
    await using stage = await stageWith({ MinInterval: 60_000 });
    await stage.create({ every: '10s', overlap: 'bufferOne', catchup: '1h' });
    await stage.advance('15s');
    await stage.down('5s');
    await stage.advance('60s');
    expect(await startsOf(stage)).toEqual(['00:00:10', '00:01:10']);
  });
});

test('SchedulerNamespaceStartWorkflowRPS spreads the starts of a namespace, losing none', async () => {
  await using stage = await stageWith({ SchedulerNamespaceStartWorkflowRPS: 2 });
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await stage.schedules.create(id, { cron: '0 1 * * *', run: 'work' });
  }
  await stage.advance('1h');
  expect(stage.performed).toHaveLength(2);
  await stage.advance('1s');
  expect(stage.performed).toHaveLength(4);
  await stage.advance('1s');
  expect(stage.performed).toHaveLength(6);
  const told = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(async (id) => (await stage.schedules.explain(id, t('01:00:00'))).text),
  );
  expect(told.filter((text) => text.includes('SchedulerNamespaceStartWorkflowRPS')).length).toBeGreaterThan(
    0,
  );
});
