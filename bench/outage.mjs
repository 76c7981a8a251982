// A store that is unreachable for a while under load: schedules of one second that may overlap, on two nodes. PostgreSQL stops and
// comes back. Prints the time until every schedule is up to date and no more runs are unfinished than before, and the processor time of
// nodes and server per fire: a recovery that works all the time keeps the cores busy. Needs a build, and Linux.
//
//   npm run bench -- outage [--rate 3000] [--outage 60] [--nodes 2] [--patience 180]      (all times in seconds)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { register } from 'tsx/esm/api';
import { openCarillon } from '../packages/carillon/dist/main.js';

register();
const { startOwnPostgres } = await import('../test/support/postgres-server.ts');

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '3000' },
    outage: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '2' },
    patience: { type: 'string', default: '180' },
  },
});
const rate = Number(values.rate);
const outage = Number(values.outage);
const server = await startOwnPostgres();
if ('missing' in server) throw new Error(server.missing);
const url = await server.newDatabase();

const maker = await openCarillon(url);
for (let from = 0; from < rate; from += 500) {
  const ids = Array.from({ length: Math.min(500, rate - from) }, (_, index) => from + index);
  await Promise.all(
    ids.map((id) => maker.schedules.create(`s-${id}`, { every: '1s', overlap: 'allowAll', run: 'tick' })),
  );
}
await maker.stop();

const child = fileURLToPath(new URL('./cluster-node.mjs', import.meta.url));
const nodes = [];
for (let index = 0; index < Number(values.nodes); index += 1) {
  const node = spawn(process.execPath, [child, url, `node-${index}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(node.stdout, 'data');
  nodes.push(node);
}

/** How late the most overdue schedule is, how many runs are unfinished, and how many have ended. */
async function look() {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(`select
      greatest(0, extract(epoch from clock_timestamp()) * 1000 - (select min(due_at) from carillon.wakes))::int as late,
      (select count(*) from carillon.open_runs)::int as open,
      (select count(*) from carillon.runs)::int as ended`);
    return rows[0];
  } finally {
    await client.end();
  }
}
/** The fields of a process after its name: its parent and its times, in hundredths of a second. */
function timesOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent, , , , , , , , , , user, system, ended, endedSystem] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ');
    return {
      parent: Number(parent),
      own: Number(user) + Number(system),
      ended: Number(ended) + Number(endedSystem),
    };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}

/** Processor time of the nodes and of all processes of the server so far, in ms. */
async function busyMs() {
  const [{ pid }] = await server.query('select pg_backend_pid() as pid');
  const { parent: postmaster } = timesOf(pid);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const backends = pids.filter((each) => timesOf(each).parent === postmaster);
  const { own, ended } = timesOf(postmaster);
  let ticks = own + ended;
  for (const each of [...backends, ...nodes.map((node) => node.pid)]) ticks += timesOf(each).own;
  return ticks * 10;
}

const tell = (label, { late, open, ended }) =>
  console.log(`${label.padEnd(24)} late ${String(late).padStart(6)} ms, unfinished ${open}, ended ${ended}`);

let before = await look();
for (let calm = 0; calm < 5; ) {
  await sleep(1000);
  before = await look();
  calm = before.late < 1500 ? calm + 1 : 0;
}
tell('before', before);
await server.restart('fast', () => sleep(outage * 1000));
const back = Date.now();
const busyBefore = await busyMs();
const { ended: endedBefore } = await look();
let recovered;
while (recovered === undefined && Date.now() - back < Number(values.patience) * 1000) {
  await sleep(1000);
  const now = await look();
  const after = (Date.now() - back) / 1000;
  if (Math.round(after) % 5 === 0) tell(`${after.toFixed(0)} s after`, now);
  if (now.late < 2000 && now.open <= Math.max(before.open * 2, rate)) recovered = { after, now };
}
if (recovered === undefined) console.log(`not recovered after ${values.patience} s`);
else tell(`recovered, ${recovered.after.toFixed(1)} s`, recovered.now);
const took = Date.now() - back;
const busy = (await busyMs()) - busyBefore;
const fires = (await look()).ended - endedBefore;
console.log(
  `${fires} fires in ${(took / 1000).toFixed(1)} s: ${Math.round((busy * 1000) / fires)} µs of nodes and server each, ${(busy / took).toFixed(2)} of ${availableParallelism()} cores`,
);
for (const node of nodes) {
  const exit = once(node, 'exit');
  node.kill('SIGTERM');
  await exit;
}
await server.stop();
process.exit(recovered !== undefined && recovered.after <= outage ? 0 : 1);
