/** Examples that need something to talk to: a database for the nodes of a cluster, a server for a manifest. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { carillon } from '../cli/command-stage.ts';
import { DoorStage } from '../door/door-stage.ts';
import { describePostgres } from '../support/postgres-suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

await describePostgres('cluster.ts on PostgreSQL', (server) => {
  test('runs each time once, on both nodes, and on one when the other has gone', async () => {
    const { DATABASE_URL: _, NODE_OPTIONS: __, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'examples/cluster.ts'], {
      cwd: root,
      env: { ...env, TSX_TSCONFIG_PATH: 'tsconfig.base.json', DATABASE_URL: await server.newDatabase() },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 280_000,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^40 times by .*node 2, 0 of them twice$/m),
    });
    expect(output).toContain('the other node sees them too: 4 actions');
  });
});

describe('manifest.yaml', () => {
  const file = fileURLToPath(new URL('../../examples/manifest.yaml', import.meta.url));

  test('is planned, applied, and then has nothing left to do', async () => {
    await using stage = await DoorStage.open();
    const { url } = stage.server;
    const planned = await carillon(['plan', file], { url });
    expect(planned).toMatchObject({ code: 3, stderr: '' });
    expect(planned.stdout).toContain('Plan: 3 to create.');
    const applied = await carillon(['apply', file, '--yes'], { url });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect((await carillon(['plan', file], { url })).code).toBe(0);
    const { schedules } = new CarillonClient({ url });
    expect(await schedules.describe('quarter-end')).toMatchObject({
      owner: 'billing',
      paused: { note: 'until the auditors have signed' },
      words: expect.stringContaining('last day'),
    });
  });

  test('does not undo a pause when it is applied again', async () => {
    await using stage = await DoorStage.open();
    const { url } = stage.server;
    await carillon(['apply', file, '--yes'], { url });
    const { schedules } = new CarillonClient({ url });
    await schedules.pause('nightly-invoices', { note: 'by hand' });
    await carillon(['apply', file, '--yes'], { url });
    expect((await schedules.describe('nightly-invoices')).paused).toMatchObject({ note: 'by hand' });
  });
});
