/**
 * The limits of task types: how many tasks of a type workers may hold at once (`concurrentExecLimit`), and how many may be
 * handed out within some seconds (`rateLimitPerFrequency`). The limits apply across all nodes and to every worker: those of
 * the original's clients, workers over HTTP, and handlers of a program.
 *
 * A claim first writes a reservation into the document of the type, and only then counts the tasks that workers hold. It also
 * subtracts earlier reservations of other claims, so two concurrent claims together never exceed the limit. The reservation of
 * a process that dies counts until it expires. Types without limits need no reservation.
 */
import type { Claimed, ClaimGate, KnownRuns, Passage, RunRow, Store } from 'carillon/internal/archetype';
import { Documents, joined } from 'carillon/internal/archetype';
import type { Clock, Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { TaskDefinition } from './definition.ts';
import type { Definitions } from './definitions.ts';
import { isTaskQueue, taskTypesOf } from './flow-runs.ts';

interface Passed {
  readonly reservations: readonly Reservation[];
  /** When tasks were handed out, within the period of the limit. */
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

/** Tasks of one type and namespace that wait on a queue. */
interface Waiting {
  readonly namespace: string;
  readonly type: string;
  readonly queue: string;
  /** Whether one of them may begin now. */
  readonly isDue: boolean;
}

/** Longer than any claim takes. */
const reservedMs = 30_000;
/** How long the limits of a type are cached. */
const refreshMs = 1000;
/** The most types whose limits are cached, so that random names cannot fill the memory. */
const mostKnown = 10_000;
/** The most waiting tasks of a queue that are read to find their namespaces and types. */
const mostWaiting = 256;
/** The most held tasks that are counted; a higher limit has the same effect as this one. */
const mostWorking = 1000;

type Limits = Pick<
  TaskDefinition,
  'concurrentExecLimit' | 'rateLimitPerFrequency' | 'rateLimitFrequencyInSeconds'
>;

export class TaskGate implements ClaimGate {
  readonly #options: TaskGateOptions;
  readonly #passed: Documents<Passed>;
  readonly #limits = new Map<string, { readonly limits: Limits | null; readonly until: Instant }>();
  /** The types that have limits in some namespace. */
  #limitedTypes: { readonly types: ReadonlySet<string>; readonly until: Instant } | undefined;

  constructor(options: TaskGateOptions) {
    this.#options = options;
    this.#passed = new Documents({ ...options, kind: 'flowTaskGate' });
  }

  async limited(queues: readonly string[], namespace: string | undefined): Promise<readonly string[]> {
    const limited: string[] = [];
    for (const queue of queues) {
      if (!isTaskQueue(queue)) continue;
      for (const type of taskTypesOf(queue)) {
        const isLimited =
          namespace === undefined
            ? (await this.#typesWithLimits()).has(type)
            : (await this.#limitsOf(namespace, type)) !== null;
        if (!isLimited) continue;
        limited.push(queue);
        break;
      }
    }
    return limited;
  }

  /** False for types that may have limits, and for types whose limits are not cached: their tasks must be claimed. */
  mayPlace({ queue, name }: RunRow): boolean {
    if (!isTaskQueue(queue)) return true;
    const known = this.#limitedTypes;
    return known !== undefined && known.until > this.#options.clock.now() && !known.types.has(name);
  }

  async pass(passage: Passage): Promise<Claimed> {
    const parts: Claimed[] = [];
    let left = passage.want;
    for (const waiting of await this.#waiting(passage)) {
      if (left <= 0) break;
      const part = await this.#passType(waiting, left, passage.claim);
      left -= part.runs.length;
      parts.push(part);
    }
    return joined(parts);
  }

  async #passType(waiting: Waiting, want: number, claim: Passage['claim']): Promise<Claimed> {
    const { namespace, type, queue, isDue } = waiting;
    const known: KnownRuns = { namespace, names: { [queue]: [type] } };
    const limits = await this.#limitsOf(namespace, type);
    if (limits === null) return await claim(want, known);
    const heldBack = { ...nothing, heldBack: isDue ? [queue] : [] };
    if (!(await this.#hasRoom(waiting, limits))) return heldBack;
    const id = this.#options.newId();
    const free = await this.#reserve(waiting, limits, { id, want });
    let taken = 0;
    try {
      const { concurrentExecLimit: most = 0 } = limits;
      const working = most > 0 ? await this.#working(waiting) : 0;
      const limit = Math.min(want, free.rate, most > 0 ? free.concurrent - working : want);
      if (limit <= 0) return heldBack;
      const claimed = await claim(limit, known);
      taken = claimed.runs.length;
      // The limit and not the claim holds back the remaining tasks.
      return limit < want && claimed.full ? { ...claimed, full: false, heldBack: [queue] } : claimed;
    } finally {
      await this.#release(waiting, limits, { id, taken });
    }
  }

  /** Whether a reservation could succeed. Only reads. */
  async #hasRoom(waiting: Waiting, limits: Limits): Promise<boolean> {
    const { concurrentExecLimit: most = 0, rateLimitPerFrequency: per } = limits;
    if (most > 0 && (await this.#working(waiting)) >= most) return false;
    if (per <= 0) return true;
    const before = (await this.#passed.get(waiting.namespace, waiting.type))?.data;
    return handedOf(before, limits, this.#options.clock.now()).length < per;
  }

  /** Writes a reservation. Returns what other reservations leave free; held tasks are not subtracted yet. */
  async #reserve(
    { namespace, type }: Waiting,
    limits: Limits,
    { id, want }: { readonly id: string; readonly want: number },
  ): Promise<{ readonly concurrent: number; readonly rate: number }> {
    const { concurrentExecLimit: most = 0, rateLimitPerFrequency: per } = limits;
    let free = { concurrent: 0, rate: 0 };
    await this.#passed.change(namespace, type, (before, now) => {
      const others = (before?.reservations ?? []).filter((each) => each.until > now && each.id !== id);
      const handed = handedOf(before, limits, now);
      const reserved = others.reduce((sum, { count }) => sum + count, 0);
      free = { concurrent: most - reserved, rate: per > 0 ? per - handed.length - reserved : want };
      const count = Math.min(want, ...[most, per].filter((limit) => limit > 0));
      return { reservations: [...others, { id, count, until: addTime(now, reservedMs) }], handed };
    });
    return free;
  }

  async #release(
    { namespace, type }: Waiting,
    { rateLimitPerFrequency: per }: Limits,
    { id, taken }: { readonly id: string; readonly taken: number },
  ): Promise<void> {
    await this.#passed.change(namespace, type, (before, now) => ({
      reservations: (before?.reservations ?? []).filter((each) => each.id !== id),
      handed: [...(before?.handed ?? []), ...(per > 0 ? new Array<Instant>(taken).fill(now) : [])],
    }));
  }

  /** The types and namespaces of the tasks that wait on a queue and that the claim may take. */
  async #waiting({ queue, known }: Passage): Promise<readonly Waiting[]> {
    const { store, clock } = this.#options;
    const names = known?.names?.[queue];
    const { items } = await store.runs({
      queue,
      states: ['waiting'],
      payloads: false,
      order: 'ascending',
      limit: mostWaiting,
      ...(known?.namespace === undefined ? {} : { namespace: known.namespace }),
    });
    const found = new Map<string, Waiting>();
    for (const { namespace, name: type, availableAt } of items) {
      if (names !== undefined && !names.includes(type)) continue;
      const key = `${namespace}\0${type}`;
      const isDue = availableAt <= clock.now() || found.get(key)?.isDue === true;
      found.set(key, { namespace, type, queue, isDue });
    }
    return [...found.values()];
  }

  /** The number of tasks of a type that workers hold, in every domain. */
  async #working({ namespace, type }: Waiting): Promise<number> {
    const { items } = await this.#options.store.runs({
      namespace,
      name: type,
      states: ['leased'],
      payloads: false,
      limit: mostWorking,
    });
    return items.filter(({ queue }) => isTaskQueue(queue)).length;
  }

  async #limitsOf(namespace: string, type: string): Promise<Limits | null> {
    const { clock, definitions } = this.#options;
    const key = `${namespace}\0${type}`;
    const known = this.#limits.get(key);
    if (known !== undefined && known.until > clock.now()) return known.limits;
    const definition = (await definitions.findTask(namespace, type))?.definition;
    const limits = definition !== undefined && isLimited(definition) ? definition : null;
    if (this.#limits.size >= mostKnown) this.#limits.clear();
    this.#limits.set(key, { limits, until: addTime(clock.now(), refreshMs) });
    return limits;
  }

  async #typesWithLimits(): Promise<ReadonlySet<string>> {
    const { clock, definitions } = this.#options;
    if (this.#limitedTypes === undefined || this.#limitedTypes.until <= clock.now()) {
      const all = await definitions.allTasks();
      const types = new Set(
        all.flatMap(({ definition }) => (isLimited(definition) ? [definition.name] : [])),
      );
      this.#limitedTypes = { types, until: addTime(clock.now(), refreshMs) };
    }
    return this.#limitedTypes.types;
  }
}

const nothing: Claimed = { runs: [], full: false, skipped: [] };

function isLimited({ concurrentExecLimit = 0, rateLimitPerFrequency }: TaskDefinition): boolean {
  return concurrentExecLimit > 0 || rateLimitPerFrequency > 0;
}

function handedOf(before: Passed | undefined, limits: Limits, now: Instant): readonly Instant[] {
  const since = addTime(now, -limits.rateLimitFrequencyInSeconds * 1000);
  return (before?.handed ?? []).filter((at) => at > since);
}
