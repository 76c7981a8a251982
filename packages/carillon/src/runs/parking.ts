/**
 * A parked run waits for an outside system: its handler has handed the work on and returned, its capacity is free, and
 * a holder of its lease token may finish it, in any process, until its time is up. It stays leased under the same
 * token; the worker's name says that it is parked, so it needs no heartbeats and a restart does not affect it.
 */
import { isMarked, markInstances } from '../base/mark.ts';
import type { RunRow } from '../store/records.ts';

const mark = '@parked/';

/** The prefix that replaces the name of the worker, followed by the requested time, which a restart may have to grant anew. */
export function parkedWorker(forMs: number): string {
  return `${mark}${forMs}`;
}

/** How long a parked run was to wait; undefined for a run that is not parked. */
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

/** Whether a handler returned `park()`, also the one of another copy of the library. */
export function isParking(value: unknown): value is Parking {
  return isMarked(value, parkingMark);
}

/**
 * Returned by a handler whose work continues elsewhere. `forMs` is how long to wait for its end; then the attempt has
 * timed out and the retry policy decides. The attempt's and the run's own limits still apply.
 */
export function park({ forMs }: { readonly forMs: number }): Parking {
  if (!Number.isFinite(forMs) || forMs <= 0) throw new RangeError(`cannot park a run for ${forMs} ms`);
  return new Parking(Math.trunc(forMs));
}

export function isParked(run: RunRow): boolean {
  return run.state === 'leased' && run.worker.startsWith(mark);
}
