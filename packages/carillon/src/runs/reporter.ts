/**
 * The ends of runs that are not stored yet. Steps of the engine commit them: all waiting ends go into
 * the next step, and a single end causes a step by itself. While the engine makes no steps (it is not started, or stops) they
 * are committed by themselves.
 *
 * An end is repeated until it is acknowledged; its token makes that harmless. An end that the store refuses (its
 * owner's reaction conflicts) is separated from the others and given up after a few tries: the lease lapses, and the
 * sweeper judges.
 */
import { Backoff } from '../base/backoff.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { JoinedChanges, WaitingChanges } from '../engine/joined-changes.ts';
import { isUnavailable } from '../store/error.ts';
import type { Report, ReportOutcome } from './report.ts';
import { takeReports } from './run-ending.ts';
import type { RunQueue } from './run-queue.ts';
import type { RunTuning } from './tuning.ts';

export interface ReporterOptions {
  readonly queue: RunQueue;
  readonly engine: Engine;
  readonly tuning: RunTuning;
  readonly onOutcome: (report: Report, outcome: ReportOutcome) => void;
  /** Called when ends were acknowledged, or given up: the worker may take work again. */
  readonly onFewer: () => void;
}

interface Pending {
  readonly report: Report;
  readonly chars: number;
  tries: number;
}

export class Reporter implements WaitingChanges {
  readonly #options: ReporterOptions;
  #pending: Pending[] = [];
  /** The number of ends that are being committed: neither waiting nor acknowledged. */
  #underWay = 0;
  /** Ends the arrangement with the engine; undefined while steps do not commit these ends. */
  #leaveSteps: (() => void) | undefined;
  /** Commits ends without a step; undefined while steps commit them. */
  #alone: Promise<void> | undefined;
  readonly #pause: Wakeup;
  #isEnding = false;
  #onEmpty: () => void = () => {};
  /** The number of ends so far, and the number of them that are acknowledged or given up. */
  pushed = 0;
  settled = 0;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#pause = new Wakeup(options.engine.clock);
  }

  start(): void {
    this.#isEnding = false;
    this.#leaveSteps ??= this.#options.engine.commitWithSteps(this);
    if (this.#pending.length > 0) this.#send();
  }

  /** Resolves when every end was acknowledged, or has been tried often enough. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#pause.wake();
    this.commitAlone();
    if (this.unacknowledged > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve;
      });
    }
    this.#leaveSteps?.();
    this.#leaveSteps = undefined;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  /** The number of ends that the store has not acknowledged yet. */
  get unacknowledged(): number {
    return this.#pending.length + this.#underWay;
  }

  push(report: Report): void {
    const { conclusion } = report;
    let chars = conclusion.kind === 'completed' ? (conclusion.result?.length ?? 0) : 0;
    for (const { text } of report.log ?? []) chars += text.length;
    this.#pending.push({ report, chars, tries: 0 });
    this.pushed += 1;
    this.#send();
  }

  take(most: number): JoinedChanges | undefined {
    const batch = this.#take(most);
    if (batch.length === 0) return undefined;
    const reports = batch.map(({ report }) => report);
    let outcomes: readonly ReportOutcome[] = [];
    return {
      runIds: reports.map(({ id }) => id),
      decide: (batch: Batch) => {
        outcomes = takeReports(batch, reports);
      },
      committed: () => this.#acknowledged(reports, outcomes),
      failed: (error) => {
        if (isUnavailable(error)) this.#putBack(batch);
        else void this.#separate(batch);
      },
    };
  }

  commitAlone(): void {
    if (this.#pending.length === 0) return;
    this.#alone ??= this.#commitWithoutSteps().finally(() => {
      this.#alone = undefined;
      // An end that came in the last moment found this commit still under way.
      if (this.#pending.length > 0) this.#send();
    });
  }

  #send(): void {
    const { engine } = this.#options;
    if (engine.isStepping && this.#leaveSteps !== undefined && !this.#isEnding) engine.wakeForChanges();
    else this.commitAlone();
  }

  async #commitWithoutSteps(): Promise<void> {
    const { engine, tuning } = this.#options;
    const backoff = new Backoff({ firstMs: engine.tuning.backoff, longestMs: engine.tuning.longestBackoff });
    for (let failures = 0; this.#pending.length > 0; ) {
      const batch = this.#take(engine.tuning.mostJoined);
      try {
        await this.#finish(batch);
        failures = 0;
        backoff.succeeded();
      } catch (error) {
        engine.observer.trouble(error);
        if (!isUnavailable(error)) {
          await this.#separate(batch);
          continue;
        }
        failures += 1;
        this.#putBack(batch);
        if (this.#isEnding && failures >= tuning.reportTries) return this.#giveUp();
        this.#pause.forget();
        await this.#pause.sleep(backoff.failed());
      }
    }
  }

  async #finish(batch: readonly Pending[]): Promise<void> {
    const reports = batch.map(({ report }) => report);
    this.#acknowledged(reports, await this.#options.queue.finish(reports));
  }

  /** Finds the ends that the store refuses, half by half; the others are committed. */
  async #separate(batch: readonly Pending[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    const pieces = batch.length > 1 ? [batch.slice(0, middle), batch.slice(middle)] : [batch];
    for (const piece of pieces) {
      try {
        await this.#finish(piece);
      } catch (error) {
        const [only] = piece;
        if (isUnavailable(error)) this.#putBack(piece);
        else if (piece.length > 1) await this.#separate(piece);
        else if (only !== undefined) this.#refused(only, error);
      }
    }
  }

  #refused(end: Pending, error: unknown): void {
    const { engine, tuning } = this.#options;
    engine.observer.trouble(error);
    end.tries += 1;
    if (end.tries < tuning.reportTries) this.#putBack([end]);
    else this.#fewer(1);
  }

  #acknowledged(reports: readonly Report[], outcomes: readonly ReportOutcome[]): void {
    const { onOutcome } = this.#options;
    let place = 0;
    for (const outcome of outcomes) onOutcome(reports[place++] as Report, outcome);
    this.#fewer(reports.length);
  }

  /** Takes waiting ends, oldest first, limited by their number and by the characters of their results. */
  #take(most: number): readonly Pending[] {
    const { reportChars } = this.#options.tuning;
    let chars = 0;
    let count = 0;
    for (const { chars: more } of this.#pending) {
      if (count >= most || (count > 0 && chars + more > reportChars)) break;
      chars += more;
      count += 1;
    }
    this.#underWay += count;
    if (count < this.#pending.length) return this.#pending.splice(0, count);
    const all = this.#pending;
    this.#pending = [];
    return all;
  }

  #putBack(batch: readonly Pending[]): void {
    this.#underWay -= batch.length;
    this.#pending.unshift(...batch);
    // The engine pauses after a failed step; without steps, the loop that commits ends by themselves pauses.
    if (this.#isEnding) this.commitAlone();
  }

  #giveUp(): void {
    const count = this.#pending.length;
    this.#pending = [];
    this.#underWay += count;
    this.#fewer(count);
  }

  #fewer(count: number): void {
    this.#underWay -= count;
    this.settled += count;
    if (this.unacknowledged === 0) this.#onEmpty();
    this.#options.onFewer();
  }
}
