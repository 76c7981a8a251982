// Many nodes on one store: 10,000 schedules due in the same second, on one, two and four processes. Prints, read from the store,
// how long after that second the last run started and ended, and the rate per second. CPU time of the nodes is printed per run,
// because it can be compared on a machine with other work.
//   npm run bench -- cluster postgres|redis   (a server of the test harness, or CARILLON_TEST_POSTGRES / _REDIS)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';
import { openCarillon } from '../packages/carillon/dist/main.js';

register();

const [kind = 'postgres', count = '10000'] = process.argv.slice(2);
const total = Number(count);
const child = fileURLToPath(new URL('./cluster-node.mjs', import.meta.url));

async function serverOf() {
  if (kind === 'postgres') {
    const { startOwnPostgres } = await import('../test/support/postgres-server.ts');
    const server = await startOwnPostgres();
    if ('missing' in server) throw new Error(server.missing);
    return { newUrl: () => server.newDatabase(), stop: () => server.stop() };
  }
  const { startRedis } = await import('../test/support/redis-server.ts');
  const server = await startRedis({ appendonly: 'always' });
  if ('missing' in server) throw new Error(server.missing);
  let made = 0;
  return {
    newUrl: async () => {
      made += 1;
      return `${server.url}?prefix=bench${made}`;
    },
    stop: () => server.stop(),
  };
}

async function launch(url, index) {
  const node = spawn(process.execPath, [child, url, `node-${index}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(node.stdout, 'data');
  return node;
}

async function herd(url, nodes) {
  const maker = await openCarillon(url);
  const due = Math.ceil((Date.now() + 15_000 + total) / 1000) * 1000;
  const began = performance.now();
  for (let from = 0; from < total; from += 500) {
    const ids = Array.from({ length: Math.min(500, total - from) }, (_, index) => from + index);
    await Promise.all(ids.map((id) => maker.schedules.create(`s-${id}`, { at: due, run: 'tick' })));
  }
  const created = Math.round(total / ((performance.now() - began) / 1000));
  const running = await Promise.all(Array.from({ length: nodes }, (_, index) => launch(url, index)));
  await sleep(due - Date.now());
  const deadline = due + 60_000;
  let ended = [];
  while (ended.length < total && Date.now() < deadline) {
    await sleep(500);
    ended = [];
    for (let after; ; ) {
      const page = await maker.store.runs({ states: ['done'], limit: 10_000, ...(after && { after }) });
      ended.push(...page.items);
      if (page.next === null) break;
      after = page.next;
    }
  }
  let cpu = 0;
  for (const node of running) {
    const exit = once(node, 'exit');
    const told = once(node.stdout, 'data');
    node.kill('SIGTERM');
    cpu += Number(String(await told));
    await exit;
  }
  await maker.stop();
  const last = (field) => ended.reduce((latest, run) => Math.max(latest, run[field] ?? 0), 0) - due;
  const started = last('startedAt');
  const finished = last('finishedAt');
  const rate = (ms) => Math.round(ended.length / (ms / 1000));
  console.log(
    `  ${nodes} node${nodes > 1 ? 's' : ' '}: ${ended.length} runs; last start after ${started} ms (${rate(started)}/s), last end after ${finished} ms (${rate(finished)}/s); node CPU ${Math.round(cpu / total)} µs per run; created ${created}/s`,
  );
}

console.log(`\n${total} schedules due in one second, on ${kind}`);
const server = await serverOf();
try {
  for (const nodes of [1, 2, 4]) await herd(await server.newUrl(), nodes);
} finally {
  await server.stop();
}
