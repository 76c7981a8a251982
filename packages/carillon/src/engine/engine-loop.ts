/**
 * Keeps an engine stepping: as long as something is due it steps, with batches that grow with the backlog (and two at a
 * time where the store can work on one while we decide the other); then it sleeps until the next wake time, a
 * notification of an earlier one, or the longest sleep, whichever comes first.
 * It never polls while something can wake it sooner, and never spins: every turn either took work or sleeps.
 *
 * The store's clock judges what is due. Sleeping is done on the local clock, so only differences are carried over.
 */
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from './engine.ts';

/** Looks in a row that gave nothing although something is due: then another node has it in hand. */
const mostFruitless = 3;

export class EngineLoop implements Service {
  readonly #engine: Engine;
  #running: Promise<void> | undefined;
  #stopping = false;
  /** Between start and stop. */
  #isOn = false;
  #wake: (() => void) | undefined;
  /** Local time until which the loop sleeps; null while it is awake. */
  #asleepUntil: Instant | null = null;
  /** Store time minus local time, as last seen. */
  #ahead = 0;
  /** Earliest wake time (store time) heard of while the loop was awake; what it read may be older than that. */
  #heardAt = Number.POSITIVE_INFINITY;

  /** The last step was full: more is due than has been taken yet. Known as soon as the step is decided. */
  isBehind = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.#isOn = true;
    const unsubscribe = this.#engine.store.subscribe((change) => {
      if (change.wakeAt !== null) this.#heard(change.wakeAt);
    });
    this.#running = this.#run().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.#running;
    this.#running = undefined;
    this.#isOn = false;
    this.isBehind = false;
  }

  /** A step has taken what is due, as much as it was allowed to or less. */
  stepped(isFull: boolean): void {
    this.isBehind = isFull && this.#isOn;
  }

  #heard(wakeAt: Instant): void {
    if (this.#asleepUntil === null) this.#heardAt = Math.min(this.#heardAt, wakeAt);
    else if (wakeAt - this.#ahead < this.#asleepUntil) this.#wake?.();
  }

  async #run(): Promise<void> {
    const { clock, tuning, observer, store, archetypes } = this.#engine;
    let pause: number = tuning.backoff;
    let fruitless = 0;
    while (!this.#stopping) {
      try {
        this.#heardAt = Number.POSITIVE_INFINITY;
        const taken = await this.#engine.runOnce(tuning.stepSize);
        pause = tuning.backoff;
        if (this.isBehind) await this.#catchUp();
        if (this.#stopping) return;
        const times = await store.wakeTimes({ archetypes });
        const local = clock.now();
        this.#ahead = times.now - local;
        const due = Math.min(times.due ?? Number.POSITIVE_INFINITY, this.#heardAt);
        const wait = Math.min(due - times.now, tuning.longestSleep);
        fruitless = taken > 0 || wait > 0 ? 0 : fruitless + 1;
        if (fruitless >= mostFruitless) await this.#sleepUntil(addTime(local, tuning.contended));
        else if (wait > 0) await this.#sleepUntil(addTime(local, wait));
      } catch (error) {
        this.isBehind = false;
        observer.trouble(error);
        if (!this.#stopping) await this.#sleepUntil(addTime(clock.now(), pause));
        pause = Math.min(pause * 2, tuning.longestBackoff);
      }
    }
  }

  /**
   * Steps until one was not full. A store that others share is another process: it commits one step while we decide the
   * next, and never hands the same row to both. One in our own process would only take turns.
   */
  async #catchUp(): Promise<void> {
    const { store, tuning } = this.#engine;
    let limit = tuning.stepSize;
    const lane = async () => {
      while (this.isBehind && !this.#stopping) {
        // Whatever was heard so far is there to be found by the looks that follow.
        this.#heardAt = Number.POSITIVE_INFINITY;
        limit = Math.min(limit * 2, tuning.largestStep);
        const wanted = limit;
        try {
          await this.#engine.runOnce(wanted);
        } catch (error) {
          this.isBehind = false;
          throw error;
        }
      }
    };
    const lanes = await Promise.allSettled(store.capabilities.shared ? [lane(), lane()] : [lane()]);
    for (const each of lanes) if (each.status === 'rejected') throw each.reason;
  }

  #sleepUntil(at: Instant): Promise<void> | undefined {
    if (this.#stopping) return undefined;
    this.#asleepUntil = at;
    return new Promise<void>((resolve) => {
      const cancel = this.#engine.clock.wakeAt(at, () => this.#wake?.());
      const wake = () => {
        cancel();
        this.#wake = undefined;
        this.#asleepUntil = null;
        resolve();
      };
      this.#wake = wake;
    });
  }
}
