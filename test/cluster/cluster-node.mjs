// One node of a cluster, until it is killed. Arguments: store URL, name, schedules to create, skew of its clock in ms.
import { setTimeout as sleep } from 'node:timers/promises';

const [url, name, count, skew] = process.argv.slice(2);
const { now } = Date;
Date.now = () => now() + Number(skew);
const { openCarillon } = await import('../../packages/carillon/dist/main.js');

const carillon = await openCarillon({
  store: url,
  name,
  concurrency: 5000,
  // The chaos run restarts the database, so its errors are not reported.
  onTrouble: () => {},
});
// Long enough that a kill meets runs under way, which others must take over.
carillon.handle('tick', async ({ scheduledAt }) => {
  await sleep(200);
  return scheduledAt;
});
const some = 100;
for (let from = 0; from < Number(count); from += some) {
  const ids = Array.from({ length: Math.min(some, Number(count) - from) }, (_, index) => from + index);
  await Promise.all(
    ids.map((id) =>
      carillon.schedules.create(
        `every-second-${String(id).padStart(5, '0')}`,
        { cron: '* * * * * *', run: 'tick', overlap: 'allowAll', catchup: '1h' },
        { requestId: `create-${id}` },
      ),
    ),
  );
}
await carillon.start();
process.on('SIGTERM', async () => {
  await carillon.stop();
  process.exit(0);
});
process.stdout.write('ready\n');
