/** Something that is started and stopped. Both are safe to call twice, and stopping before starting is fine. */
export interface Service {
  start(): Promise<void>;
  /** Resolves when nothing of it is running any more. */
  stop(): Promise<void>;
}
