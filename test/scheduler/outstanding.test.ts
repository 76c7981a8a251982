/** The hot row of a schedule counts its runs and never lists them, however many go on. */
import { describe, expect, test } from 'vitest';
import { mostOutstanding } from '../../packages/carillon/src/scheduler/policy/capacity.ts';
import { aSchedule, Stage, t } from './stage.ts';

const crowded = {
  setup: (carillon: { handle: (...args: never[]) => unknown }) =>
    void carillon.handle(...(['crowd', () => undefined, { concurrency: 100_000 }] as never[])),
};

async function aCrowd(input: object = {}): Promise<Stage> {
  const stage = new Stage(crowded);
  await stage.world.start();
  await stage.create({ every: '1s', overlap: 'allowAll', run: 'long', input: { ms: 86_400_000 }, ...input });
  return stage;
}

describe('many unfinished runs', () => {
  test('leave the row that every fire rewrites small, and are counted', async () => {
    await using stage = await aCrowd();
    await stage.advance('2s');
    const small = (await stage.describe()).stateBytes;
    await stage.advance('1998s');
    const { stateBytes, running } = await stage.describe();
    expect(stateBytes).toBeLessThan(1024);
    expect(stateBytes - small).toBeLessThan(200);
    expect(running).toHaveLength(100);
    const [row] = (await stage.schedules.list()).items;
    expect(row?.runningCount).toBe(2000);
    expect(stage.performed).toHaveLength(2000);
  });

  test('the number is a policy of the schedule', async () => {
    await using stage = await aSchedule({ every: '1s', run: 'long', overlap: 'allowAll', outstanding: 3 });
    await stage.advance('5s');
    expect(await stage.verdicts()).toEqual({ started: 3, bufferFull: 2 });
    expect((await stage.why(t('00:00:05'))).text).toContain('3 runs of it were unfinished');
  });

  test(`beyond ${mostOutstanding} of them no more start, and the ledger says so`, async () => {
    await using stage = await aCrowd({ catchup: '1d' });
    const most = mostOutstanding;
    await stage.down(`${most + 50}s`);
    await stage.advance(500);
    expect(stage.performed).toHaveLength(most);
    const dropped = (await stage.schedules.slots('s', { verdict: ['bufferFull'], limit: 9 })).items;
    expect(dropped.map(({ count, detail }) => [count, detail])).toEqual([[50, { outstanding: most }]]);
  });

  test('are all stopped by a start that wants them gone, in pieces', async () => {
    await using stage = await aCrowd();
    await stage.advance('500s');
    await stage.schedules.pause('s');
    await stage.schedules.trigger('s', { overlap: 'cancelOther' });
    await stage.advance('1s');
    const outcomes = (await stage.runs()).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'cancelled')).toHaveLength(500);
    // The start that cancelled them runs.
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });
});

test('a backfill of old slots is recent: what was started last stands first', async () => {
  await using stage = new Stage();
  await stage.world.start();
  await stage.create({ every: '1m' });
  await stage.advance('20m');
  await stage.schedules.backfill('s', { from: '2025-06-01T00:01:00Z', to: '2025-06-01T00:03:00Z' });
  await stage.advance('10s');
  const { recent } = await stage.describe();
  expect(recent.slice(0, 3).map(({ nominal }) => new Date(nominal).toISOString().slice(0, 10))).toEqual([
    '2025-06-01',
    '2025-06-01',
    '2025-06-01',
  ]);
});
