/**
 * Runs schedules in virtual time: a year takes less than a second, with the real engine, the real policies and your
 * real handlers. Carillon's own tests use it with several nodes and injected faults.
 */
import type { Action } from '../action/action.ts';
import { actionQueues } from '../action/action.ts';
import { parseDuration } from '../base/duration.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day } from '../base/time.ts';
import type { CarillonParts } from '../embed/carillon.ts';
import { Carillon } from '../embed/carillon.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import { readInstant } from '../service/schedule-input.ts';
import type { RunOutcome } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { assertOutcomes, assertVerdict, verdictsOf } from './assertions.ts';
import type { NodeSetting } from './cluster.ts';
import { Cluster } from './cluster.ts';
import type { ExpectedFailures, WorldFailure } from './failures.ts';
import { Failures } from './failures.ts';
import type { Faults } from './faulty-store.ts';
import { observeHandlers } from './observe-handlers.ts';
import { HandlerPatience } from './patience.ts';
import type { RecordedCall, StubAnswers } from './stub-actions.ts';
import { stubActions } from './stub-actions.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The options of `CarillonWorld.start`. */
export interface CarillonWorldOptions {
  /** Registers your handlers on a node that has just been created. A promise is awaited before the node starts. */
  readonly setup?: (carillon: Carillon, node: NodeSetting) => unknown;
  /** The first instant of virtual time. Default 2026-01-01T00:00:00Z. */
  readonly start?: InstantInput;
  /** The clock of virtual time, for a store that was opened with it. Default: a new one at `start`. */
  readonly clock?: VirtualClock;
  /** The store, opened with `clock`; the world does not close it. Default: one in memory. */
  readonly store?: Store;
  /** Makes unique ids. Default: numbered ones, the same in every run. */
  readonly newId?: () => string;
  /** The seed of all random decisions. Default 1. */
  readonly seed?: number;
  /** The number of nodes. Default 1. */
  readonly nodes?: number;
  /** The probabilities of faults from the start. Default: none. */
  readonly faults?: Partial<Faults>;
  /** How long finished work is kept, as in `openCarillon`. */
  readonly retention?: CarillonParts['retention'];
  /** What an operator sets for schedules, as in `openCarillon`. */
  readonly scheduler?: CarillonParts['scheduler'];
  /** Receives errors of the store and of quarantined executions. */
  readonly onTrouble?: CarillonParts['onTrouble'];
  /**
   * The tuning of the nodes. Default: as in production, except that a single node without faults does not poll,
   * because every notification arrives.
   */
  readonly tuning?: CarillonParts['tuning'];
  /**
   * Real milliseconds that `advance` waits for a handler that does real input and output. Default 1,000. A handler that
   * does not finish in that time waits for something else, and virtual time goes on beside it.
   */
  readonly patienceMs?: number;
  /** Failures of handlers that do not fail the test. Default false: `advance` throws when a handler fails. */
  readonly expectFailures?: ExpectedFailures;
  /**
   * Answers for HTTP requests, commands and jobs. They leave no world: calls are recorded (`calls`) and complete with
   * null unless an answer is given here.
   */
  readonly actions?: StubAnswers;
  /** Actions that do their real work instead of being recorded, made for each node that starts. */
  readonly realActions?: (node: NodeSetting) => readonly Action[];
}

/** Polling every few seconds, as in production, would be most of the work of a simulated year. */
const patientTuning = { engine: { longestSleep: day }, runs: { watchMs: day }, retentionPauseMs: day };
/** The retention interval when the options give none: once a month keeps memory bounded. */
const forgetfulPause = 30 * day;
const defaultPatienceMs = 1000;

/** Real nodes in virtual time, on a store in memory, for tests. */
export class CarillonWorld extends Cluster<Carillon> {
  readonly #failures: Failures;
  readonly #patience: HandlerPatience;
  readonly #calls: RecordedCall[];

