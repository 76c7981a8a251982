/** A server with its Temporal door in a process of its own, until it is killed. Arguments: the file of its store, the port of the door. */
import { openCarillon } from '../../../packages/carillon/src/main.ts';
import { startServer } from '../../../packages/server/src/server/server.ts';

const [file = '', port = '0'] = process.argv.slice(2);
const carillon = await openCarillon({ store: `sqlite:${file}` });
const server = await startServer({ carillon, port: 0, grpc: { port: Number(port) }, page: false });
process.on('disconnect', () => process.exit(0));
process.send?.({ port: server.grpc?.port, url: server.url });
