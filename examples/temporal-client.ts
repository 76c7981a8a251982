/**
 * Temporal's own client, unchanged, makes a schedule here and a handler of ours runs it: `@temporalio/client` against a
 * Carillon server in this process. Needs no Temporal server and no Temporal worker.
 */

import { startServer } from '@carillon/server';
import { Client, Connection } from '@temporalio/client';
import { openCarillon } from 'carillon';

// The Carillon side: a handler under the name of the workflow type and the task queue, and the gRPC door.
const carillon = await openCarillon('memory:');
carillon.handle(
  'report',
  ({ input, lastResult }) => {
    const count = Number(lastResult) + 1;
    console.log(`report ${count} for ${(input as { customer: string }).customer}`);
    return count;
  },
  { queue: 'reports' },
);
const server = await startServer({ carillon, port: 0, grpc: { port: 0 } });

// The client side: unchanged code for Temporal.
const connection = await Connection.connect({ address: server.grpc?.address ?? '' });
const { schedule, workflow } = new Client({ connection });
const handle = await schedule.create({
  scheduleId: 'nightly',
  spec: { cronExpressions: ['0 2 * * MON-FRI # before the office opens'], timezone: 'Europe/Berlin' },
  action: {
    type: 'startWorkflow',
    workflowType: 'report',
    workflowId: 'report',
    taskQueue: 'reports',
    args: [{ customer: 'ACME' }],
  },
  policies: { overlap: 'BUFFER_ALL', catchupWindow: '1 day' },
});
await handle.backfill({
  start: new Date('2026-03-27T00:00:00Z'),
  end: new Date('2026-03-31T23:59:59Z'),
});
await handle.pause('until the auditors are gone');

// The workflows have ids of their own, and their results can be waited for.
for (const day of ['2026-03-27T01', '2026-03-30T00', '2026-03-31T00']) {
  console.log(`${day}: ${await workflow.getHandle(`report-${day}:00:00Z`).result()}`);
}
const { spec, state, info } = await handle.describe();
const [calendar] = spec.calendars ?? [];
console.log(`${calendar?.comment}, ${spec.timezone}: ${info.numActionsTaken} reports, ${state.note}`);

await connection.close();
await server.stop();
