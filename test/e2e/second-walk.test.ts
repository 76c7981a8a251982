/**
 * The second walk: from a crontab of ten lines and a BullMQ project with three job schedulers to schedules that run, are tested and
 * are explained, by the steps of docs/guides/from-cron.md and docs/guides/from-bullmq.md.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import { carillon } from '../cli/command-stage.ts';
import { DoorStage } from '../door/door-stage.ts';
import { describeWithRedis } from '../support/redis-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('from cron', () => {
  let folder: string;
  let stage: DoorStage;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-walk-'));
    stage = await DoorStage.open();
  });
  afterAll(async () => {
    await stage.server.stop();
    rmSync(folder, { recursive: true });
  });

  test('ten lines are proved, applied, listed and explained', async () => {
    const { url } = stage.server;
    const manifest = join(folder, 'schedules.yaml');
    const linted = await carillon(['lint', join(root, 'examples/crontab.txt')], { url });
    expect(linted.code).toBe(0);
    const imported = await carillon(
      ['import', 'crontab', join(root, 'examples/crontab.txt'), '--output', manifest],
      { url },
    );
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('Proved: 10 lines') });
    expect((await carillon(['plan', manifest], { url })).stdout).toContain('Plan: 10 to create.');
    expect(await carillon(['apply', manifest, '--yes'], { url })).toMatchObject({ code: 0 });
    expect((await carillon(['plan', manifest], { url })).code).toBe(0);
    const { schedules } = new CarillonClient({ url });
    expect(await schedules.count()).toBe(10);
    const [backup] = (await schedules.list({ limit: 100 })).items.filter(({ id }) => id.startsWith('backup'));
    const id = String(backup?.id);
    expect((await schedules.describe(id)).words).toContain('02:15');
    const why = await carillon(['why', id, '2020-01-01T02:15'], { url });
    expect(why).toMatchObject({ code: 0, stdout: expect.stringContaining('beforeCreation') });
    expect((await carillon(['dst', '--years', '1'], { url })).code).toBe(0);
    // The same lines in virtual time: a day of them, with the commands recorded instead of run.
    const definition = await schedules.definition(id);
    await using world = await CarillonWorld.start({ start: '2026-11-16T00:00:00Z' });
    await world.carillon().schedules.create(id, definition);
    await world.advance('1d');
    expect(world.calls.map(({ kind }) => kind)).toEqual(['command']);
  });

  test('the guide names the commands that were run', () => {
    const guide = readFileSync(join(root, 'docs/guides/from-cron.md'), 'utf8');
    for (const command of ['lint', 'import crontab', 'plan', 'apply', 'schedule list', 'why', 'dst'])
      expect(guide).toContain(`$ carillon ${command}`);
  });
});

await describeWithRedis('from BullMQ', (redis) => {
  test('the guide names the commands that the tests of the command line run', () => {
    const guide = readFileSync(join(root, 'docs/guides/from-bullmq.md'), 'utf8');
    for (const command of ['import bullmq', 'plan', 'apply'])
      expect(guide).toContain(`$ carillon ${command}`);
  });

  test('three job schedulers become schedules with the same times, and the worker goes on', async () => {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'examples/from-bullmq.ts'], {
      cwd: root,
      env: { ...env, REDIS_URL: redis.url },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 280_000,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('the worker of BullMQ did digest for all: completed'),
    });
    expect(output).toContain('digest: 200 coming times compared, 0 differ');
    expect(output).toContain('reminders: 200 coming times compared, 0 differ');
    expect(output).toContain('the next reminder: notYet; left in BullMQ: 0');
  });
});
