import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { Documents } from '../../packages/carillon/src/store/documents.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { StandingClock } from '../store/store-fixture.ts';

function shelf() {
  const store = new MemoryStore({ clock: new StandingClock(5000) });
  let made = 0;
  return new Documents<{ readonly count: number }>({
    store,
    kind: 'thing',
    newId: () => {
      made += 1;
      return `id-${made}`;
    },
  });
}

describe('documents', () => {
  test('a document is made, changed and removed by one verb', async () => {
    const documents = shelf();
    const more = (before: { readonly count: number } | undefined) => ({ count: (before?.count ?? 0) + 1 });
    await documents.change('a', 'one', more);
    await expect(documents.change('a', 'one', more)).resolves.toEqual({ count: 2 });
    await expect(documents.get('a', 'one')).resolves.toEqual({
      namespace: 'a',
      id: 'one',
      createdAt: instant(5000),
      data: { count: 2 },
    });
    await documents.change('a', 'one', () => null);
    await expect(documents.get('a', 'one')).resolves.toBeUndefined();
  });

  test('changes made at once are all counted', async () => {
    const documents = shelf();
    const more = (before: { readonly count: number } | undefined) => ({ count: (before?.count ?? 0) + 1 });
    await Promise.all(Array.from({ length: 20 }, () => documents.change('a', 'one', more)));
    expect((await documents.get('a', 'one'))?.data).toEqual({ count: 20 });
  });

  test('a decision that throws changes nothing', async () => {
    const documents = shelf();
    await documents.change('a', 'one', () => ({ count: 1 }));
    const refused = documents.change('a', 'one', () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect((await documents.get('a', 'one'))?.data).toEqual({ count: 1 });
  });

  test('a change is audited in its own transaction when it is said who made it', async () => {
    const store = new MemoryStore({ clock: new StandingClock(5000) });
    const documents = new Documents<{ readonly count: number }>({ store, kind: 'thing', newId: () => 'id' });
    const by = { actor: 'ann', door: 'temporal', action: 'count' };
    const same = (before: { readonly count: number } | undefined) => before ?? null;
    await documents.change('a', 'one', () => ({ count: 1 }), by);
    await documents.change('a', 'one', () => ({ count: 2 }));
    await documents.change('a', 'one', same, by);
    await documents.change('a', 'none', same, by);
    await documents.change('a', 'one', () => null, { ...by, action: 'remove' });
    const { items } = await store.audit({ limit: 10 });
    const common = {
      namespace: 'a',
      target: 'thing/one',
      at: 5000,
      actor: 'ann',
      door: 'temporal',
      note: '',
    };
    expect(items).toEqual([
      { ...common, action: 'remove', before: '{"count":2}', after: null },
      { ...common, action: 'count', before: null, after: '{"count":1}' },
    ]);
  });

  test('all are listed by namespace and id', async () => {
    const documents = shelf();
    for (const [namespace, id] of [
      ['b', 'x'],
      ['a', 'y'],
      ['a', 'x'],
    ] as const) {
      await documents.change(namespace, id, () => ({ count: 1 }));
    }
    const names = (await documents.all()).map(({ namespace, id }) => `${namespace}/${id}`);
    expect(names).toEqual(['a/x', 'a/y', 'b/x']);
    expect(await documents.all('b')).toHaveLength(1);
  });
});
