/**
 * Keeps an engine stepping: as long as something is due or an end of a run waits it steps, with batches that grow with
 * the backlog (and two at a time where the store can work on one while we decide the other); then it sleeps until the
 * next wake time, a notification of an earlier one, an end, or the longest sleep, whichever comes first.
 * It never polls while something can wake it sooner, and never spins: every turn either took work or sleeps.
 *
 * The store's clock judges what is due. Sleeping is done on the local clock, so only differences are carried over.
 */
import { Backoff } from '../base/backoff.ts';
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Engine } from './engine.ts';

/** Looks in a row that gave nothing although something is due: then another node has it in hand. */
const mostFruitless = 3;

export class EngineLoop implements Service {
  readonly #engine: Engine;
  #running: Promise<void> | undefined;
  #stopping = false;
  /** Between start and stop: what waits to be carried will be. */
  isOn = false;
  readonly #wakeup: Wakeup;
  /** Sleeps after trouble, which notifications do not end. */
  readonly #pause: Wakeup;
  /** Store time minus local time, as last seen. */
  #ahead = 0;
  /** Local time of the next look at what is due, as the last look and notifications since then have it. */
  #plannedAt = Number.POSITIVE_INFINITY;

  /** The last step was full: more is due than has been taken yet. Known as soon as the step is decided. */
  isBehind = false;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#wakeup = new Wakeup(engine.clock);
    this.#pause = new Wakeup(engine.clock);
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.isOn = true;
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

  /** A step has taken what is due, as much as it was allowed to or less. */
  stepped(isFull: boolean): void {
    this.isBehind = isFull && this.isOn;
  }

  /** Something waits that the next step carries. */
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
    let fruitless = 0;
    while (!this.#stopping) {
      try {
        this.#wakeup.forget();
        const carries = this.#engine.waitingRiders > 0;
        const taken = await this.#engine.runOnce(tuning.stepSize);
        backoff.succeeded();
        outage.answered();
        if (this.isBehind) await this.#catchUp();
        if (this.#stopping) return;
        if (this.#engine.waitingRiders > 0) continue;
        if (taken === 0 && carries && clock.now() < this.#plannedAt) {
          // Only ends were carried: what is due, and when, is known as it was.
          await this.#wakeup.sleepUntil(this.#plannedAt);
          continue;
        }
        this.#plannedAt = Number.POSITIVE_INFINITY;
        const times = await store.wakeTimes({ archetypes });
        const local = clock.now();
        this.#ahead = times.now - local;
        const wait = Math.min((times.due ?? Number.POSITIVE_INFINITY) - times.now, tuning.longestSleep);
        this.#plannedAt = Math.min(this.#plannedAt, local + wait);
        fruitless = taken > 0 || wait > 0 ? 0 : fruitless + 1;
        if (fruitless >= mostFruitless) {
          this.#wakeup.forget();
          await this.#wakeup.sleep(tuning.contended);
        } else if (wait > 0) await this.#wakeup.sleepUntil(local + wait);
      } catch (error) {
        this.isBehind = false;
        observer.trouble(error);
        await this.#rest(backoff.failed());
      }
    }
  }

  /** A pause that notifications do not end, but an answer of the store to another loop does. */
  async #rest(ms: number): Promise<void> {
    if (this.#stopping) return;
    const forgetWish = this.#engine.outage.onAnswer(() => this.#pause.wake());
    this.#pause.forget();
    await this.#pause.sleep(ms);
    forgetWish();
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
        this.#wakeup.forget();
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
}
