import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient, CarillonError } from '../../packages/carillon/src/client/index.ts';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open();
  client = new CarillonClient({ url: stage.server.url, actor: 'ada' });
});
afterAll(async () => await stage.server.stop());

async function errorOf(promise: Promise<unknown>): Promise<CarillonError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CarillonError) return error;
    throw error;
  }
  throw new Error('it went well');
}

/** Passes requests on, but loses answers: the change is made and the client does not learn of it. */
function losing(count: number): { fetch: typeof fetch; lost: () => number } {
  let lost = 0;
  return {
    lost: () => lost,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (lost < count) {
        lost += 1;
        await response.arrayBuffer();
        throw new TypeError('fetch failed');
      }
      return response;
    },
  };
}

describe('the client', () => {
  test('does all there is to do', async () => {
    const { schedules, runs } = client;
    expect(await schedules.create('a b', { every: '1h', run: 'work', tags: ['x'] })).toEqual({
      id: 'a b',
      token: 1,
    });
    expect(await schedules.upsert('a b', { every: '2h', run: 'work' }, { token: 1 })).toEqual({
      token: 2,
      created: false,
      isChanged: true,
    });
    expect(await schedules.upsert('a b', { every: '2h', run: 'work' })).toMatchObject({
      token: 2,
      isChanged: false,
    });
    expect(await schedules.patch('a b', { owner: 'me', tags: null })).toEqual({ token: 3, isChanged: true });
    expect((await schedules.definition('a b')).owner).toBe('me');
    await schedules.pause('a b', { note: 'n' });
    expect((await schedules.describe('a b')).paused).toMatchObject({ by: 'ada', note: 'n' });
    await schedules.resume('a b');
    expect((await schedules.list({ owner: 'me', state: 'running' })).items).toHaveLength(1);
    expect(await schedules.count({ owner: 'me' })).toBe(1);
    const seen = [];
    for await (const each of schedules.each({ owner: 'me', limit: 1 })) seen.push(each.id);
    expect(seen).toEqual(['a b']);
    expect((await schedules.trigger('a b')).cause).toBe('trigger:1');
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T04:00:00Z' };
    expect((await schedules.previewBackfill('a b', range)).items).toHaveLength(3);
    expect((await schedules.backfill('a b', range)).id).toBe('2');
    expect(await schedules.next('a b', { count: 3 })).toHaveLength(3);
    expect((await schedules.explainAll('a b', '2020-01-01T00:00:00Z'))[0]?.answer).toBe('beforeCreation');
    expect((await schedules.slots('a b')).items.length).toBeGreaterThan(0);
    expect((await schedules.runs('a b')).items.length).toBeGreaterThan(0);
    expect((await schedules.audit('a b')).items[0]?.actor).toBe('ada');
    await schedules.release('a b');
    await schedules.delete('a b');
    const run = await runs.enqueue({ run: 'work', queue: 'absent' });
    expect((await runs.get(run.id)).state).toBe('waiting');
    expect(await runs.cancel(run.id, { reason: 'no need' })).toBe('ended');
    expect(await runs.terminate(run.id)).toBe('done');
    expect((await runs.list({ queue: 'absent', outcome: ['cancelled'] })).items).toHaveLength(1);
    expect((await client.about()).store).toBe('memory');
  });

  test('applies one verb to many schedules, and names those that refused it', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `bulk-${i}`);
    for (const id of ids) await client.schedules.create(id, { every: '1h', run: 'work' });
    const { items, failed } = await client.schedules.bulk('pause', [...ids, 'absent'], { note: 'freeze' });
    expect(failed).toBe(1);
    expect(items.map(({ id }) => id)).toEqual([...ids, 'absent']);
    expect(items.at(-1)).toMatchObject({ ok: false, reason: 'NOT_FOUND' });
    expect((await client.schedules.describe('bulk-7')).paused?.note).toBe('freeze');
    expect((await client.schedules.bulk('delete', ids)).failed).toBe(0);
    expect((await errorOf(client.schedules.bulk('pause', []))).reason).toBe('INVALID');
  });

  test('works in a namespace of its own', async () => {
    const other = new CarillonClient({ url: `${stage.server.url}/`, namespace: 'other/one' });
    await other.schedules.create('n', { every: '1h', run: 'work' });
    expect((await other.schedules.describe('n')).namespace).toBe('other/one');
    expect((await errorOf(client.schedules.describe('n'))).reason).toBe('NOT_FOUND');
  });

  test('distinguishes refusals', async () => {
    const error = await errorOf(client.schedules.create('x', { every: 'soon', run: 'work' }));
    expect(error).toMatchObject({ status: 400, code: 'invalidArgument', reason: 'INVALID' });
    expect(error.problems[0]?.path).toBe('every');
    expect(error.requestId).not.toBe('');
  });

  test('repeats a change whose answer was lost, and it happens once', async () => {
    const { fetch, lost } = losing(2);
    const shaky = new CarillonClient({ url: stage.server.url, fetch });
    expect(await shaky.schedules.create('shaky', { every: '1h', run: 'work' })).toMatchObject({ token: 1 });
    expect(lost()).toBe(2);
    for (const verb of ['trigger', 'pause', 'resume'] as const) {
      const again = new CarillonClient({ url: stage.server.url, fetch: losing(1).fetch });
      await again.schedules[verb]('shaky');
    }
    const audit = await client.schedules.audit('shaky');
    expect(audit.items.map(({ action }) => action)).toEqual(['resume', 'pause', 'trigger', 'create']);
    const gone = new CarillonClient({ url: stage.server.url, fetch: losing(1).fetch });
    await gone.schedules.delete('shaky');
  });

  test('waits for a server that asks it to, and gives up on one that is not there', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    await new CarillonClient({ url }).about();
    expect(asked).toBe(3);
    await new Promise((resolve) => server.close(resolve));
    const error = await errorOf(new CarillonClient({ url, attempts: 2 }).about());
    expect(error).toMatchObject({ status: 0, reason: 'UNREACHABLE' });
    expect(error.message).toContain(url);
  });
});
