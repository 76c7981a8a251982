/**
 * The events of one execution in one transaction: those that its needs loaded, and the changes made so far. An event that was
 * not asked for does not exist here.
 */
import { InvariantViolation } from '../base/assert.ts';
import type { EventRow } from '../store/records.ts';

export interface Events {
  get(topic: string, id: string): EventRow | undefined;
  all(): readonly EventRow[];
  /** Adds an event that does not exist yet; if it does, the commit is refused as a conflict. */
  add(event: Omit<EventRow, 'owner'>): void;
  /** Replaces an event that was loaded or added. */
  save(event: EventRow): void;
}

export class LoadedEvents implements Events {
  readonly #owner: string;
  readonly #rows: Map<string, EventRow>;
  readonly #isNew = new Set<string>();
  readonly #isChanged = new Set<string>();

  constructor(owner: string, loaded: readonly EventRow[]) {
    this.#owner = owner;
    this.#rows = new Map();
    for (const row of loaded) if (row.owner === owner) this.#rows.set(keyOf(row.topic, row.id), row);
  }

  get(topic: string, id: string): EventRow | undefined {
    return this.#rows.get(keyOf(topic, id));
  }

  all(): readonly EventRow[] {
    return [...this.#rows.values()];
  }

  add(event: Omit<EventRow, 'owner'>): void {
    const key = keyOf(event.topic, event.id);
    if (this.#rows.has(key))
      throw new InvariantViolation(`event ${event.id} of ${event.topic} is there already`);
    this.#rows.set(key, { owner: this.#owner, ...event });
    this.#isNew.add(key);
  }

  save(event: EventRow): void {
    const key = keyOf(event.topic, event.id);
    if (!this.#rows.has(key))
      throw new InvariantViolation(`event ${event.id} of ${event.topic} was not asked for`);
    this.#rows.set(key, event);
    if (!this.#isNew.has(key)) this.#isChanged.add(key);
  }

  get added(): EventRow[] {
    return this.#named(this.#isNew);
  }

  get changed(): EventRow[] {
    return this.#named(this.#isChanged);
  }

  #named(keys: ReadonlySet<string>): EventRow[] {
    return [...keys].map((key) => this.#rows.get(key) as EventRow);
  }
}

function keyOf(topic: string, id: string): string {
  return `${topic}\0${id}`;
}
