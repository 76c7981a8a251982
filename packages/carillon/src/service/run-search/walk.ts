/**
 * Walks over the runs of some sources, newest first, in batches. A position in the walk is the source, the cursor of
 * its batch, and the last run seen: a batch that is read again after new runs were added continues after that run.
 * Between two batches the walk yields to the event loop, because an embedded store answers synchronously and due
 * schedules must not wait for a search.
 */
import { ServiceError } from '../../base/error.ts';
import { nextTurn } from '../../base/next-turn.ts';
import { compareText } from '../../store/order.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { callerGone } from '../caller-gone.ts';
import type { RunSource } from './sources.ts';

export interface SearchPosition {
  readonly source: string;
  /** The cursor of the batch; empty at the beginning. */
  readonly after: string;
  /** The place of the last run seen; empty when there is none. */
  readonly lastRun: string;
}

export interface RunBatch {
  readonly runs: readonly RunRow[];
  /** The position after a run of this batch. */
  positionAfter(run: RunRow): SearchPosition;
}

export interface SearchWalk {
  readonly store: Store;
  readonly sources: readonly RunSource[];
  readonly from?: SearchPosition;
  readonly signal: AbortSignal;
}

/** Rows contain results of earlier runs in their options, so batches are small. */
const batchSize = 250;

export async function* walk({ store, sources, from, signal }: SearchWalk): AsyncGenerator<RunBatch> {
  let start = from;
  for (const { key, query } of remaining(sources, from)) {
    let after = start?.after ?? '';
    const lastRun = start?.lastRun ?? '';
    start = undefined;
    for (;;) {
      if (signal.aborted) throw callerGone();
      const page = await store.runs({
        ...query,
        payloads: false,
        limit: batchSize,
        ...(after === '' ? {} : { after }),
      });
      const read = after;
      const fresh = page.items.filter((run) => isAfter(run, lastRun));
      if (fresh.length > 0) {
        yield {
          runs: fresh,
          positionAfter: (run) => ({
            source: key,
            after: read,
            lastRun: placeOf(run, query.owner !== undefined),
          }),
        };
      }
      if (page.next === null) break;
      after = page.next;
      await nextTurn();
    }
  }
}

/** The place of a run in its source: its ordinal where runs are in order of their start, otherwise its id. */
function placeOf({ id, ordinal }: RunRow, byStart: boolean): string {
  return byStart ? `#${ordinal ?? -1}` : id;
}

/** Whether a run comes after a place; newer ones come first. */
function isAfter({ id, ordinal }: RunRow, place: string): boolean {
  if (place === '') return true;
  return place.startsWith('#') ? (ordinal ?? -1) < Number(place.slice(1)) : compareText(id, place) < 0;
}

function remaining(sources: readonly RunSource[], from: SearchPosition | undefined): readonly RunSource[] {
  if (from === undefined) return sources;
  const index = sources.findIndex(({ key }) => key === from.source);
  if (index >= 0) return sources.slice(index);
  throw new ServiceError({
    code: 'invalidArgument',
    reason: 'BAD_CURSOR',
    message: 'this page token belongs to another query, or its run was deleted: start again without a token',
  });
}
