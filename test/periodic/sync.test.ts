/** The fields that the code owns, those that people own, and which process wins when processes disagree: behaviours 33 to 36. */
import { describe, expect, test } from 'vitest';
import type { PeriodicOptions } from '../../packages/carillon/src/periodic/periodic.ts';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';
import { PeriodicStage } from './stage.ts';

const hourly: PeriodicTask = { id: 'report', cron: '0 * * * *' };

/** A stage whose code can be changed between deploys. */
async function aStage(tasks: PeriodicTask[], options: Partial<PeriodicOptions> = {}) {
  const code = { tasks, options };
  const stage = await PeriodicStage.open({ tasks: () => code.tasks, options: () => code.options });
  return { stage, code };
}

describe('a deploy', () => {
  test('that says the same again changes nothing', async () => {
    const { stage } = await aStage([hourly, { ...hourly, id: 'other', enabled: false, maxRuns: 3 }]);
    const before = await stage.carillon().schedules.describe('report');
    expect(await stage.periodic().sync()).toMatchObject({
      unchanged: ['other', 'report'],
      updated: [],
      created: [],
    });
    expect((await stage.carillon().schedules.describe('report')).token).toBe(before.token);
  });

  test('does not end a pause that a person began', async () => {
    const { stage } = await aStage([hourly]);
    await stage.periodic().pause('report', 'month end', { actor: 'ann' });
    await stage.redeploy();
    await stage.advance('3h');
    expect(stage.ran).toEqual([]);
    expect(await stage.carillon().schedules.describe('report')).toMatchObject({
      status: 'paused',
      paused: { by: 'ann', note: 'month end' },
    });
    await stage.periodic().resume('report');
    await stage.advance('1h');
    expect(stage.ran).toHaveLength(1);
  });

  test('does not disable again what a person enabled, until the code says something new', async () => {
    const { stage, code } = await aStage([{ ...hourly, enabled: false }]);
    await stage.periodic().resume('report', 'needed today', { actor: 'ann' });
    await stage.redeploy();
    await stage.advance('1h');
    expect(stage.ran).toHaveLength(1);
    code.tasks = [{ ...hourly, enabled: true }];
    await stage.redeploy();
    code.tasks = [{ ...hourly, enabled: false }];
    await stage.redeploy();
    await stage.advance('3h');
    expect(stage.ran).toHaveLength(1);
    expect(await stage.carillon().schedules.describe('report')).toMatchObject({
      paused: { by: 'periodic:periodic', note: 'disabled in code' },
    });
  });

  test("that enables what the code had disabled leaves a person's pause as it is", async () => {
    const { stage, code } = await aStage([{ ...hourly, enabled: false }]);
    await stage.periodic().resume('report');
    await stage.periodic().pause('report', 'audit', { actor: 'ann' });
    code.tasks = [hourly];
    await stage.redeploy();
    await stage.advance('3h');
    expect(stage.ran).toEqual([]);
    expect((await stage.carillon().schedules.describe('report')).paused).toMatchObject({ by: 'ann' });
  });

  test('puts back what the code owns when another caller changed it', async () => {
    const { stage } = await aStage([hourly]);
    await stage.carillon().schedules.update('report', { cron: '@yearly', run: 'report', owner: 'periodic' });
    await stage.redeploy();
    expect((await stage.periodic().state('report')).nextRun).toBe(Date.UTC(2026, 0, 5, 11));
  });

  test('keeps what was overridden at run time, and the code counts again when it is cleared', async () => {
    const { stage, code } = await aStage([{ ...hourly, payload: { days: 30 } }]);
    await stage.periodic().override('report', { cron: '*/30 * * * *', priority: 'low' }, { actor: 'ann' });
    await stage.advance('15m');
    expect(stage.times).toEqual(['10:30']);
    code.tasks = [{ ...hourly, payload: { days: 60 } }];
    await stage.redeploy();
    await stage.advance('1h');
    expect(stage.times).toEqual(['10:30', '11:00', '11:30']);
    expect(stage.ran.at(-1)).toMatchObject({ payload: { days: 60 }, priority: -100 });
    expect(await stage.periodic().overrides('report')).toEqual({ cron: '*/30 * * * *', priority: 'low' });
    await stage.periodic().clearOverrides('report');
    await stage.advance('1h');
    expect(stage.times).toEqual(['10:30', '11:00', '11:30', '12:00']);
  });

  test('an override that makes no sense, or of what only code may say, is refused and changes nothing', async () => {
    const { stage } = await aStage([hourly]);
    await expect(stage.periodic().override('report', { cron: '61 * * * *' })).rejects.toThrow(
      /^invalid schedule: invalid cron expression/,
    );
    await expect(stage.periodic().override('report', { job: 'other' } as never)).rejects.toThrow(
      'job belongs to the code',
    );
    expect(await stage.periodic().overrides('report')).toEqual({});
  });

  test('with another number of runs counts those that were', async () => {
    const { stage, code } = await aStage([{ ...hourly, maxRuns: 1 }]);
    await stage.advance('3h');
    code.tasks = [{ ...hourly, maxRuns: 2 }];
    await stage.redeploy();
    await stage.redeploy();
    await stage.advance('5h');
    expect(stage.ran).toHaveLength(2);
  });

  test('who did what is in the audit', async () => {
    const { stage } = await aStage([hourly]);
    await stage.periodic().override('report', { jitter: '1s' }, { actor: 'ann', note: 'spread' });
    const { items } = await stage.carillon().schedules.audit('report');
    expect(items.map(({ actor, door, action, note }) => ({ actor, door, action, note }))).toEqual([
      { actor: 'ann', door: 'periodic', action: 'update', note: 'spread' },
      { actor: 'periodic:periodic', door: 'periodic', action: 'create', note: '' },
    ]);
  });
});

