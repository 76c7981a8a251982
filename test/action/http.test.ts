import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  AddressRefused,
  lookupThrough,
  resolveChecked,
} from '../../packages/carillon/src/action/guarded-lookup.ts';
import { isSigned } from '../../packages/carillon/src/action/signature.ts';
import { plainDuration } from '../../packages/carillon/src/base/duration.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { until } from '../support/until.ts';
import { aCarillon, aTarget, aWorld, failureIn, hangs, lastRun, runOf, untilRun } from './stage.ts';
import type { Asked } from './target.ts';
import { answering, closedPort } from './target.ts';

const local = { allowPrivate: true };
/** Quick enough for real time. */
const quick = { attempts: 10, initial: 1, longest: 2 };

describe('a request', () => {
  test('asks with an envelope, and its answer is the result', async () => {
    const target = await aTarget(answering(200, { done: 7 }));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', {
      http: { url: `${target.url}?a=1`, ...local },
      input: { n: 1 },
    });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'completed', result: '{"done":7}', queue: '@http', name: 'http' });
    const [asked] = target.asked;
    const scheduledAt = asked?.headers['carillon-scheduled-at'];
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/hook?a=1',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': run.id,
        'carillon-run-id': run.id,
        'carillon-attempt': '1',
      },
    });
    expect(asked?.headers).not.toHaveProperty('carillon-signature');
    expect(asked?.headers).not.toHaveProperty('carillon-callback-url');
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      schedule: 'hook',
      namespace: 'default',
      runId: run.id,
      attempt: 1,
      scheduledAt,
      input: { n: 1 },
    });
    expect(scheduledAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    // The next run is told what this one returned, over the same connection.
    await carillon.schedules.trigger('hook');
    await target.until(2);
    expect(JSON.parse(target.asked[1]?.body ?? '')).toMatchObject({ lastResult: { done: 7 } });
    expect(target.connections).toBe(1);
  });

  test('is due by itself when its schedule is', async () => {
    const target = await aTarget(answering(204));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { every: '1s', http: { url: target.url, ...local } });
    const run = await untilRun(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'completed', result: 'null' });
  });

  test.each([
    ['a text', 'plain words', 'plain words', 'text/plain; charset=utf-8'],
    ['JSON', { a: [1] }, '{"a":[1]}', 'application/json'],
  ])('has the body it was given: %s', async (_, body, sent, type) => {
    const target = await aTarget(answering(200, 'thanks', { 'content-type': 'text/plain' }));
    const carillon = await aCarillon();
    const http = { url: target.url, method: 'PUT', headers: { 'X-Mine': 'yes' }, body, ...local } as const;
    await carillon.schedules.create('hook', { http });
    expect(await runOf(carillon, 'hook')).toMatchObject({ outcome: 'completed', result: '"thanks"' });
    expect(target.asked[0]).toMatchObject({ method: 'PUT', body: sent });
    expect(target.asked[0]?.headers).toMatchObject({ 'content-type': type, 'x-mine': 'yes' });
  });

  test('has no body when it is a GET', async () => {
    const target = await aTarget(answering(200, 'not json', { 'content-type': 'application/json' }));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, method: 'GET', ...local } });
    expect(await runOf(carillon, 'hook')).toMatchObject({ outcome: 'completed', result: '"not json"' });
    expect(target.asked[0]).toMatchObject({ method: 'GET', body: '' });
    expect(target.asked[0]?.headers).not.toHaveProperty('content-type');
  });

  test('is signed with a secret that is stored nowhere', async () => {
    const target = await aTarget(answering(500, 'no'));
    const secret = 'whsec_never_to_be_seen';
    const asked: string[] = [];
    const carillon = await aCarillon({
      secrets: (name) => {
        asked.push(name);
        return name === 'HOOK_SECRET' ? secret : undefined;
      },
    });
    const http = { url: target.url, secret: 'HOOK_SECRET', ...local };
    await carillon.schedules.create('hook', { http, retry: { attempts: 1 } });
    const run = await runOf(carillon, 'hook');
    const { headers, body } = target.asked[0] as Asked;
    const signature = headers['carillon-signature'] as string;
    expect(isSigned({ secret, body, signature, now: Date.now() as Instant })).toBe(true);
    expect(asked).toEqual(['HOOK_SECRET']);
    const stored = JSON.stringify([
      run,
      (await carillon.schedules.slots('hook')).items,
      (await carillon.schedules.audit('hook')).items,
      await carillon.schedules.describe('hook'),
    ]);
    expect(stored).toContain('HOOK_SECRET');
    expect(stored).not.toContain(secret);
  });

  test('does not go out without its secret', async () => {
    const target = await aTarget();
    const carillon = await aCarillon({ secrets: () => undefined });
    const http = { url: target.url, secret: 'HOOK_SECRET', ...local };
    await carillon.schedules.create('hook', { http, retry: quick });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 10 });
    expect(failureIn(run)).toMatchObject({
      message: "the secret 'HOOK_SECRET' is not among the secrets of this process",
      startFailed: true,
    });
    expect(target.asked).toEqual([]);
  });
});

