/** The settings of runs that an operator may change, with the reason of each default; and the limits of the loops. */

export interface RunTuning {
  /**
   * Silence after which a node is considered dead, by the store's clock. Event loops that were blocked for 7 s have been
   * measured, and taking over the runs of a living node runs them twice.
   */
  readonly leaseMs: number;
  /** The interval between two heartbeats of a node, which keep all its leases. */
  readonly heartbeatMs: number;
  /** How often a lasting run is checked for a request to stop it whose notification was lost. */
  readonly watchMs: number;
  /** How long `stop` waits for running handlers before it interrupts them. */
  readonly drainMs: number;
  /** Progress reaches the store at most this often per worker. */
  readonly progressMs: number;
  /** The same for logged lines: soon for people who follow them, and not a commit per line. */
  readonly linesMs: number;
  /** Runs examined by one claim. */
  readonly largestClaim: number;
  /** Characters of the results that are committed in one transaction. */
  readonly reportChars: number;
  /** The number of unacknowledged ends at which a worker takes no more work. */
  readonly mostUnacknowledged: number;
  /** How often a refused report is tried, or any report once the worker is stopping. */
  readonly reportTries: number;
  /** Lapsed runs per transaction of the sweeper. */
  readonly sweepSize: number;
  /** The shortest time between two sweeps, however many runs are queued meanwhile. */
  readonly sweepSpacingMs: number;
  /** After the process itself was suspended, its own workers get this long to extend their leases first. */
  readonly stallGraceMs: number;
  /** How long a lapsed run whose end the store refuses is postponed. */
  readonly putOffMs: number;
  /** Pause when the store says that rows wait but returns none: another node is deciding them. */
  readonly contendedMs: number;
}

export const defaultRunTuning: RunTuning = {
  leaseMs: 20_000,
  heartbeatMs: 2000,
  watchMs: 10_000,
  drainMs: 10_000,
  progressMs: 1000,
  linesMs: 200,
  largestClaim: 500,
  reportChars: 8 * 1024 * 1024,
  mostUnacknowledged: 512,
  reportTries: 5,
  sweepSize: 200,
  sweepSpacingMs: 200,
  stallGraceMs: 2000,
  putOffMs: 60_000,
  contendedMs: 50,
};
