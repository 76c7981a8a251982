// What a run costs on PostgreSQL: WAL and server time per run (inserted leased, then finished, in batches of 200), and how long
// 'what is running' takes over a history of finished runs. Starts a server of its own; takes about two minutes.
//
//   node bench/run-rows.mjs [--runs 20000] [--history 2000000]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { startPostgres } = await import('../test/support/postgres-server.ts');
const { PostgresStore } = await import('../packages/carillon/src/store/postgres/index.ts');
const { newRun } = await import('../packages/carillon/src/runs/run.ts');
const { runId } = await import('../packages/carillon/src/runs/run-id.ts');

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, history: { type: 'string', default: '2000000' } },
});
const total = Number(values.runs);
const batch = 200;

const server = await startPostgres({ settings: { autovacuum: 'off' } });
if ('missing' in server) throw new Error(server.missing);
const store = new PostgresStore({ url: await server.newDatabase(), listen: false });
await store.migrate();

const began = Date.now() - 3_600_000;
function aRun(n, payload) {
  const owner = `01931f2c-6a7b-7000-8000-${String(n % 500).padStart(12, '0')}`;
  const nominal = began + n;
  const run = newRun({
    id: runId(nominal, `${owner}/${n}`),
    namespace: 'default',
    owner,
    ordinal: n,
    queue: 'default',
    name: 'report',
    now: nominal,
    input: payload,
    options: {
      nominal,
      cause: 'auto',
      schedule: `schedule-${n % 500}`,
      workflowId: `schedule-${n % 500}-2026-11-18T00:00:00Z`,
    },
  });
  const worker = '01931f2c-6a7b-7000-8000-abcdefabcdef';
  return {
    ...run,
    state: 'leased',
    attempt: 1,
    startedAt: nominal,
    worker,
    leaseToken: `token-${n}-0123456789`,
  };
}

const write = (writes) =>
  store.transact({ kind: 'keys', keys: [] }, { decide: () => ({ writes, result: undefined }) });

/** CPU of the server processes that serve the store, so far, in milliseconds. */
async function serverMs() {
  let ticks = 0;
  for (const { pid } of await server.query(
    `select pid from pg_stat_activity where application_name = 'carillon'`,
  )) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}

async function walBytes() {
  const [row] = await server.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
  return Number(row.bytes);
}

let next = 0;
for (const [label, payload] of [
  ['small payload', null],
  ['1 KB payload', 'x'.repeat(1000)],
]) {
  await server.query('checkpoint');
  // The first pages after a checkpoint are written whole; they are not what a run costs.
  const warm = Array.from({ length: batch }, () => aRun(next++, payload));
  await write({ newRuns: warm });
  const wal = await walBytes();
  const cpu = await serverMs();
  for (let done = 0; done < total; done += batch) {
    const runs = Array.from({ length: batch }, () => aRun(next++, payload));
    await write({ newRuns: runs });
    await write({
      runs: runs.map((run) => ({
        ...run,
        state: 'done',
        outcome: 'completed',
        finishedAt: run.createdAt + 5,
        result: '"ok"',
      })),
    });
  }
  const perRun = (value) => (value / total).toFixed(3);
  console.log(
    `${label}: WAL ${Math.round(((await walBytes()) - wal) / total)} B, server CPU ${perRun(((await serverMs()) - cpu) * 1000)} µs per run`,
  );
}

const history = Number(values.history);
for (let made = 0; made < history; made += 5000) {
  await write({
    newRuns: Array.from({ length: 5000 }, () => ({
      ...aRun(next++, null),
      state: 'done',
      outcome: 'completed',
      finishedAt: began,
      result: '"ok"',
    })),
  });
}
await write({ newRuns: Array.from({ length: 1000 }, () => aRun(next++, null)) });
/** The shortest of several answers: other work on the machine only adds to it. */
const ask = async (label, query) => {
  let shortest = Number.POSITIVE_INFINITY;
  let rows = 0;
  for (let time = 0; time < 30; time += 1) {
    const at = performance.now();
    const { items } = await store.runs(query);
    shortest = Math.min(shortest, performance.now() - at);
    rows = items.length;
  }
  console.log(`${label}: ${shortest.toFixed(1)} ms, ${rows} rows`);
};
console.log(`${history} finished runs`);
await ask('what is running', { states: ['waiting', 'leased'], limit: 100, payloads: false });
await ask('what is running on an absent queue', { states: ['waiting', 'leased'], queue: 'none', limit: 100 });
await ask('newest runs', { limit: 100, payloads: false });
await ask('runs of a schedule', {
  owner: '01931f2c-6a7b-7000-8000-000000000007',
  limit: 10,
  payloads: false,
});
await store.close();
await server.stop();
