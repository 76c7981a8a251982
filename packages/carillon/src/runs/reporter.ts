/**
 * Brings reports into the store: whatever has gathered since the last transaction goes into the next one, and a lone
 * report goes at once. A report is repeated until it is acknowledged; its token makes that harmless. What the store
 * refuses outright (its owner's reaction conflicts) is separated from the rest and given up after a few tries: the
 * lease lapses, and the sweeper judges.
 */
import { Loop } from '../base/loop.ts';
import type { Instant } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { isUnavailable } from '../store/error.ts';
import type { Report, Verdict } from './report.ts';
import type { RunQueue } from './run-queue.ts';
import type { RunTuning } from './tuning.ts';

export interface ReporterOptions {
  readonly queue: RunQueue;
  readonly engine: Engine;
  readonly tuning: RunTuning;
  readonly onVerdict: (report: Report, verdict: Verdict) => void;
}

/** Between two looks whether reports may go, in ms. */
const holdStep = 5;

interface Pending {
  readonly report: Report;
  readonly chars: number;
  readonly since: Instant;
  tries: number;
}

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #loop: Loop;
  #pending: Pending[] = [];
  #limit: number;
  #ending: (() => void) | undefined;
  #failures = 0;
  /** A batch is on its way: neither pending nor acknowledged. */
  #sending = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#limit = options.tuning.largestReport;
    const { clock, observer, tuning } = options.engine;
    this.#loop = new Loop({
      clock,
      turn: () => this.#flush(),
      trouble: (error) => observer.trouble(error),
      outage: options.engine.outage,
      backoff: tuning.backoff,
      longestBackoff: tuning.longestBackoff,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Returns when everything was acknowledged, or has been tried often enough. */
  async stop(): Promise<void> {
    this.#failures = 0;
    await new Promise<void>((resolve) => {
      this.#ending = resolve;
      this.#loop.nudge();
      if (this.#pending.length === 0 && !this.#sending) resolve();
    });
    await this.#loop.stop();
    this.#ending = undefined;
  }

  push(report: Report): void {
    const { conclusion } = report;
    const chars = conclusion.kind === 'completed' ? (conclusion.result?.length ?? 0) : 0;
    this.#pending.push({ report, chars, since: this.#options.engine.clock.now(), tries: 0 });
    this.#loop.nudge();
  }

  async #flush(): Promise<number> {
    if (this.#mayWait()) return holdStep;
    const batch = this.#take();
    if (batch.length > 0) {
      this.#sending = true;
      try {
        const reports: Report[] = [];
        for (const { report } of batch) reports.push(report);
        this.#sent(reports, await this.#options.queue.finish(reports));
      } catch (error) {
        this.#keep(batch, error);
        throw error;
      } finally {
        this.#sending = false;
      }
    }
    if (this.#pending.length > 0) return 0;
    this.#ending?.();
    return Number.POSITIVE_INFINITY;
  }

  /** Starting what is due comes before the bookkeeping of what has ended: a late start is felt, a late report is not. */
  #mayWait(): boolean {
    const { engine, tuning } = this.#options;
    const oldest = this.#pending[0];
    if (oldest === undefined || this.#ending !== undefined || !engine.isBehind) return false;
    return engine.clock.now() - oldest.since < tuning.holdMs;
  }

  #sent(reports: readonly Report[], verdicts: readonly Verdict[]): void {
    const { tuning, onVerdict } = this.#options;
    this.#failures = 0;
    this.#limit = Math.min(this.#limit * 2, tuning.largestReport);
    let place = 0;
    for (const verdict of verdicts) onVerdict(reports[place++] as Report, verdict);
  }

  #take(): readonly Pending[] {
    if (this.#pending.length <= 1) {
      const all = this.#pending;
      this.#pending = [];
      return all;
    }
    let chars = 0;
    let count = 0;
    for (const { chars: more } of this.#pending) {
      if (count >= this.#limit || (count > 0 && chars + more > this.#options.tuning.reportChars)) break;
      chars += more;
      count += 1;
    }
    return this.#pending.splice(0, count);
  }

  #keep(batch: readonly Pending[], error: unknown): void {
    const { reportTries } = this.#options.tuning;
    const isLoss = isUnavailable(error);
    this.#failures += 1;
    const [only] = batch;
    if (this.#ending !== undefined && this.#failures >= reportTries) {
      this.#pending = [];
      this.#ending();
    } else if (isLoss) {
      this.#pending.unshift(...batch);
    } else if (batch.length > 1) {
      this.#limit = Math.ceil(batch.length / 2);
      this.#pending.unshift(...batch);
    } else if (only !== undefined) {
      only.tries += 1;
      if (only.tries < reportTries) this.#pending.push(only);
    }
  }
}
