import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallbackReceiver } from '../../packages/carillon/src/action/callback-handler.ts';
import { callbackHandler } from '../../packages/carillon/src/action/callback-handler.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { callbackToken, readCallbackToken } from '../../packages/carillon/src/runs/callback.ts';
import { isParked } from '../../packages/carillon/src/runs/parking.ts';
import { aCarillon, aTarget, aWorld, failureIn, lastRun, runOf, secret, untilRun } from './stage.ts';
import { answering } from './target.ts';

const local = { allowPrivate: true };
const callbackUrl = 'https://jobs.example.com/callbacks/';

/** A run that was accepted and waits, with its token as the target was given it. */
async function aParkedRun(retry: { attempts: number; initial?: number } = { attempts: 1 }) {
  const target = await aTarget(answering(202));
  const carillon = await aCarillon({ callbackSecret: secret, http: { callbackUrl } });
  await carillon.schedules.create('hook', { http: { url: target.url, ...local }, retry });
  const run = await runOf(carillon, 'hook', isParked);
  const { callback } = JSON.parse(target.asked[0]?.body ?? '');
  return { target, carillon, run, token: callback.token as string, callback };
}

async function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

describe('an accepted request', () => {
  test('is parked, and completed by its callback', async () => {
    const { carillon, target, run, token, callback } = await aParkedRun();
    expect(callback).toEqual({ url: `https://jobs.example.com/callbacks/${token}`, token });
    expect(target.asked[0]?.headers['carillon-callback-url']).toBe(callback.url);
    expect(carillon.activeRuns).toBe(0);
    expect(run.checkAt).toBeGreaterThan(Date.now() + 86_000_000);
    await carillon.completeCallback(token, { result: { rows: 5 } });
    const done = await lastRun(carillon, 'hook');
    expect(done).toMatchObject({ outcome: 'completed', result: '{"rows":5}', attempt: 1 });
    // The schedule learned of it in the same transaction.
    await carillon.schedules.trigger('hook');
    await target.until(2);
    expect(JSON.parse(target.asked[1]?.body ?? '')).toMatchObject({ lastResult: { rows: 5 } });
  });

  test('is parked also when the request used a secret', async () => {
    const target = await aTarget(answering(202));
    const carillon = await aCarillon({
      callbackSecret: secret,
      http: { callbackUrl },
      secrets: () => 'known to both sides',
    });
    await carillon.schedules.create('signed', { http: { url: target.url, secret: 'HOOK', ...local } });
    await runOf(carillon, 'signed', isParked);
    const { callback } = JSON.parse(target.asked[0]?.body ?? '');
    await carillon.completeCallback(callback.token, { result: { rows: 6 } });
    expect(await lastRun(carillon, 'signed')).toMatchObject({ outcome: 'completed', result: '{"rows":6}' });
  });

  test('fails by its callback, and is tried again if it may be', async () => {
    const { carillon, target, run, token } = await aParkedRun({ attempts: 2, initial: 1 });
    await carillon.completeCallback(token, { failure: { message: 'disk full', details: { at: '/x' } } });
    await target.until(2);
    const again = await untilRun(carillon, 'hook', (found) => isParked(found) && found.attempt === 2);
    expect(failureIn(again)).toEqual({ message: 'disk full', type: 'CallbackFailed', details: { at: '/x' } });
    expect(target.asked[1]?.headers['idempotency-key']).toBe(run.id);
    // The token of the first attempt is not valid for the second.
    expect(await refusalOf(carillon.completeCallback(token, { result: 1 }))).toMatchObject({
      code: 'failedPrecondition',
      reason: 'CALLBACK_EXPIRED',
    });
    const second = JSON.parse(target.asked[1]?.body ?? '').callback.token;
    await carillon.completeCallback(second, { failure: 'still full' });
    const done = await lastRun(carillon, 'hook');
    expect(done).toMatchObject({ outcome: 'failed', attempt: 2 });
    expect(failureIn(done)).toEqual({ message: 'still full', type: 'CallbackFailed' });
  });

  test('fails for good when its callback says so', async () => {
    const { carillon, token } = await aParkedRun({ attempts: 5, initial: 1 });
    // What the queue alone may say is not taken from outside.
    const failure = { message: 'no such user', type: 'NoUser', nonRetryable: true, startFailed: true };
    await carillon.completeCallback(token, { failure });
    const done = await lastRun(carillon, 'hook');
    expect(done).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(done)).toEqual({ message: 'no such user', type: 'NoUser', nonRetryable: true });
  });

  test('ends at once when it is cancelled', async () => {
    const { carillon, run, token } = await aParkedRun();
    expect(await carillon.runs.cancel(run.id, { reason: 'enough' })).toBe('ended');
    expect(await refusalOf(carillon.completeCallback(token, { result: 1 }))).toMatchObject({
      reason: 'CALLBACK_EXPIRED',
    });
    expect(await lastRun(carillon, 'hook')).toMatchObject({ outcome: 'cancelled' });
  });

  test('is simply completed where no callbacks are configured', async () => {
    const target = await aTarget(answering(202, { id: 1 }));
    const carillon = await aCarillon();
    await carillon.schedules.create('hook', { http: { url: target.url, ...local } });
    expect(await runOf(carillon, 'hook')).toMatchObject({ outcome: 'completed', result: '{"id":1}' });
    expect(JSON.parse(target.asked[0]?.body ?? '')).not.toHaveProperty('callback');
  });

  test('times out without a callback', async () => {
    const world = await aWorld({ http: { callbackUrl, callbackSecret: secret } });
    const target = await aTarget(answering(202));
    const http = { url: target.url, callbackTimeout: '2h', ...local };
    await world.carillon().schedules.create('hook', { http, retry: { attempts: 1 } });
    await world.carillon().schedules.trigger('hook');
    await world.advance('119m');
    expect(isParked(await lastRun(world.carillon(), 'hook'))).toBe(true);
    await world.advance('2m');
    expect(await lastRun(world.carillon(), 'hook')).toMatchObject({ outcome: 'timedOut' });
  });
});

