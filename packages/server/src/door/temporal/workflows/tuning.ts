/** Bounds on the cost of one request. */
export interface WorkflowTuning {
  /** Duration of a long poll in ms, shorter than the timeouts of clients and proxies, as in Temporal. */
  readonly longPollMs: number;
}

export const defaultWorkflowTuning: WorkflowTuning = { longPollMs: 20_000 };
