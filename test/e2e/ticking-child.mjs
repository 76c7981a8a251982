// A process that keeps schedules firing every second until it is killed. Arguments: file, schedules.
import { openCarillon } from '../../packages/carillon/dist/main.js';

const [file, count] = process.argv.slice(2);
const carillon = await openCarillon({ store: `sqlite:${file}`, concurrency: 1000 });
const begun = Date.now();
/** Schedules that have reached what is due since this process began: all of the past is behind them. */
const current = new Set();
carillon.handle('tick', ({ schedule, scheduledAt }) => {
  if (scheduledAt >= begun && current.size < Number(count)) {
    current.add(schedule);
    if (current.size === Number(count)) process.stdout.write('current\n');
  }
  return scheduledAt;
});
for (let index = 0; index < Number(count); index += 1) {
  try {
    await carillon.schedules.create(
      `every-second-${index}`,
      { cron: '* * * * * *', run: 'tick', overlap: 'allowAll', catchup: '1h' },
      { requestId: `create-${index}` },
    );
  } catch (error) {
    if (error.reason !== 'ALREADY_EXISTS') throw error;
  }
}
await carillon.start();
process.on('SIGTERM', async () => {
  await carillon.stop();
  process.exit(0);
});
process.stdout.write('ready\n');
