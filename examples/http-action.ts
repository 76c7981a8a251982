/**
 * A schedule that asks a web service for its work. The service checks our signature, is busy at first, then accepts the
 * work and calls back when it is done.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Instant } from 'carillon';
import { callbackHandler, isSigned, openCarillon } from 'carillon';

// The Carillon side: one server that receives callbacks. In production it is yours, reachable from the service.
const callbacks = createServer((request, response) => void receive(request, response));
const callbackUrl = `${await listen(callbacks)}/callbacks`;

const carillon = await openCarillon({
  store: 'memory:',
  callbackSecret: 'the same long text in every process',
  http: { callbackUrl },
  secrets: (name) => (name === 'HOOK_SECRET' ? 'known to both sides' : undefined),
});
const receive = callbackHandler(carillon);

let told = () => {};
const reported = new Promise<void>((resolve) => {
  told = resolve;
});

// The target: a web service. It answers 503 once, then 202, and reports the end a little later.
const service = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const signature = String(request.headers['carillon-signature']);
  const ours = isSigned({ secret: 'known to both sides', body, signature, now: Date.now() as Instant });
  const { attempt, input, callback } = JSON.parse(body);
  console.log(`service: attempt ${attempt}, signed by a friend: ${ours}, input ${JSON.stringify(input)}`);
  response.writeHead(attempt === 1 ? 503 : 202).end();
  if (attempt === 1) return;
  setTimeout(async () => {
    const done = await fetch(callback.url, {
      method: 'POST',
      body: JSON.stringify({ result: { rows: 42 } }),
    });
    const again = await fetch(callback.url, { method: 'POST', body: JSON.stringify({ result: 'twice' }) });
    console.log(`service: called back (${done.status}), and once more in vain (${again.status})`);
    told();
  }, 100);
});

await carillon.schedules.create('import', {
  http: {
    url: `${await listen(service)}/import`,
    secret: 'HOOK_SECRET',
    // This service is on our own machine; elsewhere leave it out, and private addresses stay out of reach.
    allowPrivate: true,
  },
  input: { table: 'orders' },
  retry: { attempts: 10, initial: '200ms' },
});
const finished = new Promise<void>((resolve) => {
  carillon.subscribe((event) => {
    if (event.type === 'finished') resolve();
  });
});
await carillon.start();
await carillon.schedules.trigger('import');
await finished;

const { items } = await carillon.runs.list({ limit: 1, include: 'payloads' });
console.log(
  `run: ${items[0]?.outcome} in attempt ${items[0]?.attempt}, result ${JSON.stringify(items[0]?.result)}`,
);
await reported;
await carillon.stop();
service.close();
callbacks.close();

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
