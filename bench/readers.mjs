// npm run bench -- readers [--stalled 1000] [--healthy 150] [--seconds 30] [--schedules 200]
// How late fires are, and how much memory is used, while connections read live events: stalled ones never read, healthy
// ones read all. The readers live in a second process. Needs dist/ (npm run build).
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    stalled: { type: 'string', default: '1000' },
    healthy: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '30' },
    schedules: { type: 'string', default: '200' },
    dist: { type: 'string', default: fileURLToPath(new URL('../packages', import.meta.url)) },
    client: { type: 'string' },
  },
});

if (values.client === undefined) await serve();
else await read(Number(values.client));

async function serve() {
  const { openCarillon } = await import(`${values.dist}/carillon/dist/main.js`);
  const { startServer } = await import(`${values.dist}/server/dist/server/index.js`);
  const carillon = await openCarillon({ store: 'memory:' });
  carillon.handle('work', () => 'done');
  const lateness = [];
  carillon.subscribe((event) => {
    if (event.type === 'started') lateness.push(event.lateByMs);
  });
  const server = await startServer({ carillon, port: 0, grpc: false });
  for (let n = 0; n < Number(values.schedules); n += 1) {
    await carillon.schedules.create(`tick-${n}`, { every: '1s', run: 'work' });
  }
  await sleep(3000);
  report('alone', lateness);
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--client', new URL(server.url).port],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => child.stdout.once('data', resolve));
  lateness.length = 0;
  let mostMemory = 0;
  for (let left = Number(values.seconds); left > 0; left -= 1) {
    await sleep(1000);
    mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
  }
  report(`${values.stalled} stalled, ${values.healthy} healthy`, lateness);
  console.log(`most memory: ${Math.round(mostMemory / 1e6)} MB`);
  child.kill('SIGKILL');
  await server.stop();
}

function report(what, lateness) {
  const sorted = [...lateness].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  console.log(
    `${what}: ${sorted.length} fires, late by p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${sorted.at(-1)} ms`,
  );
}

async function read(port) {
  const request = 'GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  const open = (isStalled) =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request, resolve));
      socket.on('error', () => {});
      if (isStalled) socket.pause();
      else socket.resume();
    });
  for (let n = 0; n < Number(values.stalled); n += 1) await open(true);
  for (let n = 0; n < Number(values.healthy); n += 1) await open(false);
  console.log('open');
}
