/**
 * The one change that a call of `mutate` may make in the outside world. It is recorded before it leaves and after it is
 * known to have happened; between these two records it is uncertain, and the host asks about it instead of repeating
 * it.
 */
import type { Clock } from '../base/clock.ts';
import { isServiceError } from '../base/error.ts';
import type { ChangeOutcome, ChangeSteps } from './context.ts';
import type { BegunChange } from './host.ts';
import { longestChangeResult } from './limits.ts';
import { jsonOf } from './messages.ts';
import { PhaseTimer } from './phase-timer.ts';
import { isChangeRefused, logicFailure, RunFailure } from './run-input.ts';

export interface MakingOptions {
  /** The change that an earlier run has begun: it is asked about, not made. */
  readonly earlier: BegunChange | null;
  /** The idempotency key of a change that is made now. */
  readonly key: string;
  readonly clock: Clock;
  readonly reconcileLimitMs: number;
  /** Aborts when the run is interrupted. */
  readonly interrupted: AbortSignal;
  /** The two checkpoints around the change. */
  readonly begun: (change: Omit<BegunChange, 'outcome'>) => Promise<void>;
  readonly applied: (resultJson: string) => Promise<void>;
}

export class MakingChange {
  readonly #options: MakingOptions;
  #isBegun = false;
  #isUnderWay = false;
  #outcome: ChangeOutcome<unknown> | undefined;
  #failure: unknown;

  constructor(options: MakingOptions) {
    this.#options = options;
  }

  /** The error of the change itself; it counts even if the handler caught or replaced it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** What became of the change once `mutate` has ended; undefined: it made none. */
  get outcome(): ChangeOutcome<unknown> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isUnderWay)
      throw logicFailure('mutate ended without waiting for its change; return ctx.change(…)');
    if (this.#options.earlier !== null && this.#outcome === undefined)
      throw logicFailure('mutate did not come to its change again, so nothing can be asked about it');
    return this.#outcome;
  }

  /** `ctx.change` of `mutate`. */
  async change(name: string, steps: ChangeSteps<unknown>, signal: AbortSignal): Promise<void> {
    if (this.#isBegun) throw this.#fail(logicFailure('mutate may make one change, and this is its second'));
    if (typeof name !== 'string' || name === '' || name.length > 100 || typeof steps?.run !== 'function')
      throw this.#fail(logicFailure("write ctx.change('name', { run: async (key) => … })"));
    this.#isBegun = true;
    this.#isUnderWay = true;
    try {
      const { earlier, applied } = this.#options;
      const result =
        earlier === null ? await this.#make(name, steps, signal) : await this.#ask(earlier, steps, signal);
      const read = jsonOf(result, longestChangeResult);
      // The change has happened, so a result that cannot be stored is replaced; the fact stays.
      const json = 'problem' in read ? JSON.stringify({ carillon: `the result ${read.problem}` }) : read.json;
      await applied(json);
      this.#outcome = { status: 'applied', result: JSON.parse(json) as unknown };
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#isUnderWay = false;
    }
  }

  async #make(name: string, steps: ChangeSteps<unknown>, signal: AbortSignal): Promise<unknown> {
    const { key, begun, interrupted } = this.#options;
    const change = { name, key, canReconcile: steps.reconcile !== undefined };
    await begun(change);
    try {
      return await untilAborted(steps.run(key, signal), signal);
    } catch (error) {
      if (isChangeRefused(error)) {
        const kind = error.transient ? 'transient' : 'logic';
        throw new RunFailure(error.message, { class: kind, notApplied: true }, error);
      }
      if (steps.reconcile === undefined || interrupted.aborted)
        throw new RunFailure(
          `it is not known whether the change '${name}' happened: ${messageOf(error)}`,
          { class: 'transient' },
          error,
        );
      return await this.#ask(change, steps, undefined, error);
    }
  }

  /** Asks whether the change happened. A change that did not is an end of the run, not a reason to make it now. */
  async #ask(
    { name, key }: Pick<BegunChange, 'name' | 'key'>,
    { reconcile }: ChangeSteps<unknown>,
    signal: AbortSignal | undefined,
    cause?: unknown,
  ): Promise<unknown> {
    if (reconcile === undefined) throw logicFailure(`the change '${name}' has no reconcile`);
    const { clock, reconcileLimitMs, interrupted } = this.#options;
    const signals = signal === undefined ? [interrupted] : [interrupted, signal];
    const timer = new PhaseTimer(clock, reconcileLimitMs, signals);
    let found: unknown;
    try {
      found = await timer.race('reconcile', () => reconcile(key, timer.signal));
    } catch (error) {
      const why = cause === undefined ? messageOf(error) : `${messageOf(cause)}; asked: ${messageOf(error)}`;
      throw new RunFailure(
        `it is not known whether the change '${name}' happened: ${why}`,
        { class: 'unknown' },
        error,
      );
    } finally {
      timer.end();
    }
    if (found !== null && found !== undefined) return found;
    const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
    throw new RunFailure(
      `the change '${name}' did not happen${why}`,
      { class: 'refused', notApplied: true },
      cause,
    );
  }

  #fail(error: unknown): unknown {
    this.#failure ??= error;
    return this.#failure;
  }
}

function messageOf(error: unknown): string {
  return isServiceError(error) || error instanceof Error ? error.message : String(error);
}

async function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw signal.reason;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
