/** A server in its own process, to be killed. Arguments: file, port. Prints its address when it is ready. */
import { openCarillon } from '../../../../packages/carillon/src/main.ts';
import { startServer } from '../../../../packages/server/src/server/server.ts';

const [file = '', port = '0'] = process.argv.slice(2);
const carillon = await openCarillon({ store: `sqlite:${file}` });
carillon.handle('work', () => 'done');
const server = await startServer({ carillon, port: 0, grpc: { port: Number(port) } });
process.stdout.write(`${server.grpc?.address}\n`);
