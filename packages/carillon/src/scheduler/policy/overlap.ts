/**
 * Which of the waiting starts may run, given the unfinished runs. A pure decision over the whole buffer in order; the caller
 * applies it. `limit` is how many may run at once before a further start has to wait.
 *
 * Differs from Temporal on purpose: every dropped start is returned with its reason, and an `allowAll` start runs even
 * when another start in the same pass cancels or terminates the running ones.
 */
import type { OverlapPolicy } from '../definition.ts';

export interface Waiting {
  readonly overlap: OverlapPolicy;
}

export interface OverlapDecision<W extends Waiting> {
  readonly start: readonly W[];
  readonly keep: readonly W[];
  /** Dropped because a run is unfinished (or was chosen in this pass). */
  readonly skip: readonly W[];
  /** Dropped because a newer `cancelOther` or `terminateOther` start replaces it. */
  readonly replaced: readonly W[];
  readonly stopRunning: 'no' | 'cancel' | 'terminate';
}

export interface OverlapInput<W extends Waiting> {
  readonly waiting: readonly W[];
  /** The number of unfinished runs. */
  readonly running: number;
  readonly limit: number;
}

export function resolveOverlap<W extends Waiting>(input: OverlapInput<W>): OverlapDecision<W> {
  let free = Math.max(0, input.limit - input.running);
  const anyRunning = input.running >= input.limit;
  const overlapping: W[] = [];
  let chosen: W[] = [];
  const keep: W[] = [];
  const skip: W[] = [];
  const replaced: W[] = [];
  let stopRunning: OverlapDecision<W>['stopRunning'] = 'no';

  for (const start of input.waiting) {
    switch (start.overlap) {
      case 'allowAll':
        overlapping.push(start);
        continue;
      case 'cancelOther':
      case 'terminateOther':
        if (anyRunning) {
          keep.push(start);
          if (start.overlap === 'terminateOther') stopRunning = 'terminate';
          else if (stopRunning === 'no') stopRunning = 'cancel';
        } else if (free > 0) {
          chosen.push(start);
          free -= 1;
        } else {
          // The newest start wins: it replaces the last one chosen in this pass.
          const last = chosen.at(-1);
          if (last === undefined) {
            keep.push(start);
            continue;
          }
          replaced.push(last);
          chosen = [...chosen.slice(0, -1), start];
        }
        continue;
      default:
        break;
    }
    if (free > 0) {
      chosen.push(start);
      free -= 1;
    } else if (start.overlap === 'bufferAll') {
      keep.push(start);
    } else if (start.overlap === 'bufferOne' && keep.length === 0) {
      keep.push(start);
    } else {
      skip.push(start);
    }
  }
  const start = overlapping.length === 0 ? chosen : [...overlapping, ...chosen];
  return { start, keep, skip, replaced, stopRunning };
}
