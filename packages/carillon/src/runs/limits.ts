/** Limits of the texts of a run. Each row is loaded and rewritten whole, so none of its texts may grow freely. */

/** Characters of JSON a result may have; a larger one belongs in storage of the handler's own. */
export const longestResult = 2 * 1024 * 1024;
export const longestInput = 2 * 1024 * 1024;
/** Progress is rewritten at every heartbeat. */
export const longestProgress = 64 * 1024;
/** Priorities outside ± this number are refused; stores keep them as small integers. */
export const largestPriority = 1_000_000;
/** The lines of this many attempts of a run are kept, the newest. */
export const loggedAttempts = 10;
