/**
 * What happens, handed to everybody who listens. Facts come from this process as soon as they are durable; that something
 * changed comes from the store, so that other nodes' changes are seen too. The last events are kept, so that a listener who
 * was away for a moment misses nothing; one who was away longer is told to look anew.
 */
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import type { CarillonEvent, Change } from 'carillon/internal/service';
import { timeJson } from 'carillon/internal/service';

export interface LiveEvent {
  /** Increasing within one process; empty for what cannot be resumed from. */
  readonly id: string;
  readonly type: string;
  readonly namespace: string;
  /** Null for a run that belongs to no schedule, and for what is about everything. */
  readonly schedule: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export type EventListener = (event: LiveEvent) => void;

/** Events kept for those who come back. */
const mostKept = 1000;

/** Changes of one schedule within this time are told once. */
const gatherMs = 100;

/** Schedules told of one by one in a gathering; beyond it, listeners are told to look anew. */
const mostGathered = 1000;

export class EventHub {
  readonly #clock: Clock;
  /** Tells the events of one life of the process from those of another. */
  readonly #life: string;
  readonly #listeners = new Set<EventListener>();
  readonly #release: readonly (() => void)[];
  #kept: LiveEvent[] = [];
  #sequence = 0;
  #changed = new Map<string, { readonly namespace: string; readonly schedule: string }>();
  #cancelGathering: (() => void) | undefined;

  constructor({ carillon, clock, life }: { carillon: Carillon; clock: Clock; life: string }) {
    this.#clock = clock;
    this.#life = life;
    this.#release = [
      carillon.subscribe((event) => this.#fact(event)),
      carillon.store.subscribe((change) => this.#change(change)),
    ];
  }

  /** What came after `lastId` first, as far as it is known. Returns the way out. */
  listen(listener: EventListener, lastId: string | undefined): () => void {
    if (lastId !== undefined) {
      const [life, sequence] = lastId.split('.');
      const after = Number(sequence);
      const [oldest] = this.#kept;
      const known = life === this.#life && (oldest === undefined || after >= sequenceOf(oldest) - 1);
      if (!known) listener(this.#reset());
      else for (const event of this.#kept) if (sequenceOf(event) > after) listener(event);
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#listeners.size;
  }

  close(): void {
    for (const release of this.#release) release();
    this.#cancelGathering?.();
    this.#listeners.clear();
  }

  #fact({ type, namespace, schedule, ...fact }: CarillonEvent): void {
    const data = 'nominal' in fact ? { ...fact, nominal: timeJson(fact.nominal) } : fact;
    this.#tell({ type, namespace, schedule, data });
  }

  #change({ keys }: Change): void {
    if (this.#listeners.size === 0) return;
    for (const { archetype, namespace, id } of keys) {
      if (archetype === 'schedule') this.#changed.set(`${namespace}\0${id}`, { namespace, schedule: id });
    }
    if (this.#changed.size === 0 || this.#cancelGathering !== undefined) return;
    this.#cancelGathering = this.#clock.wakeAt(addTime(this.#clock.now(), gatherMs), () => this.#flush());
  }

  #flush(): void {
    this.#cancelGathering = undefined;
    const changed = this.#changed;
    this.#changed = new Map();
    if (changed.size > mostGathered) this.#send(this.#reset());
    else for (const each of changed.values()) this.#tell({ ...each, type: 'changed', data: {} });
  }

  #tell(event: Omit<LiveEvent, 'id'>): void {
    this.#sequence += 1;
    const full = { ...event, id: `${this.#life}.${this.#sequence}` };
    this.#kept.push(full);
    // Cut in halves, so that keeping costs nothing per event.
    if (this.#kept.length > 2 * mostKept) this.#kept = this.#kept.slice(-mostKept);
    this.#send(full);
  }

  #send(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Something was missed: read again what you show. It belongs to every namespace. */
  #reset(): LiveEvent {
    return { id: `${this.#life}.${this.#sequence}`, type: 'reset', namespace: '', schedule: null, data: {} };
  }
}

function sequenceOf({ id }: LiveEvent): number {
  return Number(id.slice(id.indexOf('.') + 1));
}
