/** Something that can be started and stopped. Both calls are safe to repeat, and `stop` may come before `start`. */
export interface Service {
  start(): Promise<void>;
  /** Resolves when no part of the service is running any more. */
  stop(): Promise<void>;
}

/** Runs calls one after the other, so that the last call wins even when the caller does not await the earlier ones. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(call, call);
    this.#last = turn;
    return turn;
  }
}
