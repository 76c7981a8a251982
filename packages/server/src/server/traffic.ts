/** Requests under way: a server that stops answers them, and then waits for no connection that merely stays open. */
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';

export class Traffic {
  #open = 0;
  #wake: () => void = () => {};

  begin(): void {
    this.#open += 1;
  }

  end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#wake();
  }

  /** Resolves when the last one is answered, or when the time is up. */
  async settled(clock: Clock, milliseconds: number): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.wakeAt(addTime(clock.now(), milliseconds), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
