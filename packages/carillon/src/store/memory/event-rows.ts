/**
 * The events of one execution. Those of one topic and state are kept in order of their sequence: appending in order, the usual
 * case, keeps it, and so does removing; an event that returns to an earlier position costs one sort at the next read.
 */
import type { Instant } from '../../base/time.ts';
import { eventPage } from '../event-page.ts';
import type { EventRef, EventRow, EventState } from '../records.ts';
import { eventStates } from '../records.ts';
import type { EventNeed, EventQuery, Page } from '../store.ts';

export class EventRows {
  readonly #byId = new Map<string, EventRow>();
  readonly #lines = new Map<string, EventLine>();
  /** Reserved events by run. */
  readonly #held = new Map<string, Set<string>>();

  get size(): number {
    return this.#byId.size;
  }

  get(ref: EventRef): EventRow | undefined {
    return this.#byId.get(idText(ref));
  }

  put(row: EventRow): void {
    this.remove(row);
    const id = idText(row);
    this.#byId.set(id, row);
    this.#line(row.topic, row.state).add(row);
    if (row.state !== 'reserved' || row.holder === null) return;
    const held = this.#held.get(row.holder);
    if (held === undefined) this.#held.set(row.holder, new Set([id]));
    else held.add(id);
  }

  remove(ref: EventRef): void {
    const id = idText(ref);
    const row = this.#byId.get(id);
    if (row === undefined) return;
    this.#byId.delete(id);
    this.#line(row.topic, row.state).delete(row);
    if (row.holder === null) return;
    const held = this.#held.get(row.holder);
    held?.delete(id);
    if (held?.size === 0) this.#held.delete(row.holder);
  }

  needed(need: EventNeed): readonly EventRow[] {
    if ('holder' in need) {
      const ids = this.#held.get(need.holder) ?? [];
      return [...ids].map((id) => this.#byId.get(id) as EventRow);
    }
    if ('oldest' in need) return this.#line(need.topic, 'pending').first(need.oldest);
    const found = need.ids.map((id) => this.get({ ...need, id }));
    return found.filter((row) => row !== undefined);
  }

  page(query: EventQuery): Page<EventRow> {
    return eventPage(query, this.#asked(query));
  }

  #asked({ owner, topic, ids, states = eventStates, order, after, limit }: EventQuery): readonly EventRow[] {
    if (ids !== undefined) {
      return this.needed({ owner, topic, ids: [...new Set(ids)] });
    }
    const isFirstPage = order !== 'descending' && after === undefined;
    const most = isFirstPage ? limit + 1 : Number.POSITIVE_INFINITY;
    return states.flatMap((state) => this.#line(topic, state).first(most));
  }

  /** Removes final events that changed before a time, at most `limit`; returns the number removed. */
  sweep(before: Instant, limit: number): number {
    const isOld = ({ state, changedAt }: EventRow) =>
      (state === 'consumed' || state === 'skipped') && changedAt < before;
    return this.#removeWhere(isOld, limit);
  }

  removeSome(limit: number): number {
    return this.#removeWhere(() => true, limit);
  }

  #removeWhere(isAsked: (row: EventRow) => boolean, limit: number): number {
    const gone: EventRow[] = [];
    for (const row of this.#byId.values()) {
      if (gone.length >= limit) break;
      if (isAsked(row)) gone.push(row);
    }
    for (const row of gone) this.remove(row);
    return gone.length;
  }

  #line(topic: string, state: EventState): EventLine {
    const name = `${state} ${topic}`;
    let line = this.#lines.get(name);
    if (line === undefined) {
      line = new EventLine();
      this.#lines.set(name, line);
    }
    return line;
  }
}

class EventLine {
  #rows = new Map<number, EventRow>();
  #last = Number.NEGATIVE_INFINITY;
  #isSorted = true;

  add(row: EventRow): void {
    if (row.sequence < this.#last) this.#isSorted = false;
    else this.#last = row.sequence;
    this.#rows.set(row.sequence, row);
  }

  delete({ sequence }: EventRow): void {
    this.#rows.delete(sequence);
  }

  first(count: number): readonly EventRow[] {
    this.#sort();
    const found: EventRow[] = [];
    for (const row of this.#rows.values()) {
      if (found.length >= count) break;
      found.push(row);
    }
    return found;
  }

  #sort(): void {
    if (this.#isSorted) return;
    this.#rows = new Map([...this.#rows].sort(([a], [b]) => a - b));
    this.#isSorted = true;
  }
}

function idText({ topic, id }: EventRef): string {
  return `${topic}\0${id}`;
}
