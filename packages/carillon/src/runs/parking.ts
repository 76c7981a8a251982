/**
 * A parked run waits for somebody outside: its handler has handed the work on and returned, its place is free, and
 * whoever holds its lease token may finish it, in any process, until its time is up. It stays leased under the same
 * token; the worker's name says that nobody here works on it, so it needs no heartbeats and no restart touches it.
 */
import { isMarked, markInstances } from '../base/mark.ts';
import type { RunRow } from '../store/records.ts';

const mark = '@parked/';

/** Stands where the name of the worker was, with the time that was asked for, which may have to be given anew. */
export function parkedWorker(forMs: number): string {
  return `${mark}${forMs}`;
}

/** How long a parked run was to wait; undefined for one that is not parked. */
export function parkedFor(run: RunRow): number | undefined {
  return isParked(run) ? Number(run.worker.slice(mark.length)) : undefined;
}

const parkingMark = Symbol.for('carillon.Parking');

export class Parking {
  static {
    markInstances(Parking, parkingMark);
  }

  readonly forMs: number;

  constructor(forMs: number) {
    this.forMs = forMs;
  }
}

/** Whether a handler returned `park()`, also that of another copy of the library. */
export function isParking(value: unknown): value is Parking {
  return isMarked(value, parkingMark);
}

/**
 * Returned by a handler whose work goes on elsewhere. `forMs` is how long to wait for its end; then the attempt has
 * timed out and the retry policy decides. The attempt's and the run's own limits still count.
 */
export function park({ forMs }: { readonly forMs: number }): Parking {
  if (!Number.isFinite(forMs) || forMs <= 0) throw new RangeError(`cannot park a run for ${forMs} ms`);
  return new Parking(Math.trunc(forMs));
}

export function isParked(run: RunRow): boolean {
  return run.state === 'leased' && run.worker.startsWith(mark);
}
