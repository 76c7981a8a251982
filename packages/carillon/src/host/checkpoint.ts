/** Commits what a run has done so far, under its lease. */
import { Backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { pause } from '../base/pause.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { RunContext } from '../runs/context.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { isUnavailable } from '../store/error.ts';
import type { EventNeed } from '../store/store.ts';
import type { HostNode } from './host.ts';

export interface Checkpoints {
  readonly engine: Engine;
  readonly queue: RunQueue;
  /** Measures the pauses before a checkpoint is tried again. */
  readonly clock: Clock;
}

/** An unanswered commit is made again until it is answered or the run is lost. */
export async function checkpoint(
  { queue, engine, clock }: Checkpoints,
  { id, leaseToken: token, signal }: Pick<RunContext, 'id' | 'leaseToken' | 'signal'>,
  decide: (host: HostNode, batch: Batch) => void,
  events: readonly EventNeed[] = [],
): Promise<void> {
  const backoff = new Backoff({ firstMs: engine.tuning.backoff, longestMs: engine.tuning.longestBackoff });
  for (;;) {
    signal.throwIfAborted();
    try {
      await queue.commit(
        { id, token },
        (batch, owner) => decide(batch.open(owner).root as HostNode, batch),
        events.length === 0 ? {} : { events: () => events },
      );
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      engine.observer.trouble(error);
      await pause(clock, backoff.failed(), signal);
    }
  }
}
