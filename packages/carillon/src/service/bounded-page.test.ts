import { describe, expect, test } from 'vitest';
import { boundedPage } from './bounded-page.ts';

/** A table of rows with these sizes; its cursors are positions. */
function aTable(sizes: readonly number[]) {
  let largestRead = 0;
  const read = async ({ limit, after = '0' }: { readonly limit: number; readonly after?: string }) => {
    const from = Number(after);
    const rows = sizes.slice(from, from + limit);
    largestRead = Math.max(largestRead, rows.length);
    const end = from + rows.length;
    return {
      items: rows.map((bytes, index) => ({ item: from + index, bytes })),
      next: end < sizes.length ? String(end) : null,
    };
  };
  return { read, largestRead: () => largestRead };
}

describe('a page', () => {
  test('a page of small rows is bounded by its count', async () => {
    const { read } = aTable(Array(500).fill(10));
    const { items, next } = await boundedPage({ limit: 100 }, read, 10_000);
    expect([items.length, next]).toEqual([100, '100']);
  });

  test('a page of large rows ends when they fill it, and the next page continues there', async () => {
    const { read, largestRead } = aTable(Array(50).fill(1000));
    const seen: number[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const page = await boundedPage(
        { limit: 1000, ...(after === undefined ? {} : { after }) },
        read,
        10_000,
      );
      expect(page.items.length).toBeLessThanOrEqual(10);
      seen.push(...page.items);
      after = page.next ?? undefined;
      pages += 1;
    } while (after !== undefined);
    expect(seen).toEqual([...Array(50).keys()]);
    expect(pages).toBe(5);
    expect(largestRead()).toBeLessThanOrEqual(10);
  });

  test('a page has at least one row, however large it is', async () => {
    const { read } = aTable(Array(10).fill(1_000_000));
    const { items, next } = await boundedPage({ limit: 1 }, read, 10);
    expect([items, next]).toEqual([[0], '1']);
    expect((await boundedPage({ limit: 1000 }, read, 10)).items).toHaveLength(4);
  });

  test('the last page has no next, and a page of nothing is empty', async () => {
    expect(await boundedPage({ limit: 10 }, aTable([1, 2, 3]).read)).toEqual({
      items: [0, 1, 2],
      next: null,
    });
    expect(await boundedPage({ limit: 10 }, aTable([]).read)).toEqual({ items: [], next: null });
  });
});
