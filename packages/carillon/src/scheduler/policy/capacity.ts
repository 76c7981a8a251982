/** How many starts may wait, and how a backfill shares that room. */

export interface BufferLimits {
  /** Starts of one schedule that may wait at once; more are dropped with the verdict `bufferFull`. */
  readonly bufferSize: number;
  /** Room that is kept for the schedule's own slots, whatever backfills do. */
  readonly generatorReserve: number;
  /** Unfinished runs of one schedule beyond which starts are dropped with the verdict `bufferFull`, unless its policy says otherwise. */
  readonly outstanding: number;
}

export const defaultBufferLimits: BufferLimits = {
  bufferSize: 1000,
  generatorReserve: 50,
  outstanding: 10_000,
};

export interface BackfillShare extends Omit<BufferLimits, 'outstanding'> {
  readonly buffered: number;
  /** Buffered entries that are finished and only remembered. They are remembered elsewhere: 0. */
  readonly retained: number;
  readonly backfills: number;
}

/** Room for one of several backfills: an even split of half the buffer, less the reserve. */
export function backfillCapacity(share: BackfillShare): number {
  const { bufferSize, generatorReserve, buffered, retained, backfills } = share;
  const used = Math.max(0, buffered - retained);
  const room = Math.max(0, Math.floor(bufferSize / 2) - used - generatorReserve);
  return Math.floor(room / Math.max(1, backfills));
}
