/** How many starts may wait, and how a backfill shares that room. */

/** Room that backfills leave to the schedule's own slots. */
export const generatorReserve = 50;

/** Unfinished runs of one schedule beyond which starts are dropped with the verdict `bufferFull`, unless its policy says otherwise. */
export const mostOutstanding = 10_000;

export interface BackfillShare {
  /** Starts of one schedule that may wait at once; more are dropped with the verdict `bufferFull`. */
  readonly bufferSize: number;
  readonly generatorReserve: number;
  readonly buffered: number;
  readonly backfills: number;
}

/** Room for one of several backfills: an even split of half the buffer, less the reserve. */
export function backfillCapacity(share: BackfillShare): number {
  const { bufferSize, generatorReserve, buffered, backfills } = share;
  const room = Math.max(0, Math.floor(bufferSize / 2) - buffered - generatorReserve);
  return Math.floor(room / Math.max(1, backfills));
}
