// A node for bench/cluster.mjs. Arguments: store URL, name.
import { openCarillon } from '../dist/main.js';

const [url, name] = process.argv.slice(2);
const carillon = await openCarillon({ store: url, name, concurrency: 20_000 });
carillon.handle('tick', () => null);
await carillon.start();
process.on('SIGTERM', async () => {
  await carillon.stop();
  process.exit(0);
});
process.stdout.write('ready\n');
