/** How a node is watched: how long its work takes and what goes wrong. */
import type { Observer } from '../engine/observer.ts';
import type { WorkerObserver } from '../runs/observer.ts';
import type { ExecutionKey } from '../store/records.ts';

/** An observer that throws is reported and hurts no other. */
export interface RuntimeObserver
  extends Pick<Observer, 'stepped' | 'transacted' | 'conflicted'>,
    Pick<WorkerObserver, 'began' | 'concluded' | 'unknownName'> {
  /** Trouble with the store, or with the execution that was quarantined for it. */
  trouble(error: unknown, key?: ExecutionKey): void;
  /** The store belongs to another process now, or its file is gone. Nothing works any more: end the process. */
  lost(error: Error): void;
}
