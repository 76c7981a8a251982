/** Something that is started and stopped. Both are safe to call twice, and stopping before starting is fine. */
export interface Service {
  start(): Promise<void>;
  /** Resolves when nothing of it is running any more. */
  stop(): Promise<void>;
}

/** Lets calls take effect one after the other, so that the last one wins even when nobody waits between them. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(call, call);
    this.#last = turn;
    return turn;
  }
}
