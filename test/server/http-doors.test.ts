/** Doors with bodies of their own on one port: each answers for its paths, also before a route is found. */
import { afterEach, expect, test } from 'vitest';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import type { HttpDoor, HttpErrors } from '../../packages/server/src/door/http-door.ts';
import { hashKey, newKey } from '../../packages/server/src/server/keys.ts';
import { openLog } from '../../packages/server/src/server/log.ts';
import { DoorStage } from '../door/door-stage.ts';

let stage: DoorStage;

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

/** Bodies in the manner of another system. */
const errors: HttpErrors = {
  error: ({ code, message }, { path }) => ({
    status: code === 'unauthenticated' ? 401 : 418,
    headers: { 'x-door': 'other' },
    contentType: 'application/problem+json',
    body: JSON.stringify({ status: 418, message, instance: path, retryable: code === 'unavailable' }),
  }),
  notFound: ({ method, path }) => ({
    status: 404,
    contentType: 'text/plain',
    body: `no ${method} ${path} in the other door`,
  }),
};

const otherDoor: HttpDoor = {
  paths: ['/api/other', '/api/v1/other'],
  publicPaths: ['/api/other/version', '/api/other/open/'],
  secretPaths: ['/api/other/open/'],
  errors,
  routes: async (app) => {
    app.get('/api/other/version', async () => ({ version: 'other' }));
    app.get('/api/other/open/:token', async () => 'open');
    app.get('/api/other/broken', async () => {
      throw new ServiceError({ code: 'failedPrecondition', reason: 'NO', message: 'not now' });
    });
  },
};

test('an error of a door has the body, the status and the headers of that door', async () => {
  stage = await DoorStage.open({ doors: [otherDoor] });
  const { status, headers, body } = await stage.raw('/api/other/broken?q=1');
  expect(status).toBe(418);
  expect(headers.get('x-door')).toBe('other');
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(body).toEqual({
    status: 418,
    message: 'not now',
    instance: '/api/other/broken',
    retryable: false,
  });
});

test('a path that no route takes is answered by the door it is below; the longer path decides', async () => {
  stage = await DoorStage.open({ doors: [otherDoor] });
  expect((await stage.raw('/api/other/nowhere?q=1')).body).toBe(
    'no GET /api/other/nowhere in the other door',
  );
  // A neighbour whose name begins alike is not below it.
  expect((await stage.raw('/api/others')).body.error.reason).toBe('UNKNOWN_ROUTE');
  expect((await stage.raw('/elsewhere')).body.error.message).toContain('the API is under /api/v1');
  expect((await stage.call('/schedules/none')).body.error.reason).toBe('NOT_FOUND');
  // The router of the native door takes everything under /api/v1; its refusals there are sent as the other door's.
  expect((await stage.call('/other/thing')).status).toBe(418);
});

test('a caller without a key is refused by the door of the path, and public paths need no key', async () => {
  const text = newKey();
  const key = { name: 'k', hash: hashKey(text), role: 'admin' } as const;
  stage = await DoorStage.open({ doors: [otherDoor], keys: [key] });
  const refused = await stage.raw('/api/other/broken');
  expect([refused.status, refused.headers.get('x-door')]).toEqual([401, 'other']);
  expect((await stage.raw('/api/v1/schedules')).body.error.code).toBe('unauthenticated');
  expect((await stage.raw('/api/other/version')).body).toEqual({ version: 'other' });
  expect((await stage.raw('/api/other/open/token')).status).toBe(200);
  expect((await stage.raw('/api/other/openly')).status).toBe(401);
  for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json', '/api/v1/docs']) {
    expect([path, (await stage.raw(path)).status]).toEqual([path, 200]);
  }
  expect((await stage.raw('/metrics')).status).toBe(401);
  const known = await stage.raw('/metrics', { headers: { authorization: `Bearer ${text}` } });
  expect(known.status).toBe(200);
});

test('the part below a secret path is in no log and in no answer', async () => {
  const lines: string[] = [];
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) });
  stage = await DoorStage.open({ doors: [otherDoor], log });
  await stage.raw('/api/other/open/s3cret');
  const { body } = await stage.raw('/api/other/open/s3cret', { method: 'DELETE' });
  expect(body).toBe('no DELETE /api/other/open/… in the other door');
  expect(lines.join('')).toContain('/api/other/open/…');
  expect(lines.join('')).not.toContain('s3cret');
});
