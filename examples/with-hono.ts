/** Carillon inside a Hono application, by `fetch`: Hono's own requests and responses, live events included. */
import { mountCarillon } from '@carillon/server';
import { openCarillon } from 'carillon';
import { Hono } from 'hono';

const carillon = await openCarillon('memory:');
carillon.handle('report', () => 'written');
await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });

const mounted = await mountCarillon({
  carillon,
  basePath: '/carillon',
  authenticate: ({ headers }) => (headers['x-user'] === 'ada' ? { actor: 'ada', role: 'operator' } : null),
});

const app = new Hono();
app.get('/', (c) => c.text('my application'));
app.all('/carillon', (c) => mounted.fetch(c.req.raw));
app.all('/carillon/*', (c) => mounted.fetch(c.req.raw));

// With Node, serve it with `serve(app)` of @hono/node-server. A Hono application can also be asked without a port:
const headers = { 'x-user': 'ada', 'content-type': 'application/json' };
const events = await app.request('/carillon/api/v1/events', { headers });
const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
const paused = await app.request('/carillon/api/v1/schedules/nightly:pause', {
  method: 'POST',
  headers,
  body: JSON.stringify({ note: 'audit' }),
});
console.log(`paused: ${paused.status}`);
for (let text = ''; !text.includes('event: edited'); ) text += (await reader?.read())?.value ?? '';
console.log('a live event tells of it');
await reader?.cancel();
console.log(`the page: ${(await app.request('/carillon/ui/')).status}`);
console.log(`a stranger: ${(await app.request('/carillon/api/v1/schedules')).status}`);
await mounted.stop();
