// `carillon import temporal` on a real server: the times of a year, by that server's own answers.
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { root } from '../lib/needs.mjs';
import { Program } from '../lib/processes.mjs';

const specs = {
  nightly: { cronExpressions: ['30 2 * * *'], timezone: 'America/New_York' },
  weekdays: {
    calendars: [
      { dayOfWeek: { start: 'MONDAY', end: 'FRIDAY' }, hour: 9, minute: { start: 0, end: 40, step: 20 } },
    ],
  },
  jittered: { intervals: [{ every: '95m', offset: '7m' }], jitter: '10m' },
  bounded: { intervals: [{ every: '1 day' }], endAt: new Date('2027-02-01T00:00:00Z') },
  'leaving-out': { cronExpressions: ['0 6 * * *'], skip: [{ month: 'DECEMBER' }] },
  dense: { intervals: [{ every: '30s' }] },
  never: {},
};

export const importTemporal = {
  name: 'import-temporal',
  about: 'schedules of a real Temporal server, imported and proved',
  run: async (stage) => {
    const source = await stage.temporal();
    const target = await stage.carillon();
    const connection = await Connection.connect({ address: source.address });
    stage.after(() => connection.close());
    const client = new Client({ connection });
    for (const [scheduleId, spec] of Object.entries(specs)) {
      await client.schedule.create({
        scheduleId,
        spec,
        action: {
          type: 'startWorkflow',
          workflowType: 'report',
          taskQueue: 'nobody',
          args: [scheduleId],
          memo: { a: 1 },
        },
        policies: { overlap: 'BUFFER_ALL', catchupWindow: '1h' },
        state: { paused: true, note: 'moving' },
      });
    }
    const args = ['import', 'temporal', source.address, '--apply', '--json', '--compare', '20000'];
    const program = new Program(
      process.execPath,
      [join(root, 'packages/carillon/bin/carillon.js'), ...args],
      {
        env: { ...process.env, CARILLON_URL: target.url },
      },
    );
    const code = await program.end();
    const { report } = stage;
    const told = await report.check('the import ends well and applies all', async () => {
      if (code !== 0) throw new Error([...program.errors, ...program.lines].slice(-30).join('\n'));
      return JSON.parse(program.lines.join('\n'));
    });
    for (const { id, times, difference } of told?.proofs ?? []) {
      const name = `${id}: ${times} times are equal to those of the real server`;
      if (difference === undefined) report.passed(name);
      else report.failed(name, difference);
    }
    await report.check('a Temporal client sees the same schedules on both servers', async () => {
      const there = await Connection.connect({ address: target.address });
      stage.after(() => there.close());
      for (const id of Object.keys(specs)) {
        const [a, b] = await Promise.all([seen(client, id), seen(new Client({ connection: there }), id)]);
        if (a !== b) throw new Error(`${id}: ${a} there, ${b} here`);
      }
    });
  },
};

async function seen(client, id) {
  const { spec, policies, state, action } = await client.schedule.getHandle(id).describe();
  const { workflowType, taskQueue, args } = action;
  return JSON.stringify({ spec, policies, state, workflowType, taskQueue, args });
}
