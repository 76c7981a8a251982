/** How an execution stops a run that it started. Both verbs must be idempotent. */
export interface RunControl {
  cancel(runId: string, reason: string): Promise<void>;
  terminate(runId: string, reason: string): Promise<void>;
}
