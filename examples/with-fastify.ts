/**
 * Carillon inside a Fastify application: its API and its page under /carillon, for people whom the application knows. Then a
 * request as a browser sends it.
 */
import { mountCarillon } from '@carillon/server';
import { openCarillon } from 'carillon';
import { fastify } from 'fastify';

const carillon = await openCarillon('memory:');
carillon.handle('report', () => 'written');
await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });

const mounted = await mountCarillon({
  carillon,
  basePath: '/carillon',
  // Your sessions decide who calls and what the caller may do.
  authenticate: ({ headers }) =>
    headers.cookie === 'session=ada' ? { actor: 'ada', role: 'operator' } : null,
});

const app = fastify();
app.get('/', () => 'my application');
await app.register(
  async (scope) => {
    // Carillon reads the bodies of its requests itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('*', (request, reply) => {
      reply.hijack();
      mounted.handler(request.raw, reply.raw);
    });
  },
  { prefix: mounted.basePath },
);
app.addHook('preClose', async () => await mounted.stop());
const url = await app.listen({ port: 0 });

const headers = { cookie: 'session=ada', 'content-type': 'application/json' };
const note = JSON.stringify({ note: 'audit' });
await fetch(`${url}/carillon/api/v1/schedules/nightly:pause`, { method: 'POST', headers, body: note });
const { paused } = await carillon.schedules.describe('nightly');
console.log(`paused by ${paused?.by}: ${paused?.note}`);
const page = await fetch(`${url}/carillon/`);
console.log(`the page is at ${new URL(page.url).pathname}: ${page.status}`);
const stranger = await fetch(`${url}/carillon/api/v1/schedules`);
console.log(`without a session: ${stranger.status}; beside it: ${await (await fetch(url)).text()}`);
await app.close();
