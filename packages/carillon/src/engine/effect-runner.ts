/**
 * Runs side-effect tasks after the commit that leased them, a limited number at once, and reports their outcome as an
 * ordinary update that counts only while the lease still holds. A report that cannot be stored is abandoned: the lease
 * lapses and the task runs again.
 */
import { pauseAfter } from '../base/backoff.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Batch } from './batch.ts';
import type { Dispatch } from './dispatch.ts';
import type { PendingTask } from './document.ts';
import type { Engine } from './engine.ts';
import type { AroundEffect } from './options.ts';
import type { Tree } from './tree.ts';

type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Tries to store a report before the lease is left to lapse. */
const reportTries = 3;

export class EffectRunner {
  readonly #engine: Engine;
  readonly #limit: number;
  readonly #around: AroundEffect;
  readonly #waiting: Dispatch[] = [];
  readonly #active = new Set<Promise<void>>();
  #stop = new AbortController();

  constructor(engine: Engine, options: { readonly limit: number; readonly around: AroundEffect }) {
    this.#engine = engine;
    this.#limit = options.limit;
    this.#around = options.around;
  }

  start(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  run(dispatch: Dispatch): void {
    // The last step before the stop leased this task: its lease lapses, like those of waiting tasks.
    if (this.#stop.signal.aborted) return;
    this.#waiting.push(dispatch);
    this.#fill();
  }

  /** Aborts running tasks and waits for them. Leases of aborted or waiting tasks lapse by themselves. */
  async stop(): Promise<void> {
    this.#waiting.length = 0;
    this.#stop.abort(new Error('the engine is stopping'));
    await Promise.allSettled(this.#active);
  }

  #fill(): void {
    while (this.#active.size < this.#limit) {
      const dispatch = this.#waiting.shift();
      if (dispatch === undefined) return;
      const work = this.#perform(dispatch).finally(() => {
        this.#active.delete(work);
        this.#fill();
      });
      this.#active.add(work);
    }
  }

  async #perform(dispatch: Dispatch): Promise<void> {
    const { clock, observer } = this.#engine;
    const { definition, task } = dispatch;
    const lease = new AbortController();
    const leaseEnds = addTime(clock.now(), definition.lease);
    const cancelTimer = clock.wakeAt(leaseEnds, () =>
      lease.abort(new Error(`the lease of ${task.name} lapsed`)),
    );
    const signal = AbortSignal.any([this.#stop.signal, lease.signal]);
    let outcome: Outcome;
    try {
      const { ref, prepared } = dispatch;
      const effect = { ref, payload: task.payload, prepared, attempt: task.attempt, signal };
      const result = await this.#around(() => definition.execute(effect));
      outcome = { ok: true, result };
    } catch (error) {
      outcome = { ok: false, error };
    } finally {
      cancelTimer();
    }
    if (!outcome.ok && this.#stop.signal.aborted) return;
    for (let tried = 1; tried <= reportTries; tried += 1) {
      try {
        await this.#report(dispatch, outcome);
        return;
      } catch (error) {
        observer.trouble(error);
      }
    }
  }

  async #report(dispatch: Dispatch, outcome: Outcome): Promise<void> {
    await this.#engine.transact(
      { kind: 'keys', keys: [dispatch.ref.key] },
      (batch: Batch) => {
        const row = batch.rowOf(dispatch.ref.key);
        if (row === undefined || row.incarnation !== dispatch.ref.incarnation || row.status === 'closed')
          return;
        batch.isolate(row, (tree) => conclude(tree, dispatch, outcome));
      },
      { isolating: true },
    );
  }
}

/** Applies an outcome to the tree, unless another node has taken the task over meanwhile. */
function conclude(tree: Tree, dispatch: Dispatch, outcome: Outcome): void {
  const { definition, task } = dispatch;
  const held = tree.tasks.find((other) => other.id === task.id && other.attempt === task.attempt);
  if (held === undefined) return;
  tree.touched = true;
  // The side effect may still hold, and change, the objects it returned.
  tree.exposed = true;
  const node = tree.node(task.path);
  if (outcome.ok) {
    tree.tasks = tree.tasks.filter((other) => other !== held);
    definition.complete(node, task.payload, outcome.result);
  } else if (task.attempt >= definition.retry.attempts) {
    tree.tasks = tree.tasks.filter((other) => other !== held);
    definition.exhausted(node, task.payload, outcome.error);
  } else {
    const again: PendingTask = { ...held, at: retryAt(tree.now, dispatch), leaseUntil: 0 };
    tree.tasks = tree.tasks.map((other) => (other === held ? again : other));
  }
}

/** The pause before a retry, doubling from `initial` to `longest`. */
function retryAt(now: Instant, { definition: { retry }, task }: Dispatch): Instant {
  return addTime(now, pauseAfter(task.attempt, { firstMs: retry.initial, longestMs: retry.longest }));
}
