/**
 * Shares of work in one transaction. A decision that may have to search for long counts its work in units (a question
 * of about a third of a microsecond) and stops at the end of its share; a later step continues. The engine
 * assigns the shares and knows nothing of the search.
 */

export interface WorkShare {
  /** Units that are left in this transaction. */
  left: number;
}

/** The share of one execution: at most about ten milliseconds. */
export const workPerExecution = 20_000;

/** The share of all executions of one step. Executions that were not decided when it ends stay due. */
export const workPerStep = 100_000;

/**
 * Runs that one step starts before the rows that are left wait for the next one. After an outage every due row may have hundreds of
 * starts: the commits must stay short, because ends of runs travel in them, and a crash repeats what one step has started.
 */
export const startsPerStep = 256;
