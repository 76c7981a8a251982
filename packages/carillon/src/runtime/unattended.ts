/**
 * Looks for runs that wait although no living worker knows them: a misspelt name, a queue without workers, a worker that was
 * not started. It looks a few seconds after a run was queued and, while such runs wait, once a minute; with nothing
 * queued, or without a listener, it sleeps.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime, minute, second } from '../base/time.ts';
import type { Store } from '../store/store.ts';
import type { Roster } from './roster.ts';

/** Runs of one name that wait without a worker. */
export interface UnattendedWork {
  readonly namespace: string;
  readonly queue: string;
  readonly name: string;
  /** The number of these runs among those that were read. */
  readonly runs: number;
  /** The time at which the first of them became available. */
  readonly since: Instant;
  /** A name that a living worker knows on the same queue, written nearly like this one. */
  readonly near: string | undefined;
}

export interface UnattendedOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly roster: () => Promise<Roster>;
  /** Whether there is a listener. */
  readonly hasListener: () => boolean;
  readonly tell: (work: UnattendedWork) => void;
  readonly trouble: (error: unknown) => void;
}

/** How long a run may wait before a worker is missed: workers that are starting need a moment. */
const graceMs = 5 * second;
/** The pause between two searches while runs are unattended. */
const againMs = minute;
/** The oldest waiting runs that one search reads, and the number that one query reads. */
const mostRead = 1000;
const readAtOnce = 200;

export class Unattended implements Service {
  readonly #options: UnattendedOptions;
  readonly #loop: Loop;
  #unsubscribe: (() => void) | undefined;

  constructor(options: UnattendedOptions) {
    this.#options = options;
    const { clock, trouble } = options;
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#look(),
      trouble,
      backoff: graceMs,
      longestBackoff: againMs,
    });
  }

  async start(): Promise<void> {
    const { store, clock, hasListener } = this.#options;
    this.#unsubscribe ??= store.subscribe(({ queues }) => {
      if (queues.length > 0 && hasListener()) this.#loop.nudge(addTime(clock.now(), graceMs + 1));
    }, 'runs');
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    await this.#loop.stop();
  }

  async #look(): Promise<number> {
    const { store, roster, hasListener, tell } = this.#options;
    if (!hasListener()) return Number.POSITIVE_INFINITY;
    const waiting = new Map<string, UnattendedWork>();
    const { now } = await store.wakeTimes({ archetypes: [] });
    let read = 0;
    let isYoung = false;
    let after: string | undefined;
    do {
      const page = await store.runs({
        states: ['waiting'],
        order: 'ascending',
        limit: readAtOnce,
        payloads: false,
        ...(after === undefined ? {} : { after }),
      });
      for (const { namespace, queue, name, availableAt, attempt } of page.items) {
        // A run that was tried has a worker, and one that is not available yet needs none.
        if (attempt > 0 || availableAt > now) continue;
        if (availableAt > now - graceMs) {
          isYoung = true;
          continue;
        }
        const key = JSON.stringify([namespace, queue, name]);
        const known = waiting.get(key);
        const since = Math.min(known?.since ?? availableAt, availableAt) as Instant;
        waiting.set(key, { namespace, queue, name, runs: (known?.runs ?? 0) + 1, since, near: undefined });
      }
      read += page.items.length;
      after = page.next ?? undefined;
    } while (after !== undefined && read < mostRead);
    if (waiting.size === 0) return isYoung ? graceMs : Number.POSITIVE_INFINITY;
    const { knows, near } = await roster();
    const unattended = [...waiting.values()].filter((work) => !knows(work));
    for (const work of unattended) tell({ ...work, near: near(work) });
    return unattended.length > 0 ? againMs : Number.POSITIVE_INFINITY;
  }
}