  constructor(options: CarillonWorldOptions = {}) {
    const {
      setup,
      start,
      seed = 1,
      nodes,
      faults,
      retention,
      scheduler,
      onTrouble,
      patienceMs = defaultPatienceMs,
      expectFailures = false,
      actions = {},
      realActions,
      tuning = (nodes ?? 1) === 1 && faults === undefined
        ? { ...patientTuning, ...(retention === undefined ? { retentionPauseMs: forgetfulPause } : {}) }
        : {},
    } = options;
    const failures = new Failures(expectFailures);
    const patience = new HandlerPatience(patienceMs);
    const calls: RecordedCall[] = [];
    super({
      seed,
      busy: (carillon) => carillon.activeRuns > 0,
      patience: () => patience.wait(),
      ...given({ clock: options.clock, store: options.store, newId: options.newId }),
      ...given({ nodes, faults }),
      ...(start === undefined ? {} : { start: readInstant(start) }),
      build: async (node) => {
        const { store, clock, steadyClock, newId, name, aroundEffect } = node;
        const work = patience.watch(name);
        const seen: NodeSetting = {
          ...node,
          clock: work.clock(clock),
          sleep: (length, signal) => work.sleep(node.sleep(length, signal)),
        };
        const carillon = new Carillon({
          store,
          clock,
          steadyClock,
          newId,
          name,
          aroundEffect,
          tuning,
          actions: { ...stubActions(actions, calls), ...actionQueues(realActions?.(seen) ?? []) },
          ...given({ retention, scheduler }),
          ...(onTrouble === undefined ? {} : { onTrouble }),
        });
        observeHandlers(carillon, { clock: this.clock, failures, work });
        await setup?.(carillon, seen);
        return carillon;
      },
    });
    this.#failures = failures;
    this.#patience = patience;
    this.#calls = calls;
  }

  /** Creates a world and starts its nodes. */
  static async start(options: CarillonWorldOptions = {}): Promise<CarillonWorld> {
    return await new CarillonWorld(options).start();
  }

  /** The Carillon of a running node. */
  carillon(index = 0): Carillon {
    return this.body(index);
  }

  override crash(index: number): void {
    super.crash(index);
    this.#patience.forget(this.nameOf(index));
  }

  /** Advances virtual time to `at`. */
  async advanceUntil(at: InstantInput): Promise<void> {
    await this.advanceTo(readInstant(at));
  }

  /** Advances virtual time by milliseconds, or by a duration such as `'90d'`. */
  override async advance(by: number | string): Promise<void> {
    const length = typeof by === 'number' ? by : parseDuration(by);
    if (length === undefined || !(length >= 0)) {
      throw new TypeError(`'${by}' is not a duration; write e.g. '15m' or '365d'`);
    }
    await this.advanceTo(addTime(this.now, length) as Instant);
  }

  /** Advances virtual time to the next start of a schedule, and returns that time. */
  async advanceToNext(id: string): Promise<Instant> {
    const { future, paused } = await this.carillon().schedules.describe(id);
    const [next] = future;
    if (next === undefined || paused !== null) {
      throw new Error(
        `the schedule '${id}' has no next start: ${paused === null ? 'its times are used up' : 'it is paused'}`,
      );
    }
    await this.advanceTo(next.actual);
    return next.actual;
  }

  /** Throws the failures of handlers that the test does not expect. */
  override async advanceTo(target: Instant): Promise<void> {
    await super.advanceTo(target);
    this.#failures.throwUnexpected();
  }

  /** Every attempt of a handler that failed or timed out, in order. */
  failures(): readonly WorldFailure[] {
    return this.#failures.all;
  }

  /** Changes which failures do not fail the test. */
  expectFailures(expected: ExpectedFailures = true): void {
    this.#failures.expected = expected;
  }

  /** HTTP requests, commands and jobs that would have left the program, in order. */
  get calls(): readonly RecordedCall[] {
    return this.#calls;
  }

  /** The verdicts of a schedule by nominal time, oldest first; a stretch of equal ones has the key `from/to`. */
  async verdicts(id: string): Promise<Readonly<Record<string, Verdict>>> {
    return await verdictsOf(this.carillon().schedules, id);
  }

  /** Throws, with the explanation of the slot, unless the slot has this verdict. */
  async assertVerdict(id: string, at: InstantInput, verdict: Verdict): Promise<void> {
    await assertVerdict(this.carillon().schedules, { id, at, verdict });
  }

  /** Throws unless the finished runs of a schedule ended in exactly this way, such as `{ completed: 3, failed: 1 }`. */
  async assertOutcomes(id: string, outcomes: Readonly<Partial<Record<RunOutcome, number>>>): Promise<void> {
    await assertOutcomes(this.carillon().schedules, id, outcomes);
  }

  /** Crashes the nodes that still run, and throws failures that no `advance` has reported. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.#failures.throwUnexpected();
  }
}
