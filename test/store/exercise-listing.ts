import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { matchesFilter } from '../../packages/carillon/src/store/filter.ts';
import { compareText } from '../../packages/carillon/src/store/order.ts';
import type { ExecutionWrite, ListedExecution } from '../../packages/carillon/src/store/records.ts';
import type { Filter, ListQuery } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { aKey, anExecution, cursor, everyPage, write } from './store-fixture.ts';

const text = fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'Ab', 'é', '🕰', '🕰x', '\uffee', '\ud7ff', '5');
const field = fc.constantFrom('id', 'f1', 'f2', 'f3', 's1', 'constructor', 'weird "\'%$.field');
const scalar = fc.oneof(text, fc.constantFrom(-1, 0, 1, 2.5, 5), fc.boolean());
const attributes = fc.dictionary(
  fc.constantFrom('f1', 'f2', 'f3', 'weird "\'%$.field'),
  fc.oneof(scalar, fc.array(text, { maxLength: 3 })),
  { noNullPrototype: true },
);
const signals = fc.dictionary(fc.constantFrom('s1', 'f2'), fc.constantFrom(-1, 0, 1, 2.5, 5), {
  noNullPrototype: true,
});

const { filter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
  leaf: fc.oneof(
    fc.record({
      field,
      is: fc.constantFrom('=', '!=', '<', '<=', '>', '>=', 'startsWith', 'contains'),
      value: scalar,
    }),
    fc.record({ field, is: fc.constant('in'), values: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ field, is: fc.constant('present') }),
  ) as fc.Arbitrary<Filter>,
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ) as fc.Arbitrary<Filter>,
}));

function mentionsOnlyId(given: Filter): boolean {
  if ('all' in given) return given.all.every(mentionsOnlyId);
  if ('any' in given) return given.any.every(mentionsOnlyId);
  if ('not' in given) return mentionsOnlyId(given.not);
  return given.field === 'id';
}