describe('a token', () => {
  test('is used once', async () => {
    const { carillon, token } = await aParkedRun();
    await carillon.completeCallback(token, { result: 1 });
    const refusal = await refusalOf(carillon.completeCallback(token, { failure: 'no' }));
    expect(refusal).toMatchObject({ code: 'failedPrecondition', reason: 'CALLBACK_USED' });
    expect(await lastRun(carillon, 'hook')).toMatchObject({ outcome: 'completed', result: '1' });
  });

  test('used twice at the same time counts once', async () => {
    const { carillon, token } = await aParkedRun();
    const both = await Promise.allSettled(
      [1, 2].map((result) => carillon.completeCallback(token, { result })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test.each<[string, (token: string) => string]>([
    ['of another secret', (token) => sign(token, 'another secret, just as long')],
    [
      'with another payload',
      (token) => `${Buffer.from('["x","y"]').toString('base64url')}.${token.split('.')[1]}`,
    ],
    ['with a changed signature', (token) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')],
    ['with a shorter signature', (token) => token.slice(0, -4)],
    ['with something behind it', (token) => `${token}.x`],
    ['without a signature', (token) => token.split('.')[0] ?? ''],
    ['that is empty', () => ''],
    ['that is enormous', () => 'x'.repeat(1_000_000)],
  ])('%s is refused', async (_, forge) => {
    const { carillon, run, token } = await aParkedRun();
    const refusal = await refusalOf(carillon.completeCallback(forge(token), { result: 1 }));
    expect(refusal).toMatchObject({ code: 'unauthenticated', reason: 'BAD_CALLBACK_TOKEN' });
    expect(await lastRun(carillon, 'hook')).toEqual(run);
  });

  test('of a run that does not exist is refused', async () => {
    const { carillon } = await aParkedRun();
    const token = callbackToken({ runId: 'none', leaseToken: 'x', secret });
    expect(await refusalOf(carillon.completeCallback(token, { result: 1 }))).toMatchObject({
      code: 'failedPrecondition',
      reason: 'CALLBACK_EXPIRED',
    });
  });

  test.each<[unknown]>([
    [{}],
    [null],
    [[]],
    ['done'],
    [{ result: 1, failure: 'no' }],
    [{ failure: {} }],
    [{ failure: null }],
    [{ result: 'x'.repeat(3_000_000) }],
  ])('with a body that says nothing is refused and can be used again (%#)', async (outcome) => {
    const { carillon, run, token } = await aParkedRun();
    expect(await refusalOf(carillon.completeCallback(token, outcome as never))).toMatchObject({
      code: 'invalidArgument',
    });
    expect(await lastRun(carillon, 'hook')).toEqual(run);
    await carillon.completeCallback(token, { result: 1 });
  });

  test('reads as what was signed', () => {
    const claim = { runId: 'r', leaseToken: 'l.m' };
    expect(readCallbackToken(callbackToken({ ...claim, secret }), secret)).toEqual(claim);
  });
});

describe('configuration', () => {
  test.each([[undefined], ['short']])(
    'callbacks without a good secret are refused: %s',
    async (callbackSecret) => {
      const opening = openCarillon({
        store: 'memory:',
        http: { callbackUrl },
        ...(callbackSecret === undefined ? {} : { callbackSecret }),
      });
      const refusal = await refusalOf(opening);
      expect(refusal.problems).toMatchObject([{ path: 'callbackSecret', reason: 'CALLBACK_SECRET_MISSING' }]);
    },
  );

  test('an address that is none is refused', async () => {
    const opening = openCarillon({ store: 'memory:', callbackSecret: secret, http: { callbackUrl: 'jobs' } });
    expect((await refusalOf(opening)).problems).toMatchObject([{ path: 'http.callbackUrl' }]);
  });

  test('a process without a secret says so', async () => {
    const carillon = await aCarillon();
    const token = callbackToken({ runId: 'r', leaseToken: 'l', secret });
    expect(await refusalOf(carillon.completeCallback(token, { result: 1 }))).toMatchObject({
      code: 'failedPrecondition',
      reason: 'CALLBACKS_OFF',
    });
  });
});

describe('the handler', () => {
  async function listening(carillon: CallbackReceiver): Promise<string> {
    const server = createServer(callbackHandler(carillon, { limit: 1000 }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`;
  }
  const post = (url: string, body: string) => fetch(url, { method: 'POST', body });

  test('finishes runs and refuses the rest', async () => {
    const { carillon, token } = await aParkedRun();
    const url = await listening(carillon);
    expect((await fetch(`${url}/${token}`)).status).toBe(405);
    expect((await post(`${url}/${token}`, 'done')).status).toBe(400);
    expect((await post(`${url}/${token}`, '{}')).status).toBe(400);
    expect((await post(`${url}/${token}`, JSON.stringify({ result: 'x'.repeat(1000) }))).status).toBe(413);
    const forged = await post(`${url}/${token}x`, '{"result":1}');
    expect([forged.status, ((await forged.json()) as { reason: string }).reason]).toEqual([
      401,
      'BAD_CALLBACK_TOKEN',
    ]);
    expect(isParked(await lastRun(carillon, 'hook'))).toBe(true);
    const done = await post(`${url}/${token}?x=1`, '{"result":{"rows":5}}');
    expect([done.status, await done.text()]).toEqual([204, '']);
    expect(await lastRun(carillon, 'hook')).toMatchObject({ outcome: 'completed', result: '{"rows":5}' });
    const twice = await post(`${url}/${token}`, '{"result":1}');
    expect([twice.status, ((await twice.json()) as { reason: string }).reason]).toEqual([
      409,
      'CALLBACK_USED',
    ]);
  });

  test('does not reveal internal errors to strangers', async () => {
    const url = await listening({
      completeCallback: () => Promise.reject(new Error('password of the database')),
    });
    const response = await post(`${url}/x`, '{"result":1}');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('password');
  });

  test('the whole round: the target calls back over HTTP', async () => {
    let carillon: CallbackReceiver | undefined;
    const late: CallbackReceiver = {
      completeCallback: async (...callback) => await carillon?.completeCallback(...callback),
    };
    const url = await listening(late);
    const target = await aTarget((asked, response) => {
      response.writeHead(202).end();
      const { callback } = JSON.parse(asked.body);
      setTimeout(() => void post(callback.url, '{"result":"all done"}'), 20);
    });
    const opened = await aCarillon({ callbackSecret: secret, http: { callbackUrl: url } });
    carillon = opened;
    await opened.schedules.create('hook', { http: { url: target.url, ...local } });
    expect(await runOf(opened, 'hook')).toMatchObject({ outcome: 'completed', result: '"all done"' });
  });
});

function sign(token: string, other: string): string {
  const claim = readCallbackToken(token, secret);
  if (claim === undefined) throw new Error('not our token');
  return callbackToken({ ...claim, secret: other });
}
