// A node for bench/soak.mjs: a server on a SQLite file whose wall clock the parent can step. Arguments: file, log of begun handlers, ms by
// which its clock is ahead.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [file, log, ahead] = process.argv.slice(2);
const wall = Date.now;
let offset = Number(ahead);
Date.now = () => wall() + offset;

const { openCarillon } = await import('../packages/carillon/dist/main.js');
const { startServer } = await import('../packages/server/dist/server/index.js');

const carillon = await openCarillon({ store: `sqlite:${file}` });
carillon.handle('tick', ({ schedule, scheduledAt, attempt }) => {
  appendFileSync(log, `${schedule} ${scheduledAt} ${attempt} ${Date.now() - scheduledAt}\n`);
});
const server = await startServer({ carillon, port: 0, grpc: false });
process.on('message', async ({ step, end }) => {
  if (step !== undefined) offset += step;
  if (end !== true) return;
  await server.stop();
  process.exit(0);
});
process.send({ url: server.url, offset });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
setInterval(() => {
  process.send({ block: delay.max / 1e6 });
  delay.reset();
}, 1000).unref();
