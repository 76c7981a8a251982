/**
 * Waiting runs: for each queue and priority one heap by availability. Runs that are backing off at a high
 * priority are therefore never walked over to find runs that could start at a lower one.
 */
import type { Instant } from '../../base/time.ts';
import { instant } from '../../base/time.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import type { KnownRuns, WaitingQuery } from '../store.ts';
import { Heap } from './heap.ts';
import type { StoredRun } from './run-rows.ts';

export class WaitingRunQueues {
  readonly #queues = new Map<string, Map<number, Heap<StoredRun>>>();

  add(run: StoredRun): void {
    const { queue, priority } = run.row;
    const levels = this.#queues.get(queue) ?? new Map<number, Heap<StoredRun>>();
    this.#queues.set(queue, levels);
    const level = levels.get(priority) ?? new Heap<StoredRun>((a, b) => compareAvailability(a.row, b.row));
    levels.set(priority, level);
    run.waiting = level.add(run);
  }

  delete(run: StoredRun): void {
    if (run.waiting === undefined) return;
    const { queue, priority } = run.row;
    const levels = this.#queues.get(queue);
    const level = levels?.get(priority);
    level?.delete(run.waiting);
    run.waiting = undefined;
    if (level?.size === 0) levels?.delete(priority);
    if (levels?.size === 0) this.#queues.delete(queue);
  }

  claimable({ queues, known }: WaitingQuery, now: Instant, limit: number): readonly RunRow[] {
    const found: RunRow[] = [];
    const isAvailable = ({ row }: StoredRun) => row.availableAt <= now;
    for (const queue of new Set(queues)) {
      const levels = [...(this.#queues.get(queue) ?? [])].sort(([a], [b]) => b - a);
      let wanted = limit;
      for (const [, level] of levels) {
        const runs =
          known === undefined
            ? level.first(wanted, isAvailable)
            : level
                .first(level.size, isAvailable)
                .filter(({ row }) => isKnown(row, known))
                .slice(0, wanted);
        for (const { row } of runs) found.push(row);
        wanted -= runs.length;
        if (wanted <= 0) break;
      }
    }
    return found
      .sort((a, b) => b.priority - a.priority || compareAvailability(a, b))
      .slice(0, Math.max(0, limit));
  }

  earliest({ queues, known }: WaitingQuery): Instant | null {
    let earliest = Number.POSITIVE_INFINITY;
    for (const queue of queues) {
      for (const level of this.#queues.get(queue)?.values() ?? []) {
        const first =
          known === undefined
            ? level.peek()
            : level.first(level.size, () => true).find(({ row }) => isKnown(row, known));
        earliest = Math.min(earliest, first?.row.availableAt ?? Number.POSITIVE_INFINITY);
      }
    }
    return earliest === Number.POSITIVE_INFINITY ? null : instant(earliest);
  }
}

function isKnown({ namespace, queue, name }: RunRow, known: KnownRuns): boolean {
  const { names = {} } = known;
  return (
    (known.namespace ?? namespace) === namespace &&
    (!Object.hasOwn(names, queue) || names[queue]?.includes(name) === true)
  );
}

function compareAvailability(a: RunRow, b: RunRow): number {
  return a.availableAt - b.availableAt || compareText(a.id, b.id);
}
