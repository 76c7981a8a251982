import { request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { WriteProof } from '../../packages/carillon/src/service/write-proof.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { isLoopback } from '../../packages/server/src/server/bind.ts';
import { openLog } from '../../packages/server/src/server/log.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return ServiceError.from(error).reason;
  }
}

/** A request with any Host, which fetch does not allow. */
async function statusFor(url: string, host: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    request(`${url}/api/v1/about`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('where a server listens', () => {
  test('a public bind without authentication is refused before anything is opened', async () => {
    await using carillon = await openCarillon('memory:');
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
      expect(await reasonOf(startServer({ carillon, host, port: 0 }))).toBe('PUBLIC_WITHOUT_AUTHENTICATION');
    }
  });

  test('loopback addresses are recognised', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '127.0.0.1.example.com', '128.0.0.1', ''].some(isLoopback)).toBe(false);
  });

  test('a busy port fails precisely, or moves to the next one when asked to', async () => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as { port: number };
    try {
      const carillon = await openCarillon('memory:');
      expect(await reasonOf(startServer({ carillon, port }))).toBe('PORT_BUSY');
      await using moved = await DoorStage.open({ port, whenBusy: 'next' });
      expect(moved.server.port).toBeGreaterThan(port);
      expect((await moved.raw('/healthz')).body).toEqual({ status: 'ok' });
    } finally {
      busy.close();
    }
  });

  test('a foreign name for this machine is not answered', async () => {
    await using stage = await DoorStage.open();
    const { url, port } = stage.server;
    expect(await statusFor(url, 'evil.example')).toBe(403);
    expect(await statusFor(url, `localhost:${port}`)).toBe(200);
    expect(await statusFor(url, `[::1]:${port}`)).toBe(200);
  });
});

describe('the life of a server', () => {
  test('health and readiness, and stopping twice', async () => {
    const stage = await DoorStage.open();
    expect((await stage.raw('/healthz')).status).toBe(200);
    expect((await stage.raw('/readyz')).body).toEqual({ status: 'ready' });
    await Promise.all([stage.server.stop(), stage.server.stop()]);
    await expect(stage.raw('/healthz')).rejects.toThrow();
  });

  test('each request is one line of log with its id, operation and actor', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = openLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
    {
      await using stage = await DoorStage.open({ log });
      await stage.call('/about', { headers: { 'x-request-id': 'r-1', 'carillon-actor': 'ada' } });
    }
    const seen = lines.filter(({ requestId }) => requestId === 'r-1');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      level: 'info',
      operation: 'about',
      actor: 'ada',
      status: 200,
      method: 'GET',
    });
  });

  test('internal errors are written to the log and not sent to the caller', async () => {
    const lines: string[] = [];
    const log = openLog({ level: 'error', write: (line) => lines.push(line) });
    await using stage = await DoorStage.open({
      log,
      doors: [
        {
          paths: ['/broken'],
          routes: async (app) => {
            app.get('/broken', async () => {
              throw new Error('the secret is 42');
            });
          },
        },
      ],
    });
    const { status, body } = await stage.raw('/broken');
    expect([status, body.error.reason]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(body)).not.toContain('42');
    expect(lines.join('')).toContain('the secret is 42');
  });

  test('is not ready while its store answers but takes no writes', async () => {
    const store = new MemoryStore({ clock: new SystemClock() });
    await using stage = await DoorStage.open({}, { store });
    const ready = async () => (await stage.raw('/readyz')).status;
    expect(await ready()).toBe(200);
    const transact = store.transact.bind(store);
    store.transact = () => Promise.reject(new StoreError('unavailable', 'the disk is full'));
    // The last proof holds for a second.
    await until(async () => (await ready()) === 503);
    expect((await stage.call('/schedules')).status).toBe(200);
    expect((await stage.create('s')).status).toBe(503);
    store.transact = transact;
    await until(async () => (await ready()) === 200);
  });

  test('asked often whether it is ready, it writes at most once a second', async () => {
    const store = new MemoryStore({ clock: new SystemClock() });
    const clock = new VirtualClock(instant(1_000_000));
    let writes = 0;
    const transact = store.transact.bind(store);
    store.transact = (selection, decider) => {
      writes += 1;
      return transact(selection, decider);
    };
    const proof = new WriteProof({ store, clock, newId: () => 'a' });
    await Promise.all(Array.from({ length: 100 }, () => proof.demand()));
    for (let asked = 0; asked < 100; asked += 1) await proof.demand();
    expect(writes).toBe(1);
    clock.moveTo(instant(1_001_000));
    await proof.demand();
    expect(writes).toBe(2);
  });

  test('a request under way at the end is answered, and a running handler finishes', async () => {
    const carillon = await openCarillon('memory:');
    let finished = false;
    let began: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    let finish: () => void = () => {};
    const finishing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    carillon.handle('slow', async () => {
      began();
      await finishing;
      finished = true;
    });
    const server = await startServer({ carillon, port: 0, drainMs: 5000 });
    await fetch(`${server.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"run":"slow"}',
    });
    await beginning;
    const stopped = server.stop();
    finish();
    await stopped;
    expect(finished).toBe(true);
  });
});
