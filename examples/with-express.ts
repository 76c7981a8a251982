/**
 * Carillon inside an Express application: its API and its page under /admin/carillon. What earlier middleware has found out
 * about the user decides what the user may do.
 */
import type { AddressInfo } from 'node:net';
import { mountCarillon } from '@carillon/server';
import { openCarillon } from 'carillon';
import express from 'express';

interface User {
  readonly name: string;
  readonly isAdmin: boolean;
}

const carillon = await openCarillon('memory:');
carillon.handle('report', () => 'written');
await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });

const mounted = await mountCarillon({
  carillon,
  basePath: '/admin/carillon',
  authenticate: ({ raw }) => {
    const { user } = raw as { readonly user?: User };
    return user === undefined ? null : { actor: user.name, role: user.isAdmin ? 'admin' : 'viewer' };
  },
});

const app = express();
app.use(express.json()); // bodies that were parsed before are understood
app.use((request, _response, next) => {
  // In place of your session: passport, a signed cookie, a header of your proxy.
  const name = request.get('x-user');
  if (name !== undefined) Object.assign(request, { user: { name, isAdmin: name === 'ada' } satisfies User });
  next();
});
app.use(mounted.basePath, mounted.handler);
app.get('/', (_request, response) => void response.send('my application'));
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const pause = (user: string) =>
  fetch(`${url}/admin/carillon/api/v1/schedules/nightly:pause`, {
    method: 'POST',
    headers: { 'x-user': user, 'content-type': 'application/json' },
    body: JSON.stringify({ note: 'audit' }),
  });
console.log(`bob may not: ${(await pause('bob')).status}; ada may: ${(await pause('ada')).status}`);
const { paused } = await carillon.schedules.describe('nightly');
console.log(`paused by ${paused?.by}: ${paused?.note}`);
console.log(`the page: ${(await fetch(`${url}/admin/carillon/ui/`)).status}`);
await mounted.stop();
server.closeAllConnections();
server.close();
