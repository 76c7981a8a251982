/** Makes a change of a workflow, reports the result or the reason of the failure, and reads the workflow again. */
export type Act = (what: string, change: () => Promise<unknown>) => Promise<void>;