describe('what an answer means', () => {
  test('503 is tried again under the same key', async () => {
    const target = await aTarget((asked, response) => {
      response.writeHead(asked.headers['carillon-attempt'] === '3' ? 200 : 503).end();
    });
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local }, retry: quick });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'completed', attempt: 3 });
    expect(target.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([run.id, run.id, run.id]);
    expect(target.asked.map(({ body }) => JSON.parse(body).attempt)).toEqual([1, 2, 3]);
  });

  test.each([[429], [500], [502], [503], [504]])(
    '%i is tried ten times, and the work may have begun',
    async (status) => {
      const target = await aTarget(answering(status, 'busy'));
      const carillon = await aCarillon();
      const retry = { initial: 1, longest: 1 };
      await carillon.schedules.create('hook', { http: { url: `${target.url}?token=x`, ...local }, retry });
      const run = await runOf(carillon, 'hook');
      expect(run).toMatchObject({ outcome: 'failed', attempt: 10 });
      expect(failureIn(run)).toEqual({
        message: `POST ${target.url} answered ${status}: busy`,
        type: 'HttpStatus',
        details: { status },
      });
    },
  );

  test.each([[400], [401], [404], [409], [422]])('%i is not tried again', async (status) => {
    const target = await aTarget(answering(status, 'what?'));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toMatchObject({ nonRetryable: true });
    expect(failureIn(run)).not.toHaveProperty('startFailed');
    expect(target.asked).toHaveLength(1);
  });

  test.each([[301], [302], [307], [308]])('%i is not followed', async (status) => {
    const elsewhere = await aTarget();
    const target = await aTarget(answering(status, '', { location: elsewhere.url }));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run).message).toBe(`POST ${target.url} answered ${status}: redirects are not followed`);
    expect(elsewhere.asked).toEqual([]);
  });

  test('an answer in time counts, one that is late is tried again', async () => {
    const target = await aTarget((asked, response) => {
      if (asked.headers['carillon-attempt'] !== '1') response.end('"ok"');
    });
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', {
      http: { url: target.url, timeout: 200, ...local },
      // More than one, for a machine too busy to bring the second answer in time.
      retry: { ...quick, attempts: 50 },
    });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'completed', result: '"ok"' });
    expect(run.attempt).toBeGreaterThan(1);
  });

  test('a request that went out and was never answered may have begun its work', async () => {
    const world = await aWorld(hangs);
    const target = await aTarget(() => {});
    const http = { url: target.url, timeout: '5m', ...local };
    await world.carillon().schedules.create('hook', { http, retry: { attempts: 1 } });
    await world.carillon().schedules.trigger('hook');
    await world.settle();
    // It went out; only now does its time pass.
    await target.until(1);
    await world.advance('5m');
    const failure = failureIn(await lastRun(world.carillon(), 'hook'));
    expect(failure.message).toBe(`POST ${target.url}: no answer within 5 min`);
    expect(failure).not.toHaveProperty('startFailed');
  });

  test('an answer that never ends is given up', async () => {
    const target = await aTarget((_, response) => void response.writeHead(200).write('{'));
    const carillon = await aCarillon();
    const ask = async (timeout: number) => {
      const http = { url: target.url, timeout, ...local };
      await carillon.schedules.upsert('hook', { http, retry: { attempts: 1 } });
      return failureIn(await runOf(carillon, 'hook')).message;
    };
    // A machine so busy that not even the beginning of the answer comes in time is given more of it.
    let timeout = 25;
    const message = await until(async () => {
      timeout *= 2;
      const told = await ask(timeout);
      return told === `POST ${target.url}: no answer within ${plainDuration(timeout)}` ? undefined : told;
    });
    expect(message).toBe(
      `POST ${target.url}: the answer (200) was not complete within ${plainDuration(timeout)}`,
    );
  });

  test('an answer that breaks off is tried again', async () => {
    const target = await aTarget((asked, response, request) => {
      if (asked.headers['carillon-attempt'] === '2') response.end('2');
      else response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy());
    });
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local }, retry: quick });
    expect(await runOf(carillon, 'hook')).toMatchObject({ outcome: 'completed', attempt: 2, result: '2' });
  });

  test('an answer that is too long is kept in part: its work is done', async () => {
    const target = await aTarget(answering(200, { long: 'x'.repeat(100_000) }));
    const carillon = await aCarillon({ http: { responseLimit: 1000 } });
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'completed', attempt: 1 });
    const result = JSON.parse(run.result ?? '');
    expect(result).toMatchObject({ truncated: true, bytesKept: 1000 });
    expect(result.text).toHaveLength(1000);
  });

  test('an endless answer ends at the limit', async () => {
    const target = await aTarget((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('y'.repeat(10_000))) {}
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    expect(JSON.parse((await runOf(carillon, 'hook')).result ?? '')).toMatchObject({ bytesKept: 65_536 });
  });
});

