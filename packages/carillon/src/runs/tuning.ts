/** What an operator may turn about runs, with the reason of each default; and the bounds of the loops. */

export interface RunTuning {
  /**
   * Silence after which a node is considered gone, by the store's clock. Event loops that stood still for 7 s have been
   * measured, and taking over the runs of a living node runs them twice.
   */
  readonly leaseMs: number;
  /** Between two beats of a node, which keep all its leases. */
  readonly beatMs: number;
  /** A lasting run is looked at this often for a wish to stop it whose notification was lost. */
  readonly watchMs: number;
  /** How long `stop` waits for running handlers before it interrupts them. */
  readonly drainMs: number;
  /** Progress reaches the store at most this often per worker. */
  readonly progressMs: number;
  /** Runs looked at by one claim. */
  readonly largestClaim: number;
  /** Runs that a worker cannot take and looks past, before it puts them off for `setAsideMs`. */
  readonly mostSkipped: number;
  readonly setAsideMs: number;
  /** Characters of the results that travel in one transaction. */
  readonly reportChars: number;
  /** Ends that the store has not acknowledged beyond which a worker takes no more work. */
  readonly mostUnacknowledged: number;
  /** Tries to store a report that the store refuses, or any report once the worker is stopping. */
  readonly reportTries: number;
  /** Lapsed runs per transaction of the sweeper. */
  readonly sweepSize: number;
  /** The sweeper looks again at most this soon after it looked, however many runs are queued meanwhile. */
  readonly sweepSpacingMs: number;
  /** After the process itself stood still, its own workers get this long to extend their leases first. */
  readonly stallGraceMs: number;
  /** How long a lapsed run whose end the store refuses is put off. */
  readonly putOffMs: number;
  /** Pause when the store says something waits but gives nothing: another node has it in hand. */
  readonly contendedMs: number;
}

export const defaultRunTuning: RunTuning = {
  leaseMs: 20_000,
  beatMs: 2000,
  watchMs: 10_000,
  drainMs: 10_000,
  progressMs: 1000,
  largestClaim: 500,
  mostSkipped: 256,
  setAsideMs: 10_000,
  reportChars: 8 * 1024 * 1024,
  mostUnacknowledged: 512,
  reportTries: 5,
  sweepSize: 200,
  sweepSpacingMs: 200,
  stallGraceMs: 2000,
  putOffMs: 60_000,
  contendedMs: 50,
};
