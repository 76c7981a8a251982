/** Carillon in your own process, on one SQLite file: says hello every second, and stops after the third time. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openCarillon } from 'carillon';

const carillon = await openCarillon(`sqlite:${mkdtempSync(`${tmpdir()}/hello-`)}/carillon.db`);
carillon.handle('hello', ({ scheduledAt, lastResult }) => {
  const count = Number(lastResult) + 1; // what the run before returned; null for the first
  console.log(`hello number ${count}, due at ${new Date(scheduledAt).toISOString()}`);
  if (count === 3) void carillon.stop();
  return count;
});
await carillon.schedules.upsert('greeting', { every: '1s', run: 'hello' });
await carillon.start();
