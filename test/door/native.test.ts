import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { operations } from '../../packages/server/src/door/native/native-door.ts';
import * as shape from '../../packages/server/src/door/native/schemas.ts';
import { DoorStage, type Heard } from './door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => await stage.server.stop());

const reasonOf = ({ status, body }: Heard) => `${status} ${body.error.reason}`;

/** The documented shape of an operation's answer. */
function shapeOf(id: string): z.ZodType {
  const found = operations.find((operation) => operation.id === id)?.response;
  if (found === undefined) throw new Error(`${id} answers nothing`);
  return found;
}

test('the address of the API says where to go', async () => {
  const { status, body } = await stage.call('');
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'Carillon', docs: '/api/v1/docs', schedules: '/api/v1/schedules' });
});

describe('schedules', () => {
  test('are created, described, listed and deleted', async () => {
    const created = await stage.create('first', {
      tags: ['a', 'b'],
      owner: 'me',
      description: 'Nightly PDF',
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ id: 'first', token: 1 });
    expect(created.headers.get('etag')).toBe('"1"');
    expect(created.headers.get('location')).toBe('/api/v1/schedules/first');
    expect(created.headers.get('x-request-id')).toMatch(/^\w{10,}$/);

    const described = await stage.call('/schedules/first');
    expect(described.status).toBe(200);
    expect(described.headers.get('etag')).toBe('"1"');
    expect(described.headers.get('cache-control')).toBe('no-store');
    shape.schedule.parse(described.body);
    expect(described.body).toMatchObject({
      id: 'first',
      status: 'running',
      words: 'Every hour',
      owner: 'me',
    });
    expect(described.body.next).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/);

    const listed = await stage.call('/schedules?tag=a&tag=b&owner=me&text=PDF');
    shapeOf('listSchedules').parse(listed.body);
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual(['first']);

    expect((await stage.call('/schedules/first', { method: 'DELETE' })).body).toEqual({ cancelled: 0 });
    expect((await stage.call('/schedules/first')).body.status).toBe('closed');
    expect((await stage.call('/schedules?prefix=first')).body.items).toEqual([]);
    expect((await stage.call('/schedules?prefix=first&includeClosed=true')).body.items).toHaveLength(1);
  });

  test('with a taken id are refused', async () => {
    await stage.create('taken');
    expect(reasonOf(await stage.create('taken'))).toBe('409 ALREADY_EXISTS');
  });

  test('that make no sense are refused with every problem, its place and its remedy', async () => {
    const { status, body } = await stage.create('bad', { every: 'soon', overlap: 'maybe', colour: 'red' });
    expect(status).toBe(400);
    shape.error.parse(body);
    expect(body.error).toMatchObject({ code: 'invalidArgument', reason: 'INVALID' });
    const paths = body.error.problems.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['colour', 'every', 'overlap']);
    expect(body.error.problems.every(({ fix }: { fix?: string }) => fix !== undefined)).toBe(true);
    expect(reasonOf(await stage.call('/schedules/bad'))).toBe('404 NOT_FOUND');
  });

  test('may have any id, one percent-encoded segment', async () => {
    for (const id of ['a/b', 'a:pause', 'ü 漢字 100%', '..', '%2F', 'a?b#c', 'x'.repeat(977)]) {
      const { status } = await stage.create(id);
      expect([id, status]).toEqual([id, 201]);
      const path = `/schedules/${encodeURIComponent(id).replaceAll('..', '%2E%2E')}`;
      if (id === '..') continue; // every client collapses it before it is sent
      expect((await stage.call(path)).body.id).toBe(id);
      expect((await stage.call(`${path}:pause`, { method: 'POST' })).status).toBe(200);
      expect((await stage.call(path)).body.status).toBe('paused');
    }
  });

  test('are listed page by page', async () => {
    for (let i = 0; i < 5; i += 1) await stage.create(`page-${i}`);
    const seen: string[] = [];
    let after = '';
    do {
      const { body } = await stage.call(`/schedules?prefix=page-&limit=2${after}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      after = body.next === null ? '' : `&after=${encodeURIComponent(body.next)}`;
    } while (after !== '');
    expect(seen).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
    expect((await stage.call('/schedules:count?prefix=page-')).body).toEqual({ count: 5 });
    expect(reasonOf(await stage.call('/schedules?after=nonsense'))).toBe('400 BAD_CURSOR');
    expect((await stage.call('/schedules?limit=0')).status).toBe(400);
    expect((await stage.call('/schedules?colour=red')).body.error.problems[0].reason).toBe('UNKNOWN_FIELD');
  });

  test('are found by state, next run and attributes', async () => {
    await stage.create('found-1', {
      owner: 'finder',
      attributes: { team: 'red', size: 3 },
      paused: 'frozen',
    });
    await stage.create('found-2', { owner: 'finder', attributes: { team: 'blue', size: 4 }, every: '365d' });
    const ids = async (query: string) =>
      (await stage.call(`/schedules?owner=finder&${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('state=paused')).toEqual(['found-1']);
    expect(await ids('state=running')).toEqual(['found-2']);
    expect(await ids('attribute=team=red')).toEqual(['found-1']);
    expect(await ids('attribute=size=4')).toEqual(['found-2']);
    expect(await ids('failing=true')).toEqual([]);
    expect(await ids('late=false&busy=false')).toEqual(['found-1', 'found-2']);
    expect(await ids('nextFrom=2020-01-01T00:00:00%2B02:00&nextTo=2100-01-01T00:00:00Z')).toContain(
      'found-2',
    );
    // A plus sign that the client forgot to encode.
    expect(await ids('nextFrom=2020-01-01T00:00:00+02:00')).toContain('found-2');
  });
});

