/**
 * What lists, counts and sort keys need of every schedule of a namespace, kept in memory while pages ask for it.
 *
 * The first request walks over the listing once; after that, only schedules that any node has changed are read again, when
 * the next request comes. So a request costs what changed since the last one, and a server without readers pays
 * nothing. Notifications of a shared store may be lost, so there the walk is repeated now and then, beside the requests: they
 * go on with what is known, because a walk over many schedules takes seconds.
 */
import type { Clock } from '../../base/clock.ts';
import { stopwatch } from '../../base/clock.ts';
import { nextTurn } from '../../base/next-turn.ts';
import type { Instant } from '../../base/time.ts';
import { minute, second } from '../../base/time.ts';
import { optionsOf } from '../../runs/run.ts';
import { scheduleArchetype } from '../../scheduler/library.ts';
import { compareText } from '../../store/order.ts';
import type { Attributes, ListedExecution, RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { Untaken, Watched } from './attention.ts';
import { isUntaken } from './attention.ts';

export interface FleetEntry extends Watched {
  readonly id: string;
  readonly incarnation: string;
  /** The version of its row. */
  readonly version: number;
  readonly createdAt: Instant;
  /** The fields that filters read. */
  readonly key: { readonly id: string };
  readonly attributes: Attributes;
  readonly signals: Readonly<Record<string, number>>;
}

/** The schedules of a page of the walk: a few milliseconds of work between two turns of the event loop. */
const pageSize = 250;
/** Changed schedules that are read at once. */
const readAtOnce = 500;
/** With more changes than this since the last request, a new walk is cheaper. */
const mostChanged = 20_000;
/** How long a walk is trusted when notifications may be lost. */
const walkEvery = minute;
/** An index that no request has used for this long is dropped. */
const idleAfter = 5 * minute;
/** How long a reading of runs is trusted; longer when reading it costs more than a fiftieth of that time. */
const runsEvery = 2 * second;
const runsShare = 50;
/** The most waiting runs that are read to find schedules without a worker. */
const mostUntaken = 1000;
/** The most runs with a worker that are counted. */
const mostTaken = 1000;

export class FleetIndex {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #namespace: string;
  /** Entries by id, in order of their ids unless `#isInOrder` is false. */
  #entries = new Map<string, FleetEntry>();
  #isInOrder = true;
  #ordered: readonly FleetEntry[] | undefined;
  #changed = new Set<string>();
  /** Schedules that changed since the present walk began: their pages may have been read before the change. */
  #changedInWalk: Set<string> | undefined;
  #walking: Promise<void> | undefined;
  #untaken: ReadonlyMap<string, Untaken> = new Map();
  #runsUntil = Number.NEGATIVE_INFINITY;
  #runsNow = 0;
  #walkedAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;
  #updating: Promise<void> | undefined;

  constructor({ store, clock, namespace }: { store: Store; clock: Clock; namespace: string }) {
    this.#store = store;
    this.#clock = clock;
    this.#namespace = namespace;
  }

  /** The open schedules in order of their ids, as fresh as the store's notifications. */
  async entries(): Promise<readonly FleetEntry[]> {
    this.#usedAt = this.#clock.now();
    const underWay = this.#updating;
    await this.#updated();
    // A reading that had begun before may have missed what this caller has just written; the next one is shared as well.
    if (underWay !== undefined && this.#changed.size > 0) await this.#updated();
    this.#ordered ??= this.#inOrder();
    return this.#ordered;
  }

  /** Requests that come while the index is read share one reading. */
  async #updated(): Promise<void> {
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined;
    });
    await this.#updating;
  }

  /** The number of runs in work, with and without a schedule; as old as the latest request for entries. */
  get runsNow(): number {
    return this.#runsNow;
  }

  /** A changed entry keeps its place, so only new ids make sorting necessary. */
  #inOrder(): readonly FleetEntry[] {
    const entries = [...this.#entries.values()];
    if (this.#isInOrder) return entries;
    entries.sort((a, b) => compareText(a.id, b.id));
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#isInOrder = true;
    return entries;
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#entries.clear();
    this.#ordered = undefined;
    this.#changed.clear();
    this.#changedInWalk = undefined;
    this.#walkedAt = Number.NEGATIVE_INFINITY;
  }

  async #update(): Promise<void> {
    this.#unsubscribe ??= this.#store.subscribe(({ keys }) => this.#note(keys));
    const now = this.#clock.now();
    if (now > this.#runsUntil) await this.#readRuns(now);
    const isStale = this.#store.capabilities.shared && now - this.#walkedAt > walkEvery;
    if (!this.#isKnown || this.#changed.size > mostChanged) await this.#walk();
    // A repeated walk that fails is tried again by the next request.
    else if (isStale) void this.#walk().catch(() => {});
    // The walk that was joined had begun before the index was opened again.
    if (!this.#isKnown) await this.#walk();
    if (this.#changed.size > 0) await this.#readChanged();
  }

  get #isKnown(): boolean {
    return this.#walkedAt !== Number.NEGATIVE_INFINITY;
  }

  #note(keys: readonly { readonly namespace: string; readonly archetype: string; readonly id: string }[]) {
    if (this.#clock.now() - this.#usedAt > idleAfter) return this.close();
    for (const { namespace, archetype, id } of keys) {
      if (archetype !== scheduleArchetype || namespace !== this.#namespace) continue;
      for (const changed of [this.#changed, this.#changedInWalk]) {
        if (changed !== undefined && changed.size <= mostChanged) changed.add(id);
      }
    }
  }

  async #walk(): Promise<void> {
    this.#walking ??= this.#walkOnce().finally(() => {
      this.#walking = undefined;
      this.#changedInWalk = undefined;
    });
    await this.#walking;
  }

  async #walkOnce(): Promise<void> {
    const beganAt = this.#clock.now();
    const changed = new Set<string>();
    this.#changedInWalk = changed;
    const entries = new Map<string, FleetEntry>();
    const shared = new Map<string, string>();
    for (let after: string | null | undefined; after !== null; ) {
      const page = await this.#store.list({
        namespace: this.#namespace,
        archetype: scheduleArchetype,
        status: 'open',
        limit: pageSize,
        ...(after === undefined ? {} : { after }),
      });
      for (const row of page.items) entries.set(row.key.id, this.#entryOf(row, shared));
      after = page.next;
      await nextTurn();
    }
    // What is known of runs may have been read again since.
    for (const [id, entry] of entries) {
      const untaken = this.#untaken.get(id) ?? null;
      if (entry.untaken !== untaken) entries.set(id, { ...entry, untaken });
    }
    this.#entries = entries;
    this.#isInOrder = true;
    this.#ordered = undefined;
    this.#changed = changed;
    // An index that was closed meanwhile still answers the callers that wait for it, and is read again for the next
    // request.
    if (this.#changedInWalk === changed) this.#walkedAt = beganAt;
  }

  async #readChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed = new Set();
    for (let from = 0; from < ids.length; from += readAtOnce) {
      const some = ids.slice(from, from + readAtOnce);
      const rows = await this.#rowsOf(some).catch((error: unknown) => {
        for (const id of ids.slice(from)) this.#changed.add(id);
        throw error;
      });
      for (const id of some) this.#put(id, rows.get(id));
      if (from > 0) await nextTurn();
    }
    this.#ordered = undefined;
  }

  async #rowsOf(ids: readonly string[]): Promise<ReadonlyMap<string, ListedExecution>> {
    const keys = ids.map((id) => ({ namespace: this.#namespace, archetype: scheduleArchetype, id }));
    return new Map((await this.#store.read({ keys })).map((row) => [row.key.id, row]));
  }

  #put(id: string, row: ListedExecution | undefined): void {
    if (row === undefined || row.status === 'closed') this.#entries.delete(id);
    else {
      if (!this.#entries.has(id)) this.#isInOrder = false;
      this.#entries.set(id, this.#entryOf(row, new Map()));
    }
  }

  async #readRuns(now: Instant): Promise<void> {
    const began = stopwatch();
    const of = { namespace: this.#namespace, payloads: false } as const;
    const [waiting, taken] = await Promise.all([
      this.#store.runs({ ...of, states: ['waiting'], order: 'ascending', limit: mostUntaken }),
      this.#store.runs({ ...of, states: ['leased'], limit: mostTaken }),
    ]);
    this.#runsUntil = now + Math.max(runsEvery, runsShare * (stopwatch() - began));
    this.#runsNow = taken.items.length;
    this.#noteUntaken(waiting.items, now);
  }

  /** Runs that wait although their time came a while ago: the oldest first, so the first one of a schedule counts. */
  #noteUntaken(items: readonly RunRow[], now: Instant): void {
    const found = new Map<string, Untaken>();
    for (const run of items) {
      const { schedule } = optionsOf(run);
      if (schedule === undefined || !isUntaken(run, now)) continue;
      if (!found.has(schedule)) found.set(schedule, { handler: run.name, since: run.availableAt });
    }
    const before = this.#untaken;
    this.#untaken = found;
    for (const id of new Set([...before.keys(), ...found.keys()])) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#entries.set(id, { ...entry, untaken: found.get(id) ?? null });
    }
    if (before.size + found.size > 0) this.#ordered = undefined;
  }

  #entryOf(row: ListedExecution, shared: Map<string, string>): FleetEntry {
    const { signals, incident, incarnation, version, createdAt } = row;
    const { id } = row.key;
    const attributes = withSharedTexts(row.attributes, shared);
    return {
      id,
      incarnation,
      version,
      createdAt,
      key: { id },
      attributes,
      signals,
      incident,
      isPaused: attributes.$paused === true,
      isEnded: signals.$ended !== undefined,
      next: (signals.$next ?? null) as Instant | null,
      running: signals.$running ?? 0,
      buffered: signals.$buffered ?? 0,
      failures: signals.$failures ?? 0,
      skips: signals.$skips ?? 0,
      untaken: this.#untaken.get(id) ?? null,
    };
  }
}

/** Names of handlers, queues and owners repeat in every row; one copy of each text is kept. */
function withSharedTexts(attributes: Attributes, shared: Map<string, string>): Attributes {
  const found: Record<string, Attributes[string]> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== 'string' || name === '$text') {
      found[name] = value;
      continue;
    }
    const known = shared.get(value);
    if (known === undefined) shared.set(value, value);
    found[name] = known ?? value;
  }
  return found;
}
