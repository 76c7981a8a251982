/** `plan`, `apply`, `prune`, `import --apply` and `backfill --wait` against a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { Periodic } from '../../packages/carillon/src/periodic/periodic.ts';
import { DoorStage } from '../door/door-stage.ts';
import { carillon, type Situation } from './command-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-manifest-'));
let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open();
  client = new CarillonClient({ url: stage.server.url });
});
afterAll(async () => {
  await stage.server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const run = (args: readonly string[], more: Situation = {}) =>
  carillon(args, { url: stage.server.url, ...more });

function manifest(owner: string, schedules: object): string {
  const path = join(scratch, `${owner}.json`);
  writeFileSync(path, JSON.stringify({ owner, schedules }));
  return path;
}

const hourly = { every: '1h', run: 'work' };

describe('plan and apply', () => {
  test('of a new schedule everything is shown that is not as usual', async () => {
    const policies = { overlap: 'allowAll', catchup: '3h', missedLimit: 5, pauseAfterFailures: 3 };
    const work = { timeout: '5m', attemptTimeout: '1m', input: { day: 1 }, tags: ['a'], memo: { k: 'v' } };
    const file = manifest('shown', {
      shown: { ...hourly, ...policies, ...work, paused: 'not yet', remaining: 4 },
      plain: hourly,
    });
    const { stdout } = await run(['plan', file, '--json']);
    const [shown, plain] = JSON.parse(stdout).parts[0].changes as readonly {
      readonly fields: readonly { readonly path: string; readonly after: unknown }[];
    }[];
    const told = Object.fromEntries(shown?.fields.map(({ path, after }) => [path, after]) ?? []);
    expect(told).toMatchObject({
      ...{ overlap: 'allowAll', catchup: '3h', missedLimit: 5, pauseAfterFailures: 3 },
      ...{ timeout: '5m', attemptTimeout: '1m', 'input.day': 1, tags: ['a'], 'memo.k': 'v' },
      ...{ paused: 'not yet', remaining: 4 },
    });
    expect(plain?.fields.map(({ path }) => path)).toEqual(['intervals', 'run', 'queue', 'owner']);
  });

  test('show, do, and then have nothing left to do', async () => {
    const file = manifest('one', { 'one-a': { ...hourly, description: 'old' }, 'one-b': hourly });
    const planned = await run(['plan', file]);
    expect(planned.code).toBe(3);
    expect(planned.stdout).toContain('+ one-a  Every hour');
    expect(planned.stdout).toContain('Plan: 2 to create.');
    expect(await client.schedules.count({ owner: 'one' })).toBe(0);
    expect(await run(['apply', file])).toMatchObject({
      code: 0,
      stdout: 'Created one-a\nCreated one-b\n2 of 2 done for one.\n',
    });
    const before = await client.schedules.describe('one-a');
    expect(await run(['apply', file])).toMatchObject({
      code: 0,
      stdout: 'Nothing to do: 2 schedules of one are as declared.\n',
    });
    expect((await client.schedules.describe('one-a')).token).toBe(before.token);
    expect((await run(['plan', file])).code).toBe(0);
    manifest('one', { 'one-a': { ...hourly, description: 'new' }, 'one-b': hourly });
    const change = await run(['plan', file]);
    expect(change.stdout).toContain('~ one-a');
    expect(change.stdout).toContain('~ description: old → new');
    const json = JSON.parse((await run(['plan', file, '--json'])).stdout);
    expect(json.parts[0]).toMatchObject({ owner: 'one', pending: 1 });
    expect((await run(['apply', file])).stdout).toContain('Changed one-a');
    expect(await client.schedules.describe('one-a')).toMatchObject({ description: 'new', owner: 'one' });
  });

  test('a deploy does not resume, and does not give back actions', async () => {
    const file = manifest('two', { 'two-a': { ...hourly, remaining: 5 } });
    await run(['apply', file]);
    await client.schedules.pause('two-a', { note: 'incident' });
    manifest('two', { 'two-a': { ...hourly, every: '2h', remaining: 5, paused: false } });
    const applied = await run(['apply', file]);
    expect(applied.stdout).toContain('two-a stays paused (by ada: incident)'.replace('ada', 'local'));
    expect(await client.schedules.describe('two-a')).toMatchObject({
      status: 'paused',
      remaining: 5,
      words: 'Every 2 hours',
      paused: { note: 'incident' },
    });
  });

  test('schedules of others are left alone, all of the file or nothing', async () => {
    await client.schedules.create('three-x', { ...hourly, owner: 'another' });
    const file = manifest('three', { 'three-a': hourly, 'three-x': { ...hourly, every: '2h' } });
    expect((await run(['plan', file])).stdout).toContain("! three-x  Every hour\n      belongs to 'another'");
    const refused = await run(['apply', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("three-x: belongs to 'another'");
    expect(await client.schedules.count({ owner: 'three' })).toBe(0);
    expect((await run(['apply', file, '--take-over'])).code).toBe(0);
    expect(await client.schedules.describe('three-x')).toMatchObject({
      owner: 'three',
      words: 'Every 2 hours',
    });
  });

  test('two manifests of one owner prune only their own', async () => {
    const file = (name: string, schedules: object) => {
      const path = join(scratch, `shared-${name}.json`);
      writeFileSync(path, JSON.stringify({ owner: 'shared', name, schedules }));
      return path;
    };
    await run(['apply', file('left', { 'left-a': hourly, 'left-b': hourly })]);
    await run(['apply', file('right', { 'right-a': hourly, 'right-b': hourly })]);
    await client.schedules.create('shared-by-hand', { ...hourly, owner: 'shared' });
    const pruned = await run(['apply', file('left', { 'left-a': hourly }), '--prune', '--yes']);
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining('left-b') });
    const { items } = await client.schedules.list({ owner: 'shared' });
    expect(items.map(({ id, declaredBy }) => [id, declaredBy])).toEqual([
      ['left-a', 'manifest:left'],
      ['right-a', 'manifest:right'],
      ['right-b', 'manifest:right'],
      ['shared-by-hand', ''],
    ]);
    // What one file declares, the other cannot take without saying so.
    const greedy = file('left', { 'left-a': hourly, 'right-a': { ...hourly, every: '2h' } });
    const refused = await run(['apply', greedy]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("right-a: belongs to 'shared', declared by manifest:right");
    expect((await run(['plan', greedy])).stdout).toContain('Owner shared, manifest left');
  });

  test('a manifest and the periodic tasks of the same owner leave each other alone', async () => {
    const periodic = new Periodic({ carillon: stage.carillon, owner: 'both', prune: 'delete' });
    periodic.register({ id: 'task-a', cron: '0 3 * * *', job: 'work' });
    periodic.register({ id: 'task-b', cron: '0 4 * * *', job: 'work' });
    await periodic.sync();
    const file = manifest('both', { 'file-a': hourly, 'file-b': hourly });
    expect((await run(['apply', file, '--prune', '--yes'])).code).toBe(0);
    const ids = async () => (await client.schedules.list({ owner: 'both' })).items.map(({ id }) => id);
    expect(await ids()).toEqual(['file-a', 'file-b', 'task-a', 'task-b']);
    expect((await run(['prune', file, '--yes'])).code).toBe(0);
    expect(await ids()).toEqual(['file-a', 'file-b', 'task-a', 'task-b']);

    const next = new Periodic({ carillon: stage.carillon, owner: 'both', prune: 'delete' });
    next.register({ id: 'task-a', cron: '0 3 * * *', job: 'work' });
    expect(await next.sync()).toMatchObject({ pruned: ['task-b'], unchanged: ['task-a'] });
    expect(await ids()).toEqual(['file-a', 'file-b', 'task-a']);

    const clash = new Periodic({ carillon: stage.carillon, owner: 'both' });
    clash.register({ id: 'file-a', cron: '0 3 * * *', job: 'work' });
    await expect(clash.sync()).rejects.toThrow(
      "belongs to 'both', declared by manifest:default, not to the tasks of 'both'",
    );
    manifest('both', { 'file-a': hourly, 'task-a': hourly });
    expect((await run(['apply', file])).stderr).toContain("task-a: belongs to 'both', declared by periodic");
  });

  test('documents may go to several namespaces', async () => {
    const path = join(scratch, 'spaces.yaml');
    writeFileSync(
      path,
      'owner: nine\nnamespace: left\nschedules: { same: { every: 1h, run: work } }\n---\nnamespace: right\nschedules: { same: { every: 2h, run: work } }\n',
    );
    expect((await run(['plan', path])).stdout).toContain('Owner nine, namespace right');
    expect((await run(['apply', path])).code).toBe(0);
    for (const [namespace, words] of [
      ['left', 'Every hour'],
      ['right', 'Every 2 hours'],
    ] as const) {
      const own = new CarillonClient({ url: stage.server.url, namespace });
      expect((await own.schedules.describe('same')).words).toBe(words);
    }
    expect((await run(['plan', path])).code).toBe(0);
  });

  test('one bad entry, and nothing is changed', async () => {
    const file = manifest('four', { 'four-a': hourly, 'four-b': { every: 'soon', run: 'work' } });
    const { code, stderr } = await run(['apply', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:1 four-b.every`);
    expect(await client.schedules.count({ owner: 'four' })).toBe(0);
  });

  test('the faster caller wins, and the conflict is reported', async () => {
    const file = manifest('five', { 'five-a': hourly, 'five-b': hourly });
    await run(['apply', file]);
    manifest('five', { 'five-a': { ...hourly, every: '2h' }, 'five-b': { ...hourly, every: '2h' } });
    // Between the plan and the change another caller changes it.
    let met = false;
    const meddling: typeof fetch = async (...call) => {
      const [url, init] = call;
      if (!met && init?.method === 'PUT' && String(url).endsWith('five-a')) {
        met = true;
        await client.schedules.patch('five-a', { description: 'by hand' });
      }
      return await original(...call);
    };
    const original = globalThis.fetch;
    globalThis.fetch = meddling;
    try {
      const { code, stdout } = await run(['apply', file, '--prune', '--yes']);
      expect(code).toBe(1);
      expect(stdout).toContain(
        'Failed to update five-a: changed by another caller since the plan; plan again',
      );
      expect(stdout).toContain('Changed five-b');
    } finally {
      globalThis.fetch = original;
    }
    expect(await client.schedules.describe('five-a')).toMatchObject({
      words: 'Every hour',
      description: 'by hand',
    });
  });
});

describe('prune', () => {
  test('deletes what the file no longer has, of this owner only, and only when told so', async () => {
    const file = manifest('six', { 'six-a': hourly, 'six-b': hourly });
    await run(['apply', file]);
    await client.schedules.create('six-z', { ...hourly, owner: 'seven' });
    manifest('six', { 'six-a': hourly });
    expect((await run(['plan', file])).stdout).toContain('- six-b');
    expect((await run(['plan', file])).code).toBe(0);
    expect((await run(['plan', file, '--prune'])).code).toBe(3);
    const unasked = await run(['prune', file]);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('six-b');
    const asked: string[] = [];
    const answer = (yes: boolean) => async (question: string) => {
      asked.push(question);
      return yes;
    };
    expect((await run(['prune', file], { confirm: answer(false) })).code).toBe(1);
    expect(await client.schedules.count({ owner: 'six' })).toBe(2);
    expect((await run(['apply', file, '--prune'], { confirm: answer(true) })).stdout).toContain(
      'Deleted six-b',
    );
    expect(asked).toEqual(['Delete it?', 'Delete it?']);
    expect(await client.schedules.count({ owner: 'six' })).toBe(1);
    expect(await client.schedules.count({ owner: 'seven' })).toBe(1);
    manifest('six', {});
    expect((await run(['prune', file, '--yes', '--json'])).stdout).toContain('"kind": "prune"');
    // What was deleted can be declared again.
    manifest('six', { 'six-b': hourly });
    expect((await run(['apply', file])).stdout).toContain('Created six-b');
  });

  test('a schedule that changed since it was read is not deleted', async () => {
    await client.schedules.create('eight', hourly);
    await client.schedules.patch('eight', { description: 'x' });
    await expect(client.schedules.delete('eight', { token: 1 })).rejects.toMatchObject({
      reason: 'CONFLICT_TOKEN_MISMATCH',
    });
    await client.schedules.delete('eight', { token: 2 });
    expect((await client.schedules.describe('eight')).status).toBe('closed');
  });
});

test('a crontab becomes schedules, once', async () => {
  const input = '5 4 * * * /bin/backup\n6 4 * * * /bin/other\n';
  const args = [
    'import',
    'crontab',
    '--apply',
    '--owner',
    'tab',
    '--zone',
    'Europe/Berlin',
    '--compare',
    '10',
  ];
  expect((await run(args, { input })).stdout).toContain('2 of 2 done for tab.');
  expect((await run(args, { input })).stdout).toContain('Nothing to do: 2 schedules of tab');
  expect(await client.schedules.describe('backup')).toMatchObject({
    words: 'At 04:05 every day, Europe/Berlin',
    action: { kind: 'command', input: { argv: ['/bin/backup'], shell: true } },
  });
  const bad = await run(args, { input: '61 4 * * * x\n7 4 * * * /bin/third\n' });
  expect(bad.code).toBe(1);
  expect(bad.stderr).toContain('Nothing was changed.');
  expect(await client.schedules.count({ owner: 'tab' })).toBe(2);
});

describe('backfill --wait', () => {
  const range = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-01T20:00:00Z', '--wait'];

  test('follows it to its end with a bar, and tells how the runs went', async () => {
    await client.schedules.create('filled', hourly);
    const { code, stdout, stderr } = await run(['schedule', 'backfill', 'filled', ...range], {
      clock: new SystemClock(),
      columns: 80,
    });
    expect(code).toBe(0);
    expect(stdout).toBe('Backfill 1 is over. Slots: 21 started. Runs: 21 completed.\n');
    expect(stderr === '' || stderr.includes('backfill 1')).toBe(true);
  });

  test('fails when its runs fail, and keeps silent for machines', async () => {
    await client.schedules.create('failing', { every: '1h', run: 'fail' });
    const { code, stdout, stderr } = await run(['schedule', 'backfill', 'failing', ...range, '--json'], {
      clock: new SystemClock(),
      columns: 80,
    });
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toMatchObject({ verdicts: { started: 21 }, outcomes: { failed: 21 } });
  });
});
