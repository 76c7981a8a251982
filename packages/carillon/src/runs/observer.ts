/** The interface through which workers are observed. Every method is called after the fact and must not throw. */
import type { RunRow } from '../store/records.ts';
import type { Conclusion } from './lifecycle.ts';
import type { ReportOutcome } from './report.ts';

export interface WorkerObserver {
  /** A handler is about to be called. */
  began(run: RunRow): void;
  /** A handler returned, threw, or timed out; its meaning is decided when it is stored. */
  concluded(run: RunRow, conclusion: Conclusion): void;
  /** A handler returned a value that JSON changes; `note` says what and where. */
  changedResult(run: RunRow, note: string): void;
  /** The conclusion is durable, or came too late. */
  reported(id: string, outcome: ReportOutcome): void;
  /** A run waits in one of this worker's queues and this worker has no handler for it; reported once per name. */
  unknownName(queue: string, name: string): void;
}

export const silentWorkerObserver: WorkerObserver = {
  began: () => {},
  concluded: () => {},
  changedResult: () => {},
  reported: () => {},
  unknownName: () => {},
};