describe('a task that the code no longer declares', () => {
  test('is disabled by default, fires nothing, and goes on where it was when it comes back', async () => {
    const { stage, code } = await aStage([hourly, { ...hourly, id: 'old' }]);
    await stage.advance('1h');
    code.tasks = [hourly];
    await stage.redeploy();
    await stage.advance('5h');
    expect(stage.ran.filter(({ schedule }) => schedule === 'old')).toHaveLength(1);
    expect(await stage.carillon().schedules.describe('old')).toMatchObject({
      status: 'paused',
      paused: { note: 'no longer declared in code' },
    });
    code.tasks = [hourly, { ...hourly, id: 'old' }];
    await stage.redeploy();
    await stage.advance('1h');
    expect(stage.ran.filter(({ schedule }) => schedule === 'old')).toHaveLength(2);
    expect((await stage.periodic().state('old')).counts.runs).toBe(2);
  });

  test('is deleted, or kept, when that is asked for', async () => {
    const { stage, code } = await aStage([hourly, { ...hourly, id: 'old' }], { prune: 'keep' });
    code.tasks = [hourly];
    await stage.redeploy();
    await stage.advance('1h');
    expect(stage.ran.filter(({ schedule }) => schedule === 'old')).toEqual([]);
    expect((await stage.carillon().schedules.describe('old')).counters.actions).toBe(1);
    code.options = { prune: 'delete' };
    await stage.redeploy();
    expect((await stage.carillon().schedules.describe('old')).status).toBe('closed');
    await stage.advance('5h');
    // Its run, which no worker had begun, was cancelled with it; no other followed.
    const { items } = await stage.carillon().schedules.runs('old');
    expect(items).toMatchObject([{ outcome: 'cancelled', startedAt: null }]);
    expect((await stage.carillon().schedules.describe('old')).counters.actions).toBe(1);
  });

  test('is left alone when it has another owner, or none, or was added at run time', async () => {
    const { stage, code } = await aStage([hourly], { prune: 'delete' });
    const { schedules } = stage.carillon();
    await schedules.create('theirs', { cron: '@daily', run: 'report', owner: 'billing' });
    await schedules.create('nobodys', { cron: '@daily', run: 'report' });
    await stage.periodic().add({ id: 'dynamic', cron: '@daily', job: 'report' });
    code.tasks = [];
    await stage.redeploy();
    const { items } = await stage.carillon().schedules.list();
    expect(items.map(({ id }) => id)).toEqual(['dynamic', 'nobodys', 'theirs']);
  });
});

describe('a task added at run time', () => {
  test('runs, is seen by every process, can be replaced and removed', async () => {
    const { stage } = await aStage([hourly]);
    await stage.periodic().add({ id: 'extra', cron: '*/30 * * * *', job: 'report', payload: 1 });
    await stage.advance('15m');
    expect(stage.ran).toMatchObject([{ schedule: 'extra', payload: 1 }]);
    await stage.periodic().add({ id: 'extra', cron: '45 * * * *', job: 'report', payload: 2 });
    await stage.advance('15m');
    expect(stage.ran.at(-1)).toMatchObject({ schedule: 'extra', payload: 2 });
    await stage.periodic().remove('extra');
    await stage.advance('5h');
    expect(stage.ran.filter(({ schedule }) => schedule === 'extra')).toHaveLength(2);
  });

  test('is logged by whichever process decides it', async () => {
    const stage = await PeriodicStage.open({ nodes: 2, tasks: () => [hourly] });
    await stage.periodic(1).add({ id: 'extra', cron: '*/30 * * * *', job: 'report' });
    stage.crash(1);
    await stage.advance('15m');
    expect(stage.lines).toContainEqual({
      level: 'info',
      message: 'Scheduled job enqueued',
      fields: expect.objectContaining({ schedule_id: 'extra', instance: 'node-0' }),
    });
  });

  test('cannot take the place of one that code declares, nor can such a one be removed', async () => {
    const { stage } = await aStage([hourly]);
    await expect(stage.periodic().add({ ...hourly, job: 'x' })).rejects.toThrow('code declares it');
    await expect(stage.periodic().remove('report')).rejects.toThrow('declared in code');
  });
});