export function exerciseListing(bench: () => Bench): void {
  describe('listing', () => {
    const everything = (query: Omit<ListQuery, 'after' | 'limit'>, limit: number) =>
      everyPage((after) => bench().store.list({ ...query, limit, ...cursor(after) }));

    const someRows = (seed: number): readonly ExecutionWrite[] =>
      fc
        .sample(
          fc.record({
            namespace: fc.constantFrom('n1', 'n2', 'N1', '🕰'),
            archetype: fc.constantFrom('a', 'b'),
            id: text,
            isOpen: fc.boolean(),
            incident: fc.constantFrom(null, null, 'boom'),
            attributes,
            signals,
          }),
          { numRuns: 90, seed },
        )
        .map(({ namespace, archetype, id, isOpen, ...rest }, i) => {
          const status = isOpen ? 'open' : 'closed';
          const closedAt = isOpen ? null : instant(1);
          const key = aKey(id, namespace, archetype);
          return anExecution({ key, incarnation: `i${i}`, createdAt: instant(i), status, closedAt, ...rest });
        });

    /** Writes what the rule of one open incarnation per key admits, in order; returns it as listed. */
    const fill = async (rows: readonly ExecutionWrite[]): Promise<readonly ListedExecution[]> => {
      const kept: ListedExecution[] = [];
      const open = new Set<string>();
      for (const row of rows) {
        const key = JSON.stringify(row.key);
        if (open.has(key)) continue;
        if (row.status === 'open') open.add(key);
        kept.push({ ...row, attributes: row.attributes ?? {} });
      }
      for (const row of kept) await write(bench().store, { executions: [row] });
      return kept.sort(
        (a, b) =>
          compareText(a.key.namespace, b.key.namespace) ||
          compareText(a.key.archetype, b.key.archetype) ||
          compareText(a.key.id, b.key.id) ||
          a.createdAt - b.createdAt,
      );
    };

    it('lists in order of namespace, archetype, id and creation, whatever the page size', async () => {
      const rows = await fill(someRows(1));
      for (const limit of [1, 7, 1000]) {
        const { items, pages } = await everything({}, limit);
        expect(items).toEqual(rows);
        expect(pages).toBe(Math.ceil(rows.length / limit));
      }
    });

    it('narrows by namespace, archetype, status and quarantine, and counts the same', async () => {
      const rows = await fill(someRows(2));
      const queries: Omit<ListQuery, 'after' | 'limit'>[] = [
        { namespace: 'n1' },
        { archetype: 'b' },
        { namespace: '🕰', archetype: 'a' },
        { status: 'open' },
        { status: 'closed', namespace: 'N1' },
        { quarantined: true },
        { quarantined: false, archetype: 'a' },
        { namespace: 'absent' },
      ];
      for (const query of queries) {
        const expected = rows.filter(
          (row) =>
            (query.namespace === undefined || row.key.namespace === query.namespace) &&
            (query.archetype === undefined || row.key.archetype === query.archetype) &&
            (query.status === undefined || row.status === query.status) &&
            (query.quarantined === undefined || (row.incident !== null) === query.quarantined),
        );
        for (const limit of [3, 1000]) {
          expect((await everything(query, limit)).items, JSON.stringify(query)).toEqual(expected);
        }
        expect(await bench().store.count(query)).toBe(expected.length);
      }
    });

    it('filters by any condition as matchesFilter does', async () => {
      const { store } = bench();
      const rows = await fill(someRows(3));
      const conditions = fc
        .sample(filter, { numRuns: 400, seed: 4 })
        .filter((each) => store.capabilities.filters === 'all' || mentionsOnlyId(each));
      for (const condition of conditions) {
        const expected = rows.filter((row) => matchesFilter(condition, row));
        const { items } = await everything({ filter: condition }, 40);
        expect(
          items.map((row) => row.incarnation),
          JSON.stringify(condition),
        ).toEqual(expected.map((row) => row.incarnation));
        expect(await store.count({ filter: condition })).toBe(expected.length);
      }
    });

    it('filters by id and by its beginning, alone and among other conditions', async () => {
      const { store } = bench();
      const ids = [
        '',
        'a',
        'ab',
        'abc',
        'ac',
        'b',
        '\ud7ff',
        '\ud7ffx',
        '\ue000',
        '\u{10ffff}',
        '\u{10ffff}x',
        '%',
        '_',
      ];
      const rows = await fill(ids.map((id, i) => anExecution({ key: aKey(id), incarnation: `i${i}` })));
      for (const value of [...ids, 'absent', 'a\u{10ffff}']) {
        for (const is of ['=', 'startsWith', '<', '>=', 'contains'] as const) {
          const condition: Filter = { field: 'id', is, value };
          const isOdd: Filter = { not: { field: 'id', is: 'in', values: ['ab', 'b'] } };
          for (const each of [
            condition,
            { all: [isOdd, condition] },
            { any: [condition] },
            { not: condition },
          ]) {
            const expected = rows.filter((row) => matchesFilter(each, row)).map((row) => row.key.id);
            const { items } = await everything({ filter: each }, 4);
            expect(
              items.map((row) => row.key.id),
              JSON.stringify(each),
            ).toEqual(expected);
            expect(await store.count({ namespace: 'default', filter: each })).toBe(expected.length);
          }
        }
      }
    });

    it('pages on without repeating or missing rows while others come and go', async () => {
      const { store } = bench();
      const ids = ['b', 'd', 'f', 'h', 'j'];
      await write(store, { executions: ids.map((id) => anExecution({ id })) });
      const first = await store.list({ limit: 2 });
      expect(first.items.map((row) => row.key.id)).toEqual(['b', 'd']);
      // The last row handed out goes; one comes before the cursor, one after it.
      await write(store, {
        remove: ['d#1'],
        executions: [anExecution({ id: 'a' }), anExecution({ id: 'g' })],
      });
      const second = await store.list({ limit: 2, ...cursor(first.next ?? undefined) });
      expect(second.items.map((row) => row.key.id)).toEqual(['f', 'g']);
      const third = await store.list({ limit: 9, ...cursor(second.next ?? undefined) });
      expect(third.items.map((row) => row.key.id)).toEqual(['h', 'j']);
      expect(third.next).toBe(null);
    });

    it('refuses a cursor that is not its own', async () => {
      await expect(bench().store.list({ limit: 1, after: '%%%' })).rejects.toMatchObject({
        reason: 'BAD_CURSOR',
      });
    });
  });
}
