// A node for bench/cluster.mjs. Arguments: store URL, name. Prints at its end the CPU time that it used since it was ready.
import { openCarillon } from '../packages/carillon/dist/main.js';

const [url, name] = process.argv.slice(2);
const carillon = await openCarillon({ store: url, name, concurrency: 20_000 });
carillon.handle('tick', () => null);
await carillon.start();
const atStart = process.cpuUsage();
process.on('SIGTERM', async () => {
  const { user, system } = process.cpuUsage(atStart);
  process.stdout.write(`${user + system}\n`);
  await carillon.stop();
  process.exit(0);
});
process.stdout.write('ready\n');
