/** Bounds on what one request may cost. */
export interface WorkflowTuning {
  /** Runs looked at for one page of a list; then it says where to go on. */
  readonly examinedPerPage: number;
  /** Runs looked at for one count, which has no pages: beyond it, a count is refused rather than wrong. */
  readonly examinedPerCount: number;
  /** Ms a long poll lasts: below the patience of clients and of what stands between, as in Temporal. */
  readonly longPollMs: number;
}

export const defaultWorkflowTuning: WorkflowTuning = {
  examinedPerPage: 10_000,
  examinedPerCount: 200_000,
  longPollMs: 20_000,
};
