/**
 * Thousands of malformed requests over real sockets: the server answers each with a status that says whose fault it was,
 * keeps running, and has written nothing that it refused.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { DoorStage } from './door-stage.ts';

const rounds = Number(process.env.FUZZ_ROUNDS ?? 3000);
const seed = Number(process.env.FUZZ_SEED ?? 20261116);

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => await stage.server.stop());

const words = [
  '',
  'a',
  'schedules',
  'runs',
  '..',
  '%00',
  '%',
  '%zz',
  '%2F',
  '%C3%28',
  'ü',
  '🦊',
  "'; DROP TABLE runs; --",
  'x'.repeat(300),
  ':pause',
  ':',
  'a:b:c',
  '__proto__',
  'constructor',
  'namespaces',
  '\\',
  '?',
  ';',
  '&',
  '=',
  '[]',
  'null',
  'NaN',
  '-1',
  '1e999',
  '99999999999999999999',
  '2026-02-30T99:99:99Z',
  '\u0000',
  '<script>',
  '../../etc/passwd',
];
const fields = [
  'id',
  'cron',
  'every',
  'at',
  'rrule',
  'spec',
  'zone',
  'dst',
  'run',
  'http',
  'command',
  'input',
  'queue',
  'priority',
  'retry',
  'timeout',
  'overlap',
  'limit',
  'catchup',
  'missed',
  'remaining',
  'paused',
  'note',
  'tags',
  'memo',
  'attributes',
  'startAt',
  'endAt',
  'jitter',
  'excludeDates',
  'from',
  'to',
  'until',
  'scheduledAt',
  '__proto__',
  'toString',
];
const headers = [
  'content-type',
  'content-length',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'carillon-namespace',
  'carillon-actor',
  'x-request-id',
  'authorization',
  'origin',
  'expect',
  'transfer-encoding',
  'accept',
  'last-event-id',
  'connection',
];
const paths = [
  '/schedules',
  '/schedules/a',
  '/schedules/a:pause',
  '/schedules/a:resume',
  '/schedules/a:trigger',
  '/schedules/a:backfill',
  '/schedules/a:release',
  '/schedules/a/next',
  '/schedules/a/why',
  '/schedules/a/slots',
  '/schedules/a/runs',
  '/schedules/a/audit',
  '/schedules/a/backfills/1',
  '/schedules/a/backfills/preview',
  '/runs',
  '/runs/a',
  '/runs/a:cancel',
  '/runs/a:terminate',
  '/about',
];

function value(random: SeededRandom, depth = 0): unknown {
  switch (random.integer(0, depth > 3 ? 6 : 8)) {
    case 0:
      return random.pick(words);
    case 1:
      return random.pick([0, -1, 1, 1.5, 1e308, -1e308, 2 ** 53, 5e-324, 1e15]);
    case 2:
      return random.chance(0.5);
    case 3:
      return null;
    case 4:
      return random.pick([
        '1h',
        '15m',
        '0 9 * * *',
        '* * * * *',
        '0 0 30 2 *',
        'Europe/Berlin',
        'work',
        'skip',
        '2026-01-01T00:00:00Z',
        'FREQ=DAILY',
        '1ms',
        '99999999d',
      ]);
    case 5:
      return 'y'.repeat(random.integer(0, 3000));
    case 6:
      return [];
    case 7:
      return Array.from({ length: random.integer(0, 4) }, () => value(random, depth + 1));
    default:
      return object(random, depth + 1);
  }
}

function object(random: SeededRandom, depth = 0): object {
  const entries = Array.from(
    { length: random.integer(0, 6) },
    () => [random.pick(fields), value(random, depth)] as const,
  );
  return Object.fromEntries(entries);
}

function body(random: SeededRandom): string {
  switch (random.integer(0, 12)) {
    case 0:
      return JSON.stringify(object(random)).slice(0, random.integer(0, 40));
    case 1:
      return '['.repeat(random.integer(1, 50_000));
    case 2:
      return `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    case 3:
      return JSON.stringify({
        id: 'deep',
        every: '1h',
        run: 'work',
        input: JSON.parse(`${'['.repeat(4000)}${']'.repeat(4000)}`),
      });
    case 4:
      return JSON.stringify({ id: random.pick(words), every: '1h', run: 'work', ...object(random) });
    case 5:
      return random.pick(['', 'null', '1', '"x"', '[]', '\u0000', '\ufeff{}', '{}{}', 'undefined']);
    case 6:
      return JSON.stringify(object(random));
    default:
      // Requests with a single fault, so that they pass the first checks.
      return JSON.stringify({
        ...(random.chance(0.5) ? { id: `near-${random.integer(0, 99)}` } : {}),
        every: '1h',
        run: 'work',
        [random.pick(fields)]: value(random),
      });
  }
}

test(`answers ${rounds} malformed requests (seed ${seed}), lives, and writes nothing it refused`, async () => {
  const random = new SeededRandom(seed);
  const statuses = new Map<number, number>();
  const one = async () => {
    const plausible = random.pick([
      'POST /schedules',
      'PUT /schedules/a',
      'PATCH /schedules/a',
      'POST /runs',
    ]);
    const [method, path] = random.chance(0.5)
      ? (plausible.split(' ') as [string, string])
      : [
          random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
          random.chance(0.6) ? random.pick(paths) : `/${random.pick(words)}/${random.pick(words)}`,
        ];
    const query = random.chance(0.4)
      ? `?${random.pick(['limit', 'after', 'at', 'from', 'state', 'tag', 'zzz', 'nextFrom', 'attribute'])}=${encodeURIComponent(random.pick(words))}`
      : '';
    const url = `${stage.server.url}/api/v1${encodeURI(path).replaceAll('%25', '%')}${query}`;
    const sent = method === 'GET' ? undefined : body(random);
    const given: Record<string, string> = {
      'content-type': random.chance(0.9) ? 'application/json' : 'text/xml',
    };
    if (random.chance(0.2))
      given[
        random.pick([
          'if-match',
          'if-none-match',
          'idempotency-key',
          'carillon-namespace',
          'x-request-id',
          'origin',
        ])
      ] = random.pick(['*', '"1"', 'x', 'y'.repeat(500), '"', 'https://a.b']);
    const response = await fetch(url, {
      method,
      headers: given,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 500)
      throw new Error(`${response.status} for ${method} ${url} ${sent?.slice(0, 500)}: ${text}`);
    if (response.status >= 400 && method !== 'HEAD')
      expect(JSON.parse(text).error.reason).toMatch(/^[A-Z_]+$/);
    // A refused schedule was not stored.
    if (response.status === 400 && method === 'POST' && path === '/schedules') {
      const id = /"id":"([\w-]{1,40})"/.exec(sent ?? '')?.[1];
      if (id !== undefined && !accepted.has(id))
        expect((await stage.call(`/schedules/${id}`)).status).toBe(404);
    } else if (response.ok && method !== 'GET') {
      for (const match of `${path} ${sent ?? ''}`.matchAll(/"id":"([\w-]+)"|\/schedules\/([\w-]+)/g))
        accepted.add(match[1] ?? match[2] ?? '');
    }
  };
  const accepted = new Set<string>();
  for (let round = 0; round < rounds; round += 1) await one();
  console.log('statuses', Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  expect((await stage.raw('/readyz')).status).toBe(200);
  // Everything that was stored can be read back completely.
  const { status, body: listed } = await stage.call('/schedules?limit=1000&includeClosed=true');
  expect(status).toBe(200);
  for (const { id } of listed.items) {
    if (id === '.' || id === '..') continue;
    expect((await stage.call(`/schedules/${encodeURIComponent(id)}`)).status).toBe(200);
  }
});

test('raw nonsense on the socket is answered or dropped, never fatal', async () => {
  const random = new SeededRandom(seed + 1);
  const { port } = stage.server;
  const line = () => {
    const path = random.pick([...paths, '/', '*', 'http://x/', '//', '/%', '']);
    return `${random.pick(['GET', 'POST', 'BREW', 'get', '\u0000', 'CONNECT', 'TRACE'])} /api/v1${path} HTTP/${random.pick(['1.1', '1.0', '9.9', ''])}`;
  };
  const header = () =>
    `${random.pick([...headers, 'a b', ''])}: ${random.pick(['chunked', '-1', '99999999999', 'x'.repeat(20_000), 'ü', '\u0000', 'close', '100-continue', 'application/json'])}`;
  for (let round = 0; round < 500; round += 1) {
    const lines = [
      line(),
      'host: 127.0.0.1',
      ...Array.from({ length: random.integer(0, 3) }, header),
      '',
      random.chance(0.5) ? '{' : '',
    ];
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.end(lines.join(random.chance(0.9) ? '\r\n' : '\n')),
      );
      socket.setTimeout(5000, () => socket.destroy());
      socket.on('data', () => {});
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }
  expect((await stage.raw('/healthz')).status).toBe(200);
});