describe('two processes that disagree', () => {
  test('the higher version wins, in whichever order they start, and nothing alternates', async () => {
    const stage = await PeriodicStage.open({
      nodes: 2,
      tasks: ({ name }) =>
        name === 'node-0'
          ? [
              { ...hourly, cron: '30 * * * *' },
              { ...hourly, id: 'removed' },
            ]
          : [{ ...hourly, cron: '45 * * * *' }],
      options: ({ name }) => ({ version: name === 'node-0' ? 1 : 2, prune: 'delete' }),
    });
    const { token } = await stage.carillon(1).schedules.describe('report');
    for (let round = 0; round < 3; round += 1) {
      await stage.redeploy(0);
      expect(await stage.periodic(0).sync()).toMatchObject({
        supersededBy: 2,
        created: [],
        updated: [],
        pruned: [],
      });
      await stage.redeploy(1);
      await stage.advance('1h');
    }
    expect(stage.times).toEqual(['10:45', '11:45', '12:45']);
    expect((await stage.carillon(1).schedules.describe('report')).token).toBe(token);
    expect((await stage.carillon(1).schedules.list()).items.map(({ id }) => id)).toEqual(['report']);
  });

  test('that prune the same task in the same moment both go on', async () => {
    for (const prune of ['delete', 'disable'] as const) {
      let tasks = [hourly, { ...hourly, id: 'old' }];
      const stage = await PeriodicStage.open({ nodes: 3, tasks: () => tasks, options: () => ({ prune }) });
      tasks = [hourly];
      await Promise.all([0, 1, 2].map((node) => stage.redeploy(node)));
      const { status } = await stage.carillon().schedules.describe('old');
      expect(status).toBe(prune === 'delete' ? 'closed' : 'paused');
    }
  });

  test('of a version that comes while an older one is at it, the newer one is what is left', async () => {
    const stage = new PeriodicStage({
      nodes: 2,
      tasks: ({ name }) =>
        name === 'node-0'
          ? Array.from({ length: 250 }, (_, index) => ({ ...hourly, id: `old_${index}` }))
          : [{ ...hourly, id: 'old_7', cron: '45 * * * *' }],
      options: ({ name }) => ({ version: name === 'node-0' ? 1 : 2, prune: 'delete' }),
    });
    await stage.start();
    const [older, newer] = await Promise.all([stage.periodic(0).sync(), stage.periodic(1).sync()]);
    expect([older.supersededBy, newer.supersededBy]).toEqual([2, null]);
    const { items } = await stage.carillon().schedules.list({ limit: 1000 });
    expect(items.map(({ id }) => id)).toEqual(['old_7']);
    await stage.advance('1h');
    expect(stage.times).toEqual(['10:45']);
    await stage[Symbol.asyncDispose]();
  });

  test('started together, with the same code, they make one schedule each', async () => {
    const stage = new PeriodicStage({ nodes: 5, tasks: () => [hourly, { ...hourly, id: 'other' }] });
    await stage.start();
    await Promise.all([0, 1, 2, 3, 4].map((node) => stage.periodic(node).start()));
    expect((await stage.carillon().schedules.list()).items).toHaveLength(2);
    await stage.advance('1h');
    expect(stage.ran).toHaveLength(2);
    await stage[Symbol.asyncDispose]();
  });
});

describe('a schedule of another owner under the id of a task', () => {
  test('is reported and left alone, the others are synced, and nothing is pruned', async () => {
    const { stage, code } = await aStage([{ ...hourly, id: 'old' }], { prune: 'delete' });
    await stage.carillon().schedules.create('report', { cron: '@yearly', run: 'x', owner: 'billing' });
    code.tasks = [hourly, { ...hourly, id: 'fine' }];
    await stage.restart(0);
    await expect(stage.periodic().start()).rejects.toThrow(/could not be synced/);
    await expect(stage.periodic().sync()).rejects.toThrow(
      "1 of the schedules could not be synced: report: schedule 'report' belongs to 'billing', not to the tasks of 'periodic'",
    );
    const { items } = await stage.carillon().schedules.list();
    expect(items.map(({ id, owner }) => `${id} ${owner}`)).toEqual([
      'fine periodic',
      'old periodic',
      'report billing',
    ]);
    expect(stage.lines).toContainEqual({
      level: 'error',
      message: 'Failed to sync schedule',
      fields: expect.objectContaining({ schedule_id: 'report' }),
    });
  });
});

test('a task pauses itself after failures in a row when that is asked for, and a deploy leaves it so', async () => {
  const stage = await PeriodicStage.open({
    tasks: () => [{ ...hourly, pauseAfterFailures: 2 }],
    work: () => {
      throw new Error('no');
    },
  });
  await stage.advance('5h');
  expect(stage.ran).toHaveLength(2);
  await stage.redeploy();
  await stage.advance('5h');
  expect(stage.ran).toHaveLength(2);
});

test('an owner without a name and a version that is no number are refused', async () => {
  const options = [{ owner: '' }, { version: -1 }, { version: 1.5 }];
  for (const wrong of options) {
    await expect(PeriodicStage.open({ tasks: () => [], options: () => wrong })).rejects.toThrow(
      /owner|version/,
    );
  }
});
