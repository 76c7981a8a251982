/** The durable run queue: priorities, leases, retries, timeouts, and its workers. */
export type { CallbackOutcome, CallbackPayload, CallbackRequest } from './callback.ts';
export { callbackToken, completeCallback, readCallbackToken, shortestCallbackSecret } from './callback.ts';
export type { Handler, Handlers, Interruption, RunContext } from './context.ts';
export { RunInterrupted } from './context.ts';
export type { Failure } from './failure.ts';
export { failureOf, failureTypes, NonRetryable } from './failure.ts';
export type { Conclusion } from './lifecycle.ts';
export type { NodeLeaseOptions, ProcessTable } from './node-lease.ts';
export { NodeLease } from './node-lease.ts';
export type { ProcessMark } from './node-row.ts';
export type { WorkerObserver } from './observer.ts';
export type { OwnLease } from './own-lease.ts';
export { isParked, Parking, park, parkedWorker } from './parking.ts';
export type { Report, ReportOutcome } from './report.ts';
export type { RetryPolicy } from './retry.ts';
export { defaultRetry, defaultTakeovers } from './retry.ts';
export type { NewRun, Priority, RunOptions } from './run.ts';
export { newRun, optionsOf, priorityOf } from './run.ts';
export { hashText, runId } from './run-id.ts';
export type {
  Answered,
  Claimed,
  ClaimRequest,
  Enqueue,
  Held,
  Holder,
  RunHeartbeat,
  RunQueueOptions,
  Stopped,
} from './run-queue.ts';
export { RunQueue } from './run-queue.ts';
export type { RunSweeperOptions } from './run-sweeper.ts';
export { RunSweeper } from './run-sweeper.ts';
export type { RunTuning } from './tuning.ts';
export { defaultRunTuning } from './tuning.ts';
export type { StopOptions, WorkerOptions, WorkerQueue } from './worker.ts';
export { Worker } from './worker.ts';
