/** Carillon mounted in a program's own HTTP server, by a listener of requests and by `fetch`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import type { MountedCarillon, MountOptions } from '../../packages/server/src/server/mount.ts';
import { mountCarillon } from '../../packages/server/src/server/mount.ts';

const users: NonNullable<MountOptions['authenticate']> = async ({ headers }) => {
  const name = headers['x-user'];
  if (typeof name !== 'string') return null;
  return { actor: name, role: name === 'ada' ? 'admin' : 'viewer' };
};

async function mount(options: Partial<MountOptions> = {}): Promise<MountedCarillon> {
  const carillon = await openCarillon('memory:');
  carillon.handle('work', () => 'done');
  await carillon.schedules.create('nightly', { cron: '0 2 * * *', zone: 'UTC', run: 'work' });
  return await mountCarillon({
    carillon,
    basePath: '/tools/carillon',
    authenticate: users,
    drainMs: 100,
    ...options,
  });
}

/** One way of serving a mount; `base` is the URL of the base path. */
interface Served extends AsyncDisposable {
  readonly base: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
}

async function listening(server: ReturnType<typeof createServer>, mounted: MountedCarillon): Promise<Served> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${mounted.basePath}`;
  return {
    base,
    ask: (path, init) => fetch(`${base}${path}`, { redirect: 'manual', ...init }),
    [Symbol.asyncDispose]: async () => {
      await mounted.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ways: Readonly<Record<string, (mounted: MountedCarillon) => Promise<Served>>> = {
  'a server of node:http': (mounted) => listening(createServer(mounted.handler), mounted),
  'Express, below its path, after a parser of bodies': (mounted) => {
    const app = express();
    app.use(express.json());
    app.use(mounted.basePath, mounted.handler);
    return listening(createServer(app), mounted);
  },
  'Express, as a middleware for all paths': (mounted) => {
    const app = express();
    app.use(mounted.handler);
    return listening(createServer(app), mounted);
  },
  fetch: async (mounted) => {
    const base = `http://example.test${mounted.basePath}`;
    return {
      base,
      ask: (path, init) => mounted.fetch(new Request(`${base}${path}`, init)),
      [Symbol.asyncDispose]: () => mounted.stop(),
    };
  },
};

const json = { 'content-type': 'application/json' };
const ada = { 'x-user': 'ada' };

describe.each(Object.entries(ways))('mounted in %s', (_, serve) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(await mount());
  });
  afterAll(async () => await served[Symbol.asyncDispose]());

  test('the API answers below the base path, and its addresses contain it', async () => {
    for (const path of ['/api/v1', '/api/v1/']) {
      const overview = (await (await served.ask(path, { headers: ada })).json()) as Record<string, string>;
      expect(overview['schedules']).toBe('/tools/carillon/api/v1/schedules');
    }
    const document = (await (await served.ask('/api/v1/openapi.json')).json()) as {
      servers: readonly { url: string }[];
    };
    expect(document.servers[0]?.url).toBe('/tools/carillon/api/v1');
    const made = await served.ask('/api/v1/schedules', {
      method: 'POST',
      headers: { ...ada, ...json },
      body: JSON.stringify({ id: 'made', every: '1h', run: 'work', memo: { ü: 'ö' } }),
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe('/tools/carillon/api/v1/schedules/made');
  });

  test('the page knows the path to itself', async () => {
    const root = await served.ask('/');
    expect([root.status, root.headers.get('location')]).toEqual([302, '/tools/carillon/ui/']);
    const page = await (await served.ask('/ui/default/schedules')).text();
    expect(page).toMatch(/<base href="\/tools\/carillon\/ui\/" ?\/?>|The page is not built/);
  });

  test('the program says who calls, and what the caller may do', async () => {
    const pause = (headers: Record<string, string>) =>
      served.ask('/api/v1/schedules/nightly:pause', {
        method: 'POST',
        headers: { ...headers, ...json },
        body: JSON.stringify({ note: 'audit' }),
      });
    const unknown = await pause({});
    expect(unknown.status).toBe(401);
    expect(await unknown.json()).toMatchObject({ error: { reason: 'CALLER_UNKNOWN' } });
    expect((await pause({ 'x-user': 'bob' })).status).toBe(403);
    expect((await pause(ada)).status).toBe(200);
    const { paused } = (await (
      await served.ask('/api/v1/schedules/nightly', { headers: { 'x-user': 'bob' } })
    ).json()) as { paused: unknown };
    expect(paused).toMatchObject({ by: 'ada', note: 'audit' });
  });

  test('a page of another site changes nothing, even with the session of a user', async () => {
    const foreign = await served.ask('/api/v1/schedules/nightly:trigger', {
      method: 'POST',
      headers: { ...ada, ...json, origin: 'https://elsewhere.example' },
      body: '{}',
    });
    expect(foreign.status).toBe(403);
  });

  test('live events arrive while they happen, and their end is noticed', async () => {
    const ending = new AbortController();
    const events = await served.ask('/api/v1/events?type=edited', { headers: ada, signal: ending.signal });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await served.ask('/api/v1/schedules/nightly:trigger', {
      method: 'POST',
      headers: { ...ada, ...json },
      body: '{}',
    });
    let text = '';
    while (!text.includes('event: edited')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain('nightly');
    await reader?.cancel();
    ending.abort();
  });

  test('what is not there is said in the words of the API', async () => {
    const answer = await served.ask('/nothing', { headers: ada });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('/tools/carillon/api/v1') },
    });
  });
});

test('the client and API keys work through a mount', async () => {
  const key = 'crl_for-a-test-only';
  const keys = [{ name: 'deploys', hash: hashKey(key), role: 'operator' as const }];
  const mounted = await mount({ keys });
  await using served = await listening(createServer(mounted.handler), mounted);
  const { schedules } = new CarillonClient({ url: served.base, key });
  await schedules.pause('nightly', { note: 'deploying' });
  expect((await schedules.describe('nightly')).paused).toMatchObject({ by: 'deploys' });
  // Users of the program need no key.
  expect((await served.ask('/api/v1/schedules', { headers: ada })).status).toBe(200);
});

test('what is not below the base path is left to the program', async () => {
  const mounted = await mount();
  const app = express();
  app.use(mounted.handler);
  app.get('/tools/carillonist', (_request, response) => void response.send('the program'));
  await using served = await listening(createServer(app), mounted);
  const answer = await fetch(new URL('/tools/carillonist', served.base));
  expect(await answer.text()).toBe('the program');
});

test('open streams do not hold up the end', async () => {
  const mounted = await mount({ drainMs: 60_000 });
  const events = await mounted.fetch(
    new Request('http://example.test/tools/carillon/api/v1/events', { headers: ada }),
  );
  await mounted.stop();
  for await (const _ of events.body ?? []);
});

test.each([
  ['without anything that tells callers apart', {}, 'PUBLIC_WITHOUT_AUTHENTICATION'],
  ['under a path with parameters', { authenticate: users, basePath: '/a/:b' }, 'BAD_PATH'],
  ['under a path without a slash', { authenticate: users, basePath: 'carillon' }, 'BAD_PATH'],
])('is refused %s', async (_, options, reason) => {
  await using carillon = await openCarillon('memory:');
  await expect(mountCarillon({ carillon, ...options })).rejects.toMatchObject({ problems: [{ reason }] });
});
