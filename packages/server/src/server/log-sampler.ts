/**
 * Limits log lines of which there may be thousands: the first few of each kind in a window are written, the others are
 * counted, and their number is logged when the window ends. A reader of the log sees every kind of problem, not only the
 * frequent one.
 */
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';

export interface LogSamplerOptions {
  readonly clock: Clock;
  /**
   * Called at the end of a window in which lines were left out, with their number in all and by key, the most frequent
   * first.
   */
  readonly summarise: (left: number, byKey: readonly (readonly [key: string, count: number])[]) => void;
}

const windowMs = 10_000;
const linesPerKey = 5;
const linesPerWindow = 100;

/** Keys that one window counts separately and shows in its summary. */
const mostKeys = 1000;
const mostShown = 10;

export class LogSampler {
  readonly #options: LogSamplerOptions;
  readonly #seen = new Map<string, number>();
  readonly #left = new Map<string, number>();
  #lines = 0;
  #leftOut = 0;
  #cancel: (() => void) | undefined;

  constructor(options: LogSamplerOptions) {
    this.#options = options;
  }

  /** Writes the line, or counts it. */
  write(key: string, line: () => void): void {
    const { clock } = this.#options;
    this.#cancel ??= clock.wakeAt(addTime(clock.now(), windowMs), () => this.flush());
    const seen = this.#seen.get(key) ?? 0;
    if (seen < linesPerKey && this.#lines < linesPerWindow) {
      this.#seen.set(key, seen + 1);
      this.#lines += 1;
      line();
      return;
    }
    this.#leftOut += 1;
    if (this.#left.size < mostKeys || this.#left.has(key))
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** Ends the window now. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const left = this.#leftOut;
    const byKey = [...this.#left].sort(([, a], [, b]) => b - a).slice(0, mostShown);
    this.#seen.clear();
    this.#left.clear();
    this.#lines = 0;
    this.#leftOut = 0;
    if (left > 0) this.#options.summarise(left, byKey);
  }
}
