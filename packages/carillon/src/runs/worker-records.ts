/**
 * The workers behind doors, as the server knows them: what they work on and when they were last heard of. One document per
 * worker, for people and for `explain`; no lease depends on it. A worker is heard of when it claims or sends a sign of life.
 */
import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day, hour, second } from '../base/time.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface WorkerName {
  readonly namespace: string;
  /** Unique for each start of a worker program, so that a restarted one is another worker. */
  readonly id: string;
}

/** What a worker says about itself. */
export interface WorkerAbout {
  /** Absent: unchanged. */
  readonly queues?: readonly string[];
  /** The names that it has handlers for; null: it takes every run. */
  readonly names?: readonly string[] | null;
  /** The name for people; default the id. */
  readonly name?: string;
  /** The library or SDK and its version. */
  readonly client?: string;
  /** How many runs it works on at once. */
  readonly slots?: number;
  readonly isLeaving?: boolean;
}

export interface WorkerView {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** `leaving`: it takes nothing new. `silent`: it has not called for a while. */
  readonly state: 'alive' | 'leaving' | 'silent';
  readonly queues: readonly string[];
  readonly names: readonly string[] | null;
  readonly client: string | null;
  readonly slots: number | null;
  readonly startedAt: Instant;
  readonly seenAt: Instant;
}

interface WorkerRecord extends Omit<WorkerView, 'id' | 'namespace' | 'state'> {
  readonly isLeaving: boolean;
}

export interface WorkerRecordsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A worker that was not heard of for this long counts as silent. Polls are held for up to a minute. */
const silentAfterMs = 90 * second;
/** A record is written at most this often unless what it says changes. */
const recordedEveryMs = 10 * second;
/** Records of workers that were silent this long are removed. */
const forgottenAfterMs = day;
/** The most workers that are listed, and the most whose last record this process remembers. */
const mostWorkers = 1000;

const kind = '@worker';

export class WorkerRecords {
  readonly #documents: Documents<WorkerRecord>;
  readonly #options: WorkerRecordsOptions;
  /** What was last written, and when by the local clock. */
  readonly #written = new Map<string, { readonly at: Instant; readonly said: string }>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  constructor(options: WorkerRecordsOptions) {
    this.#options = options;
    this.#documents = new Documents({ ...options, kind });
  }

  /** Notes that the worker lives. Writes only now and then, or when it says something new. */
  async seen({ namespace, id }: WorkerName, about: WorkerAbout): Promise<void> {
    const now = this.#options.clock.now();
    const key = `${namespace}\0${id}`;
    const said = JSON.stringify(about);
    const last = this.#written.get(key);
    if (last !== undefined && last.said === said && now < last.at + recordedEveryMs) return;
    this.#written.delete(key);
    this.#written.set(key, { at: now, said });
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= mostWorkers) break;
      this.#written.delete(oldest);
    }
    await this.#documents.change(namespace, id, (before, at) => recordOf(id, before, about, at));
    await this.#forgetSome(now);
  }

  async list(namespace?: string): Promise<readonly WorkerView[]> {
    const { store } = this.#options;
    const [{ items }, { now }] = await Promise.all([
      store.list({ archetype: kind, limit: mostWorkers, ...(namespace === undefined ? {} : { namespace }) }),
      store.wakeTimes({ archetypes: [] }),
    ]);
    return items.map(({ key, state }) => viewOf(key, JSON.parse(state) as WorkerRecord, now));
  }

  async #forgetSome(now: Instant): Promise<void> {
    if (now < this.#forgotAt + hour) return;
    this.#forgotAt = now;
    for (const { id, namespace, seenAt } of await this.list()) {
      if (addTime(seenAt, forgottenAfterMs) > now) continue;
      await this.#documents.change(namespace, id, (record, at) =>
        record === undefined || addTime(record.seenAt, forgottenAfterMs) > at ? (record ?? null) : null,
      );
    }
  }
}

function recordOf(
  id: string,
  before: WorkerRecord | undefined,
  about: WorkerAbout,
  now: Instant,
): WorkerRecord {
  return {
    name: about.name ?? before?.name ?? id,
    queues: about.queues ?? before?.queues ?? [],
    names: about.names === undefined ? (before?.names ?? null) : about.names,
    client: about.client ?? before?.client ?? null,
    slots: about.slots ?? before?.slots ?? null,
    startedAt: before?.startedAt ?? now,
    seenAt: now,
    isLeaving: about.isLeaving ?? false,
  };
}

function viewOf({ id, namespace }: WorkerName, record: WorkerRecord, now: Instant): WorkerView {
  const { isLeaving, ...rest } = record;
  const isSilent = addTime(record.seenAt, silentAfterMs) < now;
  return { id, namespace, ...rest, state: isSilent ? 'silent' : isLeaving ? 'leaving' : 'alive' };
}
