/**
 * The limits of task types: how many tasks of a type may be in work at once (`concurrentExecLimit`), and how many may be
 * handed out within some seconds (`rateLimitPerFrequency`). They hold over all nodes.
 *
 * A poll first writes a reservation into the document of the type, and only then counts what is in work. It leaves out what
 * others had reserved before: so two polls at once never hand out more than the limit together, and a poll whose process
 * dies holds its places until its reservation runs out. Types without limits pass without any of this.
 */
import type { Store } from 'carillon/internal/archetype';
import { Documents } from 'carillon/internal/archetype';
import type { Clock, Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { TaskDefinition } from './definition.ts';
import type { Definitions } from './definitions.ts';

interface Passed {
  readonly reservations: readonly Reservation[];
  /** When tasks were handed out, as long as it counts. */
  readonly handed: readonly Instant[];
}

interface Reservation {
  readonly id: string;
  readonly count: number;
  readonly until: Instant;
}

export interface TaskGateOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly definitions: Definitions;
}

export interface Passage<T> {
  readonly namespace: string;
  readonly type: string;
  readonly queue: string;
  /** The most tasks wanted. */
  readonly want: number;
  /** Claims at most so many tasks. `isLimited` says that it must not wait for more. */
  readonly claim: (limit: number, isLimited: boolean) => Promise<readonly T[]>;
}

/** Longer than any claim takes. */
const reservedMs = 30_000;
/** How old the known limits of a type may be. */
const refreshMs = 1000;
/** Types whose limits are remembered, so that random names cannot fill the memory. */
const mostKnown = 10_000;

type Limits = Pick<
  TaskDefinition,
  'concurrentExecLimit' | 'rateLimitPerFrequency' | 'rateLimitFrequencyInSeconds'
>;

export class TaskGate {
  readonly #options: TaskGateOptions;
  readonly #passed: Documents<Passed>;
  readonly #limits = new Map<string, { readonly limits: Limits | null; readonly until: Instant }>();

  constructor(options: TaskGateOptions) {
    this.#options = options;
    this.#passed = new Documents({ ...options, kind: 'flowTaskGate' });
  }

  async pass<T>(passage: Passage<T>): Promise<readonly T[]> {
    const { namespace, type, want, claim } = passage;
    const limits = await this.#limitsOf(namespace, type);
    if (limits === null) return await claim(want, false);
    if (!(await this.#isWaiting(passage))) return [];
    const id = this.#options.newId();
    const free = await this.#reserve(passage, limits, id);
    let taken: readonly T[] = [];
    try {
      const { concurrentExecLimit: most = 0 } = limits;
      const working = most > 0 ? await this.#working(namespace, type, most) : 0;
      const limit = Math.min(want, free.rate, most > 0 ? free.concurrent - working : want);
      if (limit > 0) taken = await claim(limit, true);
      return taken;
    } finally {
      await this.#passed.change(namespace, type, (before, now) => ({
        reservations: (before?.reservations ?? []).filter((each) => each.id !== id),
        handed: [
          ...(before?.handed ?? []),
          ...(limits.rateLimitPerFrequency > 0 ? taken.map(() => now) : []),
        ],
      }));
    }
  }

  /** What others leave free, before what is in work is counted. */
  async #reserve<T>(
    { namespace, type, want }: Passage<T>,
    limits: Limits,
    id: string,
  ): Promise<{ readonly concurrent: number; readonly rate: number }> {
    const { concurrentExecLimit: most = 0, rateLimitPerFrequency: per } = limits;
    let free = { concurrent: 0, rate: 0 };
    await this.#passed.change(namespace, type, (before, now) => {
      const others = (before?.reservations ?? []).filter((each) => each.until > now && each.id !== id);
      const since = addTime(now, -limits.rateLimitFrequencyInSeconds * 1000);
      const handed = (before?.handed ?? []).filter((at) => at > since);
      const reserved = others.reduce((sum, { count }) => sum + count, 0);
      free = { concurrent: most - reserved, rate: per > 0 ? per - handed.length - reserved : want };
      return { reservations: [...others, { id, count: want, until: addTime(now, reservedMs) }], handed };
    });
    return free;
  }

  async #isWaiting<T>({ namespace, queue }: Passage<T>): Promise<boolean> {
    const { items } = await this.#options.store.runs({
      namespace,
      queue,
      states: ['waiting'],
      payloads: false,
      limit: 1,
    });
    return items.length > 0;
  }

  /** The tasks of a type that are in work, in every domain; more than the limit need not be counted. */
  async #working(namespace: string, type: string, most: number): Promise<number> {
    const { items } = await this.#options.store.runs({
      namespace,
      name: type,
      states: ['leased'],
      payloads: false,
      limit: most,
    });
    return items.length;
  }

  async #limitsOf(namespace: string, type: string): Promise<Limits | null> {
    const { clock, definitions } = this.#options;
    const key = `${namespace}\0${type}`;
    const known = this.#limits.get(key);
    if (known !== undefined && known.until > clock.now()) return known.limits;
    const definition = (await definitions.findTask(namespace, type))?.definition;
    const isLimited =
      definition !== undefined &&
      ((definition.concurrentExecLimit ?? 0) > 0 || definition.rateLimitPerFrequency > 0);
    const limits = isLimited ? definition : null;
    if (this.#limits.size >= mostKnown) this.#limits.clear();
    this.#limits.set(key, { limits, until: addTime(clock.now(), refreshMs) });
    return limits;
  }
}