test('long answers are compressed for clients that accept it', async () => {
  for (let number = 0; number < 12; number += 1) await stage.create(`squeezed-${number}`);
  const read = async (path: string, encoding: string) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'accept-encoding': encoding };
      get(`${stage.server.url}/api/v1${path}`, { headers }, resolve).on('error', reject);
    });
    const body = Buffer.concat((await response.toArray()) as Buffer[]);
    return { body, headers: response.headers };
  };
  const plain = await read('/schedules?prefix=squeezed', 'identity');
  const packed = await read('/schedules?prefix=squeezed', 'br, gzip');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  const idsOf = (body: Buffer) => JSON.parse(String(body)).items.map(({ id }: { id: string }) => id);
  expect(idsOf(gunzipSync(packed.body))).toEqual(idsOf(plain.body));
  // An answer that fits into a packet is not compressed.
  const short = await read('/schedules/squeezed-0', 'gzip');
  expect(short.headers['content-encoding']).toBeUndefined();
});

describe('conditions', () => {
  const body = { every: '2h', run: 'work' };

  test('PUT creates, replaces, and heeds If-Match and If-None-Match', async () => {
    const put = (headers: Record<string, string>, id = 'put') =>
      stage.call(`/schedules/${id}`, { method: 'PUT', body, headers });
    const first = await put({});
    expect([first.status, first.body]).toEqual([201, { token: 1, created: true, isChanged: true }]);
    const second = await put({ 'if-match': '"1"' });
    expect([second.status, second.body]).toEqual([200, { token: 2, created: false, isChanged: true }]);
    expect(second.headers.get('etag')).toBe('"2"');
    expect(reasonOf(await put({ 'if-match': '"1"' }))).toBe('412 CONFLICT_TOKEN_MISMATCH');
    expect(reasonOf(await put({ 'if-none-match': '*' }))).toBe('412 PRECONDITION_FAILED');
    expect(reasonOf(await put({ 'if-match': '*' }, 'absent'))).toBe('404 NOT_FOUND');
    expect((await put({ 'if-match': '*' })).status).toBe(200);
    expect(reasonOf(await put({ 'if-match': 'seven' }))).toBe('400 BAD_HEADER');
  });

  test('what does not heed a condition refuses it', async () => {
    await stage.create('unheeding');
    const bulk = { verb: 'pause', ids: ['unheeding'] };
    const matching = await stage.call('/schedules:bulk', { body: bulk, headers: { 'if-match': '"1"' } });
    expect(reasonOf(matching)).toBe('400 CONDITION_NOT_SUPPORTED');
    const headers = { 'if-none-match': '*' };
    const creating = await stage.call('/schedules/unheeding:pause', { method: 'POST', headers });
    expect(reasonOf(creating)).toBe('400 CONDITION_NOT_SUPPORTED');
    const patch = { method: 'PATCH', body: { description: 'changed' }, headers };
    expect(reasonOf(await stage.call('/schedules/unheeding', patch))).toBe('400 CONDITION_NOT_SUPPORTED');
  });

  test('the definition comes back as it can be sent', async () => {
    const given = {
      cron: '0 9 * * 1-5',
      zone: 'Europe/Berlin',
      http: { url: 'https://example.com/hook', headers: { a: 'b' } },
      input: { deep: [1, 2] },
      retry: { attempts: 3, initial: '2s' },
      catchup: '5m',
      tags: ['t'],
      memo: { m: 1 },
    };
    await stage.call('/schedules/round', { method: 'PUT', body: given });
    const before = (await stage.call('/schedules/round')).body;
    const { body: definition } = await stage.call('/schedules/round/definition');
    expect((await stage.call('/schedules/round', { method: 'PUT', body: definition })).status).toBe(200);
    const after = (await stage.call('/schedules/round')).body;
    for (const part of ['spec', 'action', 'policy', 'memo', 'tags', 'words'])
      expect(after[part]).toEqual(before[part]);
  });

  test('PATCHes of different fields at once all hold: each is merged into what is stored', async () => {
    await stage.create('busy', { every: '1h', run: 'x' });
    const patches = [
      { description: 'a' },
      { note: 'b' },
      { owner: 'c' },
      { tags: ['d'] },
      { memo: { e: 1 } },
      { limit: 2 },
      { catchup: '2h' },
      { missedLimit: 3 },
      { pauseAfterFailures: 4 },
      { overlap: 'allowAll' },
      { priority: 5 },
      { jitter: '6s' },
    ];
    const answers = await Promise.all(
      patches.map((body) => stage.call('/schedules/busy', { method: 'PATCH', body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(patches.map(() => 200));
    const { body } = await stage.call('/schedules/busy/definition');
    const { jitter: _, ...said } = Object.assign({}, ...patches) as Record<string, unknown>;
    expect(body).toMatchObject({ ...said, catchup: 7_200_000, spec: { jitterMs: 6000 } });
  });

  test('PATCH changes what it names and keeps the rest', async () => {
    await stage.create('patched', {
      every: undefined,
      cron: '0 9 * * *',
      zone: 'Europe/Berlin',
      tags: ['a'],
      owner: 'x',
    });
    await stage.call('/schedules/patched:pause', { body: { note: 'holiday' } });
    const patch = (body: object, headers = {}) =>
      stage.call('/schedules/patched', { method: 'PATCH', body, headers });
    expect((await patch({ cron: '0 10 * * *', overlap: 'bufferOne' })).body).toEqual({
      token: 3,
      isChanged: true,
    });
    const { body: after } = await stage.call('/schedules/patched');
    expect(after).toMatchObject({ words: 'At 10:00 every day, Europe/Berlin', owner: 'x', tags: ['a'] });
    expect(after.policy.overlap).toBe('bufferOne');
    expect(after.paused.note).toBe('holiday');
    await patch({ tags: null, zone: null, every: '1d' });
    expect((await stage.call('/schedules/patched')).body).toMatchObject({
      words: 'Every 24 hours',
      tags: [],
    });
    expect(reasonOf(await patch({ owner: 'y' }, { 'if-match': '"1"' }))).toBe('412 CONFLICT_TOKEN_MISMATCH');
    expect(reasonOf(await patch({ owner: 7 }))).toBe('400 INVALID');
  });

  test('a repeated Idempotency-Key changes nothing and gets the same answer', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const create = () =>
      stage.call('/schedules', { body: { id: 'once', every: '1h', run: 'work' }, headers });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(201);
    const trigger = () => stage.call('/schedules/once:trigger', { method: 'POST', headers });
    const first = await trigger();
    expect(first.body).toMatchObject({ token: 2, cause: 'trigger:1', verdict: 'started' });
    expect((await trigger()).body).toEqual(first.body);
    const enqueue = () => stage.call('/runs', { body: { run: 'work', queue: 'absent' }, headers });
    expect((await enqueue()).body.id).toBe((await enqueue()).body.id);
    const bad = await stage.call('/schedules/once:trigger', {
      method: 'POST',
      headers: { 'idempotency-key': '' },
    });
    expect(bad.status).toBe(400);
  });
});

describe('verbs', () => {
  test('pause and resume keep notes, and the audit names who, where and why', async () => {
    await stage.create('paused');
    const headers = { 'carillon-actor': 'ada' };
    const until = '2100-01-01T00:00:00Z';
    await stage.call('/schedules/paused:pause', { body: { note: 'deploy', until }, headers });
    const { body } = await stage.call('/schedules/paused');
    expect(body.paused).toMatchObject({ by: 'ada', note: 'deploy', until });
    await stage.call('/schedules/paused:resume', { body: { missed: 'all' }, headers });
    expect((await stage.call('/schedules/paused')).body.status).toBe('running');
    const audit = await stage.call('/schedules/paused/audit');
    shapeOf('listAudit').parse(audit.body);
    expect(
      audit.body.items.map(({ actor, door, action, note }: Record<string, string>) => [
        actor,
        door,
        action,
        note,
      ]),
    ).toEqual([
      ['ada', 'rest', 'resume', ''],
      ['ada', 'rest', 'pause', 'deploy'],
      ['local', 'rest', 'create', ''],
    ]);
    const bad = await stage.call('/schedules/paused:resume', { body: { missed: 'some' } });
    expect(bad.body.error.problems[0].path).toBe('missed');
  });

  test('a trigger runs, and why, slots and runs show it', async () => {
    await stage.create('triggered');
    const at = '2026-01-01T00:00:00Z';
    const { body } = await stage.call('/schedules/triggered:trigger', { body: { scheduledAt: at } });
    expect(body.cause).toBe('trigger:1');
    const runs = await stage.until(
      '/schedules/triggered/runs?include=payloads',
      (heard) => heard.body.items[0]?.state === 'done',
    );
    shapeOf('listScheduleRuns').parse(runs.body);
    expect(runs.body.items[0]).toMatchObject({
      outcome: 'completed',
      result: 'done',
      scheduledAt: at,
      schedule: 'triggered',
    });
    const run = await stage.call(`/runs/${encodeURIComponent(runs.body.items[0].id)}`);
    expect(run.body).toEqual(runs.body.items[0]);
    const slots = await stage.call('/schedules/triggered/slots?verdict=started&verdict=startedLate');
    shapeOf('listSlots').parse(slots.body);
    expect(slots.body.items).toHaveLength(1);
    const why = await stage.call(`/schedules/triggered/why?at=${at}`);
    shapeOf('explain').parse(why.body);
    expect(why.body.items[0]).toMatchObject({ cause: 'trigger:1', at });
    expect(why.body.items[0].text).toContain('It started');
    expect((await stage.call('/schedules/triggered/why')).body.error.problems[0].path).toBe('at');
    expect((await stage.call('/schedules/triggered/why?at=yesterday')).status).toBe(400);
  });

  test('coming times, and the preview, run and cancelling of a backfill', async () => {
    await stage.create('filled', { every: '1h', run: 'long' });
    const next = await stage.call('/schedules/filled/next?count=2&after=2026-01-01T00:00:00Z');
    expect(next.body.items.map(({ nominal }: { nominal: string }) => nominal)).toEqual([
      '2026-01-01T01:00:00Z',
      '2026-01-01T02:00:00Z',
    ]);
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T09:00:00Z' };
    const preview = await stage.call(`/schedules/filled/backfills/preview?from=${range.from}&to=${range.to}`);
    shapeOf('previewBackfill').parse(preview.body);
    expect(preview.body).toMatchObject({ truncated: false, items: { length: 10 } });
    const started = await stage.call('/schedules/filled:backfill', { body: range });
    expect(started.status).toBe(202);
    shapeOf('backfillSchedule').parse(started.body);
    const running = await stage.until('/schedules/filled', (heard) => heard.body.running.length === 1);
    shape.schedule.parse(running.body);
    const cancelled = await stage.call(`/schedules/filled/backfills/${started.body.id}`, {
      method: 'DELETE',
    });
    expect([cancelled.status, reasonless(cancelled)]).toEqual([200, undefined]);
    shapeOf('cancelBackfill').parse(cancelled.body);
    const backwards = await stage.call('/schedules/filled:backfill', {
      body: { from: range.to, to: range.from },
    });
    expect(backwards.body.error.problems[0].reason).toBe('BEFORE_FROM');
  });

  test('release is there for the quarantined and harmless to others', async () => {
    await stage.create('released');
    expect((await stage.call('/schedules/released:release', { method: 'POST' })).status).toBe(204);
    expect(reasonOf(await stage.call('/schedules/absent:release', { method: 'POST' }))).toBe('404 NOT_FOUND');
  });
});

function reasonless({ body }: Heard): unknown {
  return body.error;
}

describe('runs', () => {
  test('are queued, listed, cancelled and terminated', async () => {
    const queued = await stage.call('/runs', { body: { run: 'long', input: { a: 1 }, priority: 'high' } });
    expect(queued.status).toBe(201);
    shape.run.parse(queued.body);
    const path = `/runs/${encodeURIComponent(queued.body.id)}`;
    expect(queued.headers.get('location')).toBe(`/api/v1${path}`);
    await stage.until(path, ({ body }) => body.state === 'leased');
    expect((await stage.call(`${path}:cancel`, { body: { reason: 'enough' } })).body).toEqual({
      stopped: 'requested',
    });
    const ended = await stage.until(path, ({ body }) => body.state === 'done');
    expect(ended.body).toMatchObject({ outcome: 'cancelled', failure: { message: 'enough' } });
    const later = await stage.call('/runs', { body: { run: 'work', at: '2100-01-01T00:00:00Z' } });
    const stop = await stage.call(`/runs/${encodeURIComponent(later.body.id)}:terminate`, { method: 'POST' });
    expect(stop.body).toEqual({ stopped: 'ended' });
    const listed = await stage.call('/runs?outcome=terminated&outcome=cancelled&limit=1');
    shapeOf('listRuns').parse(listed.body);
    expect(listed.body.items).toHaveLength(1);
    expect(listed.body.next).not.toBeNull();
    expect(reasonOf(await stage.call('/runs/none'))).toBe('404 NOT_FOUND');
    expect(reasonOf(await stage.call('/runs/none:cancel', { method: 'POST' }))).toBe('404 NOT_FOUND');
    expect((await stage.call('/runs', { body: { run: 'work', queue: '@command' } })).status).toBe(400);
  });
});

describe('namespaces', () => {
  test('are named in the path or in a header, and keep apart', async () => {
    const created = await stage.call('/namespaces/team%2Fa/schedules', {
      body: { id: 'n', every: '1h', run: 'work' },
    });
    expect(created.headers.get('location')).toBe('/api/v1/namespaces/team%2Fa/schedules/n');
    expect(reasonOf(await stage.call('/schedules/n'))).toBe('404 NOT_FOUND');
    const headers = { 'carillon-namespace': 'team/a' };
    expect((await stage.call('/schedules/n', { headers })).body.namespace).toBe('team/a');
    const run = await stage.call('/namespaces/team%2Fa/runs', { body: { run: 'work', queue: 'absent' } });
    expect(
      (await stage.call(`/runs/${encodeURIComponent(run.body.id)}:cancel`, { method: 'POST' })).status,
    ).toBe(404);
    expect((await stage.call(`/namespaces/team%2Fa/runs/${encodeURIComponent(run.body.id)}`)).status).toBe(
      200,
    );
  });
});

test('a namespace without a name is refused, for schedules and for runs', async () => {
  const long = encodeURIComponent('n'.repeat(300));
  for (const namespace of ['', long]) {
    for (const [what, body] of [
      ['schedules', { id: 's', every: '1h', run: 'work' }],
      ['runs', { run: 'work' }],
    ] as const) {
      const { status, body: answer } = await stage.call(`/namespaces/${namespace}/${what}`, { body });
      expect([status, answer.error.problems[0].reason]).toEqual([400, 'BAD_NAMESPACE']);
    }
  }
});

describe('refusals', () => {
  test('routes, verbs and methods that are not there are named precisely', async () => {
    expect(reasonOf(await stage.call('/schedule'))).toBe('404 UNKNOWN_ROUTE');
    expect(reasonOf(await stage.call('', { method: 'POST' }))).toBe('404 UNKNOWN_ROUTE');
    expect(reasonOf(await stage.raw('/nowhere'))).toBe('404 UNKNOWN_ROUTE');
    const verb = await stage.call('/schedules/a:explode', { method: 'POST' });
    expect(reasonOf(verb)).toBe('404 UNKNOWN_VERB');
    expect(verb.body.error.message).toContain(':pause, :resume, :trigger, :backfill, :release');
    const method = await stage.call('/schedules/a:pause');
    expect(reasonOf(method)).toBe('405 METHOD_NOT_ALLOWED');
    expect(method.headers.get('allow')).toBe('POST');
    const options = await stage.call('/schedules', { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('GET, POST, HEAD');
  });

  test('bodies that are not JSON, too long or of another kind', async () => {
    expect(reasonOf(await stage.call('/schedules', { body: '{"id":' }))).toBe('400 NOT_JSON');
    expect(reasonOf(await stage.call('/schedules', { body: '{"__proto__":{"x":1}}' }))).toBe('400 BAD_KEY');
    expect(reasonOf(await stage.call('/schedules', { body: '[]' }))).toBe('400 INVALID');
    expect(reasonOf(await stage.call('/schedules', { body: ' '.repeat(4 * 1024 * 1024 + 1) }))).toBe(
      '413 BODY_TOO_LARGE',
    );
    const headers = { 'content-type': 'text/plain' };
    expect(reasonOf(await stage.call('/schedules', { body: 'x', headers }))).toBe(
      '415 UNSUPPORTED_MEDIA_TYPE',
    );
    const large = await stage.create('large', { input: 'x'.repeat(2 * 1024 * 1024 + 1) });
    expect(large.body.error.problems[0].reason).toBe('TOO_LARGE');
    expect(reasonOf(await stage.call('/schedules/%zz'))).toBe('400 BAD_URL');
  });

  test('web pages of other sites, and foreign names for this machine', async () => {
    await stage.create('guarded');
    const origin = await stage.call('/schedules/guarded:trigger', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(reasonOf(origin)).toBe('403 FOREIGN_ORIGIN');
    const same = await stage.call('/schedules/guarded:trigger', {
      method: 'POST',
      headers: { origin: stage.server.url },
    });
    expect(same.status).toBe(200);
    // Behind a proxy that changes the host name, the browser's own header decides.
    const proxied = await stage.call('/schedules/guarded:trigger', {
      method: 'POST',
      headers: { origin: 'https://tools.example', 'sec-fetch-site': 'same-origin' },
    });
    expect(proxied.status).toBe(200);
    const neighbour = await stage.call('/schedules/guarded:trigger', {
      method: 'POST',
      headers: { origin: stage.server.url, 'sec-fetch-site': 'same-site' },
    });
    expect(reasonOf(neighbour)).toBe('403 FOREIGN_ORIGIN');
  });

  test('request ids are taken over when they are tame', async () => {
    expect(
      (await stage.call('/about', { headers: { 'x-request-id': 'abc-1' } })).headers.get('x-request-id'),
    ).toBe('abc-1');
    const wild = await stage.call('/nowhere', { headers: { 'x-request-id': 'a b<script>' } });
    expect(wild.headers.get('x-request-id')).toMatch(/^\w{10,}$/);
    expect(wild.body.error.requestId).toBe(wild.headers.get('x-request-id'));
  });

  test('HEAD answers like GET without a body', async () => {
    const head = await stage.call('/schedules', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });
});

test('about says what this is', async () => {
  const { body } = await stage.call('/about');
  shape.about.parse(body);
  expect(body.store).toBe('memory');
});