describe('work that never began', () => {
  test('no server listens', async () => {
    const carillon = await aCarillon();
    const url = `http://127.0.0.1:${await closedPort()}/`;
    await carillon.schedules.create('hook', { http: { url, ...local }, retry: quick });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 10 });
    expect(failureIn(run)).toMatchObject({ type: 'NoAnswer', startFailed: true });
    expect(failureIn(run).message).toContain('ECONNREFUSED');
  });

  test('the name does not resolve', async () => {
    const resolve = async (host: string) => {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    };
    const carillon = await aCarillon({ http: { resolve } });
    await carillon.schedules.create('hook', { http: { url: 'http://nowhere.example/' }, retry: quick });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 10 });
    expect(failureIn(run)).toMatchObject({
      message: 'POST http://nowhere.example/: getaddrinfo ENOTFOUND nowhere.example',
      startFailed: true,
    });
  });

  test('the other side does not speak TLS', async () => {
    const plain = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 no\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void plain.close());
    const carillon = await aCarillon();
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
    await carillon.schedules.create('hook', { http: { url, ...local }, retry: { ...quick, attempts: 2 } });
    expect(failureIn(await runOf(carillon, 'hook'))).toMatchObject({ startFailed: true });
  });

  test('is not claimed once any attempt was answered', async () => {
    const target = await aTarget(answering(503));
    const carillon = await aCarillon();
    const http = { url: target.url, ...local };
    await carillon.schedules.create('hook', { http, retry: { attempts: 3, initial: 100, longest: 100 } });
    await carillon.schedules.trigger('hook');
    await target.until(1);
    await target[Symbol.asyncDispose]();
    const run = await untilRun(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 3 });
    expect(failureIn(run).message).toContain('ECONNREFUSED');
    expect(failureIn(run)).not.toHaveProperty('startFailed');
  });
});

describe('cancelling', () => {
  test('cuts the connection', async () => {
    let cut = false;
    const target = await aTarget((_, response) => {
      response.on('close', () => {
        cut = true;
      });
    });
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    await carillon.schedules.trigger('hook');
    await target.until(1);
    const { id } = await lastRun(carillon, 'hook');
    expect(await carillon.runs.cancel(id, { reason: 'enough' })).toBe('requested');
    const run = await untilRun(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'cancelled', attempt: 1 });
    expect(failureIn(run).message).toBe('enough');
    for (let turn = 0; turn < 100 && !cut; turn += 1) await new Promise(setImmediate);
    expect(cut).toBe(true);
  });
});

