/** Bounds on what one request may cost. */
export interface WorkflowTuning {
  /** Ms a long poll lasts: below the patience of clients and of the proxies between, as in Temporal. */
  readonly longPollMs: number;
}

export const defaultWorkflowTuning: WorkflowTuning = { longPollMs: 20_000 };
