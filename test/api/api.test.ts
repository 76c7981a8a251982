import { afterAll, beforeAll } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { createHost } from '../../packages/carillon/src/embed/host.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import type { Server } from '../../packages/server/src/server/server.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { exerciseApi } from './exercise-api.ts';
import { exerciseHosts, keep, pay } from './exercise-hosts.ts';

async function openWithHandlers(): Promise<Carillon> {
  const carillon = await openCarillon({ store: 'memory:', onWarning: () => {} });
  carillon.handle('echo', ({ input }) => input);
  carillon.handle('fail', ({ log, input }) => {
    log('trying', input);
    throw new Error('no luck', { cause: new Error('the deeper reason') });
  });
  carillon.handle('hang', async ({ signal }) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  createHost({ carillon, workflows: [pay, keep] });
  return carillon;
}

let embedded: Carillon;
let server: Server;
beforeAll(async () => {
  embedded = await openWithHandlers();
  await embedded.start();
  server = await startServer({ port: 0, drainMs: 500, carillon: await openWithHandlers() });
});
afterAll(async () => {
  await embedded.stop();
  await server.stop();
});

exerciseApi('embedded', () => embedded);
exerciseApi('over HTTP', () => new CarillonClient({ url: server.url }));
exerciseHosts('hosts, embedded', () => embedded.hosts);
exerciseHosts('hosts, over HTTP', () => new CarillonClient({ url: server.url }).hosts);
