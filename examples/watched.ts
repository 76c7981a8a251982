/**
 * A program for `tsx watch`: it ends well when it is told to, so that the next one goes on where this one stopped. Here it tells
 * itself; without the last line it goes on.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openCarillon } from 'carillon';

const carillon = await openCarillon(`sqlite:${mkdtempSync(`${tmpdir()}/watched-`)}/carillon.db`);
const greeted = new Promise<void>((resolve) => {
  carillon.handle('hello', ({ scheduledAt }) => {
    console.log(`hello, due at ${new Date(scheduledAt).toISOString()}`);
    resolve();
  });
});
await carillon.schedules.upsert('greeting', { every: '1s', run: 'hello' });
await carillon.start();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void carillon.stop());

await greeted;
process.once('exit', () => console.log('ended well'));
process.kill(process.pid, 'SIGTERM');