describe('private targets', () => {
  const refused = /not on the public internet/;

  test.each([
    ['http://localhost:1/'],
    ['http://127.0.0.1:1/'],
    ['http://2130706433:1/'],
    ['http://0177.0.0.1:1/'],
    ['http://[::1]:1/'],
    ['http://[::ffff:127.0.0.1]:1/'],
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://0/'],
  ])('%s is refused, at once and for good', async (url) => {
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url } });
    const run = await runOf(carillon, 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toMatchObject({ type: 'AddressRefused', nonRetryable: true, startFailed: true });
    expect(failureIn(run).message).toMatch(refused);
    expect(failureIn(run).message).toContain('set allowPrivate on the action');
  });

  test('need the permission of the process as well', async () => {
    const target = await aTarget();
    const carillon = await aCarillon({ allowPrivateTargets: false });
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    expect(failureIn(await runOf(carillon, 'hook')).message).toContain('(allowPrivateTargets)');
    expect(target.asked).toEqual([]);
  });

  // A name that is public when it is checked and private when it is connected to: there is no second question.
  test('are not reached by a name that changes after it was checked', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve = async () => (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
    const lookup = lookupThrough((host) => resolveChecked(host, resolve));
    const ask = (all: boolean) =>
      new Promise((resolve) => lookup('rebind.example', { all }, (...answer) => resolve(answer)));
    expect(await ask(true)).toEqual([null, [{ address: '93.184.216.34', family: 4 }]]);
    expect(await ask(false)).toEqual([expect.any(AddressRefused), '', 0]);
  });

  test('are not reached over a connection that another action opened', async () => {
    const target = await aTarget(answering(200, 'inside'));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const carillon = await aCarillon({ http: { resolve } });
    const url = `http://inside.example:${target.port}/`;
    await carillon.schedules.create('trusted', { http: { url, ...local } });
    await carillon.schedules.create('other', { http: { url } });
    expect(await runOf(carillon, 'trusted')).toMatchObject({ outcome: 'completed' });
    const run = await runOf(carillon, 'other');
    expect(failureIn(run).message).toContain(
      "'inside.example' leads to 127.0.0.1, which is a loopback address",
    );
    expect(target.asked).toHaveLength(1);
  });
});

describe('what cannot be asked for', () => {
  test.each([
    [{ url: 'ftp://example.com' }, 'http.url', 'BAD_URL'],
    [{ url: 'example.com/hook' }, 'http.url', 'BAD_URL'],
    [{ url: 'https://user:pass@example.com/' }, 'http.url', 'CREDENTIALS_IN_URL'],
    [{ url: 'https://e.com', method: 'GET', body: 1 }, 'http.body', 'BODY_NOT_ALLOWED'],
    [{ url: 'https://e.com', headers: { Host: 'x' } }, 'http.headers.Host', 'RESERVED_HEADER'],
    [
      { url: 'https://e.com', headers: { 'Carillon-Run-Id': 'x' } },
      'http.headers.Carillon-Run-Id',
      'RESERVED_HEADER',
    ],
    [{ url: 'https://e.com', headers: { 'a b': 'x' } }, 'http.headers.a b', 'BAD_HEADER'],
    [{ url: 'https://e.com', headers: { a: 'x\r\nb: y' } }, 'http.headers.a', 'BAD_HEADER'],
    [{ url: 'https://e.com', timeout: 'soon' }, 'http.timeout', expect.any(String)],
    [{ url: 'https://e.com', verify: false }, 'http.verify', 'UNKNOWN_FIELD'],
  ])('%j', async (http, path, reason) => {
    const carillon = await aCarillon();
    const creating = carillon.schedules.create('hook', { http: http as { url: string } });
    const error = await creating.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).problems[0]).toMatchObject({ path, reason });
    expect(await carillon.schedules.count()).toBe(0);
  });
});
