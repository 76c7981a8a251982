/**
 * Shares of work in one transaction. A decision that may have to search for long counts what it does in units (a question
 * of about a third of a microsecond) and stops at the end of its share; what is left it does in a later step. The engine
 * hands out the shares and knows nothing of what is searched.
 */

export interface Work {
  /** Units that are left in this transaction. */
  left: number;
}

/** For one execution: at most about ten milliseconds. */
export const workPerExecution = 20_000;

/** For all executions of one step. Those that were not looked at when it ends stay due. */
export const workPerStep = 100_000;
