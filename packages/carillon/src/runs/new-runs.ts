/** Runs that are enqueued without an owner: what is refused, and the ids under which a repeated request finds its first run. */
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { day } from '../base/time.ts';
import type { Batch } from '../engine/batch.ts';
import type { RunRow } from '../store/records.ts';
import { longestInput } from './limits.ts';
import { timeIn } from './request-time.ts';
import type { NewRun } from './run.ts';
import { queuedRunId, runId } from './run-id.ts';

/** A run without an owner. With a request id, a repeated call within a day returns the same run. */
export type Enqueue = Omit<NewRun, 'id' | 'now' | 'owner'>;

export interface PlannedRun {
  readonly work: Enqueue;
  readonly id: string;
  /** The ids that an earlier call with the same request id may have used. */
  readonly candidates: readonly string[];
}

export class NewRuns {
  readonly #clock: Clock;
  readonly #newId: () => string;
  /** The number of runs planned so far, which gives them an order. */
  #planned = 0;

  constructor(clock: Clock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /**
   * Ids sort by time, yet a repeated request must find its first run without knowing its time: the time in the
   * id is a whole day, and the days on either side are searched too, since nodes may disagree about midnight. A request
   * id that contains its own time needs none of that.
   */
  plan(work: Enqueue): PlannedRun {
    const now = this.#clock.now();
    const requestId = work.options?.requestId;
    if (requestId === undefined) {
      this.#planned += 1;
      return { work, id: queuedRunId(now, this.#planned, this.#newId()), candidates: [] };
    }
    const identity = `${work.namespace}\0${work.queue}\0${requestId}`;
    const asked = timeIn(requestId, now);
    if (asked !== undefined) {
      const id = runId(asked, identity);
      return { work, id, candidates: [id] };
    }
    const today = Math.floor(now / day) * day;
    const candidates = [today, today - day, today + day].map((start) => runId(start as Instant, identity));
    return { work, id: candidates[0] as string, candidates };
  }
}

export function checkAlias({ names }: Batch, { namespace, alias, exclusive }: RunRow): void {
  if (!exclusive || alias === null) return;
  const holder = names.holderOfAlias({ namespace, alias }, undefined, '');
  if (holder === undefined) return;
  throw new ServiceError({
    code: 'alreadyExists',
    reason: 'RUN_ALREADY_STARTED',
    message: `run ${holder.runId} is unfinished under the id ${JSON.stringify(alias)}; wait for it to end, or stop it`,
  });
}

export function checkInput(work: Enqueue): void {
  const text = JSON.stringify(work.input ?? null);
  if (work.name !== '' && work.queue !== '' && text !== undefined && text.length <= longestInput) return;
  const path = work.name === '' ? 'name' : work.queue === '' ? 'queue' : 'input';
  const message =
    path === 'input' ? `must be JSON of at most ${longestInput} characters` : 'must not be empty';
  throw ServiceError.invalid([{ path, reason: 'BAD_RUN', message }]);
}
