/** The ends of attempts that the server has not acknowledged. They are sent together and repeated until they are. */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import { isCarillonError } from './error.ts';
import type { SentReport, WorkerCalls } from './worker-protocol.ts';

export interface WorkerReportsOptions {
  readonly calls: WorkerCalls;
  readonly clock: Clock;
  readonly trouble: (error: unknown) => void;
  readonly longestBackoffMs: number;
  /** Called when ends were acknowledged. */
  readonly onFewer: () => void;
}

/** The number of ends that wait at which the worker takes no more work. */
const mostWaiting = 500;
const mostPerRequest = 200;
/** Characters of one request, below the limit of the server. */
const mostChars = 1024 * 1024;
/** How often ends are tried once the worker stops. */
const lastTries = 3;

interface Waiting {
  readonly report: SentReport;
  readonly chars: number;
}

export class WorkerReports {
  readonly #options: WorkerReportsOptions;
  readonly #loop: Loop;
  #waiting: Waiting[] = [];
  #isEnding = false;
  #failures = 0;
  #onEmpty: () => void = () => {};

  constructor(options: WorkerReportsOptions) {
    this.#options = options;
    const { clock, trouble, longestBackoffMs } = options;
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#send(),
      trouble,
      backoff: 100,
      longestBackoff: longestBackoffMs,
    });
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostWaiting;
  }

  start(): void {
    this.#isEnding = false;
    this.#failures = 0;
    this.#loop.start();
  }

  push(report: SentReport): void {
    this.#waiting.push({ report, chars: JSON.stringify(report).length });
    this.#loop.nudge();
  }

  /** Resolves when every end was acknowledged, or has been tried often enough. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#failures = 0;
    this.#loop.nudge();
    if (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    }
    await this.#loop.stop();
  }

  async #send(): Promise<number> {
    const batch = this.#batch();
    if (batch.length === 0) return Number.POSITIVE_INFINITY;
    const { calls, trouble, onFewer } = this.#options;
    try {
      const answers = await calls.report(batch.map(({ report }) => report));
      for (const { runId, outcome } of answers)
        if (outcome === 'stale')
          trouble(new Error(`the end of run ${runId} came after its lease and was refused`));
    } catch (error) {
      this.#failures += 1;
      // A request that the server refuses as it stands would be refused again.
      const isRefused =
        isCarillonError(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
      const mustStop = this.#isEnding && this.#failures >= lastTries;
      if (isRefused && batch.length > 1) this.#single = true;
      else if (isRefused) this.#done(batch);
      else if (mustStop) this.#done([...this.#waiting]);
      throw error;
    }
    this.#failures = 0;
    this.#done(batch);
    onFewer();
    return 0;
  }

  /** Whether ends go one by one, to find the one that the server refuses. */
  #single = false;

  #batch(): readonly Waiting[] {
    let chars = 0;
    let count = 0;
    const most = this.#single ? 1 : mostPerRequest;
    for (const { chars: more } of this.#waiting) {
      if (count >= most || (count > 0 && chars + more > mostChars)) break;
      chars += more;
      count += 1;
    }
    return this.#waiting.slice(0, count);
  }

  #done(batch: readonly Waiting[]): void {
    const gone = new Set(batch);
    this.#waiting = this.#waiting.filter((each) => !gone.has(each));
    if (this.#waiting.length > 0) return;
    this.#single = false;
    this.#onEmpty();
  }
}
