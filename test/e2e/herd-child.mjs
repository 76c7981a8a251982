// A herd every ten seconds on a SQLite file: notes every handler as it begins. Arguments: file, notes, schedules to create.
import { openSync, writeSync } from 'node:fs';
import { openCarillon } from '../../packages/carillon/dist/main.js';

const [file, notes, count] = process.argv.slice(2);
const fd = openSync(notes, 'a');
const carillon = await openCarillon({ store: `sqlite:${file}`, concurrency: 10_000 });
carillon.handle('tick', ({ schedule, scheduledAt }) => void writeSync(fd, `${schedule} ${scheduledAt}\n`));
const ids = Array.from({ length: Number(count) }, (_, index) => `s${index}`);
await Promise.all(
  ids.map((id) => carillon.schedules.create(id, { every: '10s', overlap: 'allowAll', run: 'tick' })),
);
await carillon.start();
process.send?.('ready');
