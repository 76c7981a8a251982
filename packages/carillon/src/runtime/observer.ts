/** The observer of a node: durations and errors. */
import type { Observer } from '../engine/observer.ts';
import type { WorkerObserver } from '../runs/observer.ts';
import type { ExecutionKey } from '../store/records.ts';
import type { UnattendedWork } from './unattended.ts';

/** An observer that throws is reported and does not affect the others. */
export interface RuntimeObserver
  extends Pick<Observer, 'stepped' | 'transacted' | 'conflicted'>,
    Pick<WorkerObserver, 'began' | 'concluded' | 'changedResult' | 'unknownName'> {
  /** An error of the store, or the error for which the execution `key` was quarantined. */
  trouble(error: unknown, key?: ExecutionKey): void;
  /** Runs wait although no living worker knows them; reported again every minute while they do. */
  unattended(work: UnattendedWork): void;
  /** The store belongs to another process now, or its file is gone. The node cannot work any more: end the process. */
  lost(error: Error): void;
}
