// A node for bench/soak.mjs: a server on a SQLite file whose wall clock the parent can step. Arguments: file, log of begun handlers.
import { appendFileSync } from 'node:fs';

const wall = Date.now;
let offset = 0;
Date.now = () => wall() + offset;

const { openCarillon } = await import('../packages/carillon/dist/main.js');
const { startServer } = await import('../packages/server/dist/server/index.js');

const [file, log] = process.argv.slice(2);
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
