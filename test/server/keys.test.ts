import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import type { ApiKey } from '../../packages/server/src/server/keys.ts';
import { hashKey, hashPattern, newKey } from '../../packages/server/src/server/keys.ts';
import { RateLimiter } from '../../packages/server/src/server/rate-limit.ts';
import { DoorStage, type Heard } from '../door/door-stage.ts';

const secret = { viewer: newKey(), operator: newKey(), admin: newKey(), team: newKey() };
const keys: readonly ApiKey[] = [
  { name: 'eyes', hash: hashKey(secret.viewer), role: 'viewer' },
  { name: 'hands', hash: hashKey(secret.operator), role: 'operator' },
  { name: 'boss', hash: hashKey(secret.admin), role: 'admin' },
  { name: 'team-a', hash: hashKey(secret.team), role: 'operator', namespaces: ['a'] },
];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const reasonOf = ({ status, body }: Heard) => `${status} ${body.error?.reason}`;

describe('API keys', () => {
  test('open the door as far as their role and namespaces go', async () => {
    await using stage = await DoorStage.open({ keys });
    const missing = await stage.call('/schedules');
    expect(reasonOf(missing)).toBe('401 API_KEY_MISSING');
    expect(missing.headers.get('www-authenticate')).toContain('Bearer');
    expect(reasonOf(await stage.call('/schedules', { headers: bearer('crl_wrong') }))).toBe(
      '401 API_KEY_UNKNOWN',
    );
    expect((await stage.call('/schedules', { headers: { 'x-api-key': secret.viewer } })).status).toBe(200);
    const body = { id: 's', every: '1h', run: 'work' };
    expect(reasonOf(await stage.call('/schedules', { body, headers: bearer(secret.viewer) }))).toBe(
      '403 PERMISSION_DENIED',
    );
    expect((await stage.call('/schedules', { body, headers: bearer(secret.operator) })).status).toBe(201);
    const release = (key: string) =>
      stage.call('/schedules/s:release', { method: 'POST', headers: bearer(key) });
    expect((await release(secret.operator)).status).toBe(403);
    expect((await release(secret.admin)).status).toBe(204);
    const inside = await stage.call('/namespaces/a/schedules', { body, headers: bearer(secret.team) });
    expect(inside.status).toBe(201);
    expect(reasonOf(await stage.call('/schedules', { headers: bearer(secret.team) }))).toBe(
      '403 PERMISSION_DENIED',
    );
    expect((await stage.call('/events', { headers: bearer(secret.team) })).status).toBe(403);
  });

  test('name the actor, whatever else the request claims', async () => {
    await using stage = await DoorStage.open({ keys });
    const headers = { ...bearer(secret.operator), 'carillon-actor': 'another caller' };
    await stage.call('/schedules', { body: { id: 's', every: '1h', run: 'work' }, headers });
    const { body } = await stage.call('/schedules/s/audit', { headers });
    expect(body.items[0].actor).toBe('hands');
  });

  test('are demanded everywhere but on paths that reveal nothing', async () => {
    await using stage = await DoorStage.open({ keys });
    for (const path of ['/healthz', '/readyz', '/readyz?verbose', '/api/v1/openapi.json', '/api/v1/docs']) {
      expect([path, (await stage.raw(path)).status]).toEqual([path, 200]);
    }
    for (const path of [
      '/metrics',
      '/api/v1/about',
      '/api/v1/events',
      '/nowhere',
      '/api/v1/docs/../schedules',
      '/api/v1/namespaces/a/events',
    ]) {
      expect([path, (await stage.raw(path)).status]).toEqual([path, 401]);
    }
    // A callback is proved by its token, and a wrong token proves nothing.
    const callback = await stage.raw('/callbacks/nonsense', { body: { result: 1 } });
    expect(callback.status).toBeGreaterThanOrEqual(400);
  });

  test('allow a public bind, and guessing is slowed down', async () => {
    await using stage = await DoorStage.open({ keys, host: '0.0.0.0' });
    const url = `http://127.0.0.1:${stage.server.port}/api/v1/about`;
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i += 1) {
      statuses.add((await fetch(url, { headers: bearer(`crl_${i}`) })).status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    expect((await fetch(url, { headers: bearer(secret.viewer) })).status).toBe(200);
  });

  test('are long, recognisable and stored as hashes', () => {
    expect(newKey()).toMatch(/^crl_[\w-]{43}$/);
    expect(newKey()).not.toBe(newKey());
    expect(hashKey('x')).toMatch(hashPattern);
  });
});

describe('rate limits', () => {
  test('let a burst through, then as many as flow in', () => {
    const clock = new VirtualClock(instant(0));
    const limiter = new RateLimiter({ perSecond: 2, burst: 3 }, clock);
    const taken = () => {
      let count = 0;
      for (;;) {
        try {
          limiter.take('a');
          count += 1;
        } catch {
          return count;
        }
      }
    };
    expect(taken()).toBe(3);
    clock.moveTo(instant(1000));
    expect(taken()).toBe(2);
    limiter.take('b');
  });

  test('have the time after which to retry', async () => {
    await using stage = await DoorStage.open({ rateLimit: { perSecond: 0.001, burst: 2 } });
    await stage.call('/about');
    await stage.call('/about');
    const refused = await stage.call('/about');
    expect(reasonOf(refused)).toBe('429 RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await stage.raw('/healthz')).status).toBe(200);
  });
});
