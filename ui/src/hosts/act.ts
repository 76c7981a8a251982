/** Does something with a workflow, says what happened or why not, and reads the workflow again. */
export type Act = (what: string, change: () => Promise<unknown>) => Promise<void>;
