/**
 * Keeps an engine stepping: it steps as long as executions are due or ends of runs wait, with batches that grow with
 * the backlog (and two at a time where the store can commit one while this node decides the other); then it sleeps until the
 * next wake time, a notification of an earlier one, an end, or the longest sleep, whichever comes first.
 * It never polls while an event can wake it sooner, and never spins: every round either took work or sleeps.
 *
 * The store's clock judges what is due. The loop sleeps by the local clock, so only differences of times are used.
 */
import { Backoff } from '../base/backoff.ts';
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Engine } from './engine.ts';
import type { Stepper } from './stepper.ts';

/** Executions per step when each of them has many starts. */
const smallestStep = 8;

/** Consecutive steps that took nothing although executions are due: then another node is deciding them. */
const mostEmptySteps = 3;

export class EngineLoop implements Service {
  readonly #engine: Engine;
  readonly #stepper: Stepper;
  #running: Promise<void> | undefined;
  #stopping = false;
  /** True between start and stop: waiting ends of runs will be committed by a step. */
  isOn = false;
  readonly #wakeup: Wakeup;
  /** Sleeps after an error of the store; notifications do not end these sleeps. */
  readonly #pause: Wakeup;
  /** Store time minus local time, as last seen. */
  #ahead = 0;
  /**
   * Local time of the next step, as known from the last look at the wake times and from notifications since then. A
   * time in the past means that it is not known: a step that takes due executions learns only their own next times,
   * never those of all others.
   */
  #plannedAt = Number.NEGATIVE_INFINITY;

  /**
   * Executions per step while this node is behind. It grows as long as a step decides everything it loads; executions with many
   * starts each use up the starts of a step sooner, and the others were loaded in vain.
   */
  #limit: number;

  /** True when the last step was full: more is due than has been taken yet. Known as soon as the step is decided. */
  isBehind = false;

  constructor(engine: Engine, stepper: Stepper) {
    this.#engine = engine;
    this.#stepper = stepper;
    this.#limit = 2 * engine.tuning.stepSize;
    this.#wakeup = new Wakeup(engine.clock);
    this.#pause = new Wakeup(engine.clock);
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.isOn = true;
    this.#plannedAt = Number.NEGATIVE_INFINITY;
    const unsubscribe = this.#engine.store.subscribe((change) => {
      if (change.wakeAt !== null) this.#heard(change.wakeAt);
    });
    this.#running = this.#run().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.isOn = false;
    this.#wakeup.wake();
    this.#pause.wake();
    await this.#running;
    this.#running = undefined;
    this.isBehind = false;
  }

  /** Called when a step has taken due executions; `isFull` when it took as many as it was allowed to. */
  stepped(isFull: boolean): void {
    this.isBehind = isFull && this.isOn;
  }

  /** Called when a step is durable: with the number of due executions it loaded, and how many of them it did not decide. */
  decided(taken: number, postponed: number): void {
    const { largestStep } = this.#engine.tuning;
    this.#limit =
      postponed > 0
        ? Math.max(smallestStep, 2 * (taken - postponed))
        : Math.min(2 * this.#limit, largestStep);
  }

  /** Called when changes wait for the next step. */
  wake(): void {
    this.#wakeup.wake();
  }

  #heard(wakeAt: Instant): void {
    const at = (wakeAt - this.#ahead) as Instant;
    this.#plannedAt = Math.min(this.#plannedAt, at);
    this.#wakeup.wake(at);
  }

  async #run(): Promise<void> {
    const { clock, tuning, observer, store, archetypes, outage } = this.#engine;
    const backoff = new Backoff({ firstMs: tuning.backoff, longestMs: tuning.longestBackoff });
    let emptySteps = 0;
    while (!this.#stopping) {
      try {
        this.#wakeup.forget();
        const hasJoined = this.#stepper.waitingChanges > 0;
        const taken = await this.#stepper.runOnce(tuning.stepSize);
        backoff.succeeded();
        outage.answered();
        if (this.isBehind) await this.#catchUp();
        if (this.#stopping) return;
        if (this.#stepper.waitingChanges > 0) continue;
        if (taken === 0 && hasJoined && clock.now() < this.#plannedAt) {
          // The step committed only ends of runs: the next wake time is unchanged.
          await this.#wakeup.sleepUntil(this.#plannedAt);
          continue;
        }
        this.#plannedAt = Number.POSITIVE_INFINITY;
        const times = await store.wakeTimes({ archetypes });
        const local = clock.now();
        this.#ahead = times.now - local;
        const wait = Math.min((times.due ?? Number.POSITIVE_INFINITY) - times.now, tuning.longestSleep);
        this.#plannedAt = Math.min(this.#plannedAt, local + wait);
        emptySteps = taken > 0 || wait > 0 ? 0 : emptySteps + 1;
        if (emptySteps >= mostEmptySteps) {
          this.#wakeup.forget();
          await this.#wakeup.sleep(tuning.contended);
        } else if (wait > 0) await this.#wakeup.sleepUntil(local + wait);
      } catch (error) {
        this.isBehind = false;
        this.#plannedAt = Number.NEGATIVE_INFINITY;
        observer.trouble(error);
        await this.#pauseFor(backoff.failed());
      }
    }
  }

  /** Pauses until the time is over or the store answers another loop; notifications do not end the pause. */
  async #pauseFor(ms: number): Promise<void> {
    if (this.#stopping) return;
    const unsubscribe = this.#engine.outage.onAnswer(() => this.#pause.wake());
    this.#pause.forget();
    await this.#pause.sleep(ms);
    unsubscribe();
  }

  /**
   * Steps until a step was not full. A store that other processes share is another process: it commits one step while this node
   * decides the next, and never gives the same row to both. A store in this process would only alternate between the two.
   */
  async #catchUp(): Promise<void> {
    const { store, tuning } = this.#engine;
    this.#limit = Math.min(this.#limit, 2 * tuning.stepSize);
    const underWay = new Set<Promise<unknown>>();
    const lane = async () => {
      while (this.isBehind && !this.#stopping) {
        if (underWay.size > 0 && !this.#stepper.hasRoom) {
          await Promise.allSettled(underWay);
          continue;
        }
        // The following steps find every change that was announced so far.
        this.#wakeup.forget();
        const step = this.#stepper.runOnce(this.#limit);
        underWay.add(step);
        try {
          await step;
        } catch (error) {
          this.isBehind = false;
          throw error;
        } finally {
          underWay.delete(step);
        }
      }
    };
    const lanes = await Promise.allSettled(store.capabilities.shared ? [lane(), lane()] : [lane()]);
    for (const each of lanes) if (each.status === 'rejected') throw each.reason;
  }
}
