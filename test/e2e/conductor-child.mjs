// A server with the Conductor door: notes every handler as it begins. Arguments: store, notes. Tells its port when it is ready.
import { openSync, writeSync } from 'node:fs';
import { openCarillon } from '../../packages/carillon/dist/main.js';
import { flow, startServer } from '../../packages/server/dist/server/index.js';

const [store, notes] = process.argv.slice(2);
const fd = openSync(notes, 'a');
const workflows = flow();
const carillon = await openCarillon({ store, concurrency: 1000, archetypes: [workflows] });
carillon.handle('tick', ({ schedule, scheduledAt, id, input }) => {
  writeSync(fd, `${JSON.stringify({ schedule, slot: scheduledAt, id, at: Date.now(), input })}\n`);
});
carillon.handle('broken', () => {
  throw new Error('on purpose');
});
carillon.handle('long', async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
});
const server = await startServer({ carillon, flow: workflows, port: 0, drainMs: 100 });
process.send?.(server.url);
