/** Pages of runs, bounded by bytes as well as by count. */
import type { RunRow } from '../store/records.ts';
import type { Page } from '../store/store.ts';
import type { Paging } from './bounded-page.ts';
import { boundedPage } from './bounded-page.ts';
import { largestPage } from './limits.ts';
import { runBytes } from './run-view.ts';

export async function boundedRuns(
  { limit, ...rest }: Paging,
  read: (paging: Paging) => Promise<Page<RunRow>>,
): Promise<Page<RunRow>> {
  return await boundedPage({ limit: Math.min(limit, largestPage), ...rest }, async (paging) => {
    const { items, next } = await read(paging);
    return { items: items.map((item) => ({ item, bytes: runBytes(item) })), next };
  });
}
