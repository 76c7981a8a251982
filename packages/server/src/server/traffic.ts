/** Counts open requests: a server that stops answers them, but does not wait for idle connections. */
import type { Clock } from 'carillon/internal/base';
import { Wakeup } from 'carillon/internal/base';

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

  /** Resolves when the last request is answered or the time is up. */
  async settled(clock: Clock, milliseconds: number): Promise<void> {
    if (this.#open === 0) return;
    const wakeup = new Wakeup(clock);
    this.#wake = () => wakeup.wake();
    await wakeup.sleep(milliseconds);
  }
}
