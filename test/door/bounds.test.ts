/** What one caller stores or asks for stays within bounds: bytes of a page, payloads, keys, attributes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => await stage.server.stop());

const mebibyte = 1024 * 1024;

/** Reads a listing to its end; answers the items and the bytes of its largest page. */
async function readAll(path: string) {
  const items: { readonly id: string; readonly input?: unknown }[] = [];
  let largest = 0;
  let pages = 0;
  let after: string | null = null;
  do {
    const cursor: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const { status, body } = await stage.call(`${path}${cursor}`);
    expect(status).toBe(200);
    items.push(...body.items);
    largest = Math.max(largest, JSON.stringify(body).length);
    pages += 1;
    after = body.next;
  } while (after !== null);
  return { items, largest, pages };
}

describe('a page', () => {
  test('of runs with large inputs is bounded by bytes, and the cursor leads through all of them', async () => {
    const input = 'x'.repeat(mebibyte);
    const ids: string[] = [];
    for (let n = 0; n < 24; n += 1) {
      const { body } = await stage.call('/runs', { body: { run: 'work', queue: 'absent', input } });
      ids.push(body.id);
    }
    const plain = await readAll('/runs?queue=absent&limit=1000');
    expect(plain.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(plain.largest).toBeLessThan(100_000);
    // Inputs are not even read, so that all of them fit into one page.
    expect(plain.pages).toBe(1);
    for (const item of plain.items) expect(item).not.toHaveProperty('input');

    const whole = await readAll('/runs?queue=absent&limit=1000&include=payloads');
    expect(whole.items).toHaveLength(24);
    expect(whole.largest).toBeLessThan(6 * mebibyte);
    expect(whole.pages).toBeGreaterThan(4);
    for (const item of whole.items) expect(item.input).toBe(input);
    expect((await stage.call(`/runs/${ids[0]}`)).body.input).toBe(input);
  });

  test('of schedules with large inputs is bounded too, and shows them only when asked', async () => {
    const input = { text: 'x'.repeat(mebibyte) };
    for (let n = 0; n < 12; n += 1) await stage.create(`heavy-${n}`, { input, tags: ['heavy'] });
    const plain = await readAll('/schedules?tag=heavy&limit=1000');
    expect(plain.items).toHaveLength(12);
    expect(plain.largest).toBeLessThan(100_000);
    const whole = await readAll('/schedules?tag=heavy&limit=1000&include=payloads');
    expect(whole.items).toHaveLength(12);
    expect(whole.largest).toBeLessThan(6 * mebibyte);
    expect(whole.items[0]).toMatchObject({ action: { input } });
    // Its changes hold the definition before and after.
    for (let n = 0; n < 12; n += 1) {
      await stage.call('/schedules/heavy-0', { method: 'PATCH', body: { input: { ...input, n } } });
    }
    const audit = await readAll('/schedules/heavy-0/audit?limit=1000');
    expect(audit.items).toHaveLength(13);
    expect(audit.largest).toBeLessThan(12 * mebibyte);
  });

  test('of small things is as long as it was asked to be', async () => {
    for (let n = 0; n < 30; n += 1) await stage.create(`light-${n}`, { tags: ['light'] });
    const { body } = await stage.call('/schedules?tag=light&limit=20');
    expect(body.items).toHaveLength(20);
  });
});

describe('what is stored', () => {
  const problemOf = async (fields: Readonly<Record<string, unknown>>) => {
    const { status, body } = await stage.create('refused', fields);
    const [{ path, reason, fix } = { path: '', reason: '', fix: '' }] = body.error?.problems ?? [];
    return [status, path, reason, typeof fix === 'string' && fix.length > 10];
  };
  const keys = (count: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, value]));

  test('has a bounded number of attributes, of bounded size', async () => {
    expect(await problemOf({ attributes: keys(101) })).toEqual([
      400,
      'attributes',
      'TOO_MANY_ATTRIBUTES',
      true,
    ]);
    expect(await problemOf({ attributes: keys(100, 'x'.repeat(500)) })).toEqual([
      400,
      'attributes',
      'TOO_LARGE',
      true,
    ]);
    expect((await stage.create('attributed', { attributes: keys(100) })).status).toBe(201);
  });

  test('has a bounded number of keys', async () => {
    expect(await problemOf({ input: keys(10_001) })).toEqual([400, 'input', 'TOO_MANY_KEYS', true]);
    expect(await problemOf({ input: { list: Array(11).fill(keys(10_000)) } })).toEqual([
      400,
      'input',
      'TOO_MANY_KEYS',
      true,
    ]);
    expect(await problemOf({ memo: { inner: keys(10_001) } })).toEqual([400, 'memo', 'TOO_MANY_KEYS', true]);
    const { status, body } = await stage.call('/runs', { body: { run: 'work', input: keys(10_001) } });
    expect([status, body.error.problems[0].reason]).toEqual([400, 'TOO_MANY_KEYS']);
    expect((await stage.create('many-keys', { input: keys(10_000) })).status).toBe(201);
  });

  test('may have any valid JSON for a key but __proto__, which is refused as that', async () => {
    const text = '{"constructor":{"prototype":{"polluted":true}},"prototype":1,"toString":2}';
    const definition = `{"id":"keys","every":"1h","run":"work","input":${text}}`;
    expect((await stage.call('/schedules', { body: definition })).status).toBe(201);
    const { body } = await stage.call('/schedules/keys');
    expect(JSON.stringify(body.action.input)).toBe(text);
    expect(({} as { readonly polluted?: true }).polluted).toBeUndefined();
    const { body: run } = await stage.call('/runs', { body: `{"run":"work","input":${text}}` });
    expect(JSON.stringify(run.input)).toBe(text);
    const refused = await stage.call('/runs', { body: '{"run":"work","input":{"__proto__":{"a":1}}}' });
    expect([refused.status, refused.body.error.reason]).toEqual([400, 'BAD_KEY']);
  });
});
