/** Executions with their parts, slots and events, found by incarnation, by key, by wake time and in listing order. */
import type { Instant } from '../../base/time.ts';
import { dueTime } from '../change.ts';
import type { ListPosition } from '../listing-walk.ts';
import { compareText } from '../order.ts';
import type { Attributes, ExecutionKey, ExecutionRow, ExecutionWrite, ListedExecution } from '../records.ts';
import { EventRows } from './event-rows.ts';
import type { Ticket } from './heap.ts';
import { Heap } from './heap.ts';
import { PartRows } from './part-rows.ts';
import { SlotRows } from './slot-rows.ts';
import { SortedSet } from './sorted-set.ts';

/** One stored execution. The row and the attributes are replaced, never changed. */
export interface StoredExecution {
  /** The number of the execution in order of creation. */
  readonly sequence: number;
  readonly parts: PartRows;
  readonly slots: SlotRows;
  readonly events: EventRows;
  row: ExecutionRow;
  attributes: Attributes;
  /** The positions of the execution in the heaps of due and of closed executions. */
  waking: Ticket<StoredExecution> | undefined;
  closed: Ticket<StoredExecution> | undefined;
}

export class ExecutionRows {
  readonly #byIncarnation = new Map<string, StoredExecution>();
  /** Incarnations of one key in order of creation; the last one is the newest. */
  readonly #byKey = new Map<string, StoredExecution[]>();
  readonly #waking = new Map<string, Heap<StoredExecution>>();
  readonly listed = new SortedSet<StoredExecution>((a, b) => compareListed(positionOf(a), positionOf(b)));
  readonly #closed = new Heap<StoredExecution>(
    (a, b) => (a.row.closedAt as number) - (b.row.closedAt as number) || a.sequence - b.sequence,
  );
  /** All executions in order of creation. */
  readonly created = new SortedSet<StoredExecution>((a, b) => a.sequence - b.sequence);
  #sequence = 0;

  get(incarnation: string): StoredExecution | undefined {
    return this.#byIncarnation.get(incarnation);
  }

  /** The newest incarnation under a key. */
  newest(key: ExecutionKey): StoredExecution | undefined {
    return this.#byKey.get(keyText(key))?.at(-1);
  }

  due(now: Instant, limit: number, archetypes: readonly string[] | undefined): readonly StoredExecution[] {
    const isDue = ({ row }: StoredExecution) => (row.wakeAt as number) <= now;
    const heaps = this.#heaps(archetypes);
    const only = heaps[0];
    if (only === undefined) return [];
    if (heaps.length === 1) return only.first(limit, isDue);
    const found = heaps.map((heap) => heap.first(limit, isDue));
    return found.flat().sort(byWakeTime).slice(0, limit);
  }

  /** The executions closed before a time, oldest first. */
  closedBefore(before: Instant, limit: number): readonly StoredExecution[] {
    return this.#closed.first(limit, ({ row }) => (row.closedAt as number) < before);
  }

  nextDue(archetypes: readonly string[] | undefined): Instant | null {
    let earliest: Instant | null = null;
    for (const heap of this.#heaps(archetypes)) {
      const first = heap.peek();
      const at = first === undefined ? null : dueTime(first.row);
      if (at !== null && (earliest === null || at < earliest)) earliest = at;
    }
    return earliest;
  }

  #heaps(archetypes: readonly string[] | undefined): readonly Heap<StoredExecution>[] {
    if (archetypes === undefined) return [...this.#waking.values()];
    const heaps: Heap<StoredExecution>[] = [];
    for (const name of archetypes) {
      const heap = this.#waking.get(name);
      if (heap !== undefined) heaps.push(heap);
    }
    return heaps;
  }

  #enterHeaps(stored: StoredExecution): void {
    const { row } = stored;
    if (row.status === 'closed' && row.closedAt !== null) stored.closed = this.#closed.add(stored);
    if (dueTime(row) === null) return;
    const { archetype } = row.key;
    let heap = this.#waking.get(archetype);
    if (heap === undefined) {
      heap = new Heap<StoredExecution>(byWakeTime);
      this.#waking.set(archetype, heap);
    }
    stored.waking = heap.add(stored);
  }

  #leaveHeaps(stored: StoredExecution): void {
    if (stored.closed !== undefined) this.#closed.delete(stored.closed);
    if (stored.waking !== undefined) this.#waking.get(stored.row.key.archetype)?.delete(stored.waking);
    stored.closed = undefined;
    stored.waking = undefined;
  }

  all(): IterableIterator<StoredExecution> {
    return this.#byIncarnation.values();
  }

  insert(write: ExecutionWrite): void {
    const stored: StoredExecution = {
      sequence: ++this.#sequence,
      parts: new PartRows(),
      slots: new SlotRows(),
      events: new EventRows(),
      row: rowOf(write),
      attributes: write.attributes ?? {},
      waking: undefined,
      closed: undefined,
    };
    this.#byIncarnation.set(write.incarnation, stored);
    const siblings = this.#byKey.get(keyText(write.key));
    if (siblings === undefined) this.#byKey.set(keyText(write.key), [stored]);
    else siblings.push(stored);
    this.listed.add(stored);
    this.created.add(stored);
    this.#enterHeaps(stored);
  }

  replace(stored: StoredExecution, write: ExecutionWrite): void {
    const row = rowOf(write, stored.row);
    if (write.attributes !== undefined) stored.attributes = write.attributes;
    const { waking } = stored;
    if (waking !== undefined && dueTime(row) !== null) {
      stored.row = row;
      this.#waking.get(row.key.archetype)?.restore(waking);
      return;
    }
    this.#leaveHeaps(stored);
    stored.row = row;
    this.#enterHeaps(stored);
  }

  /** Removes final events that changed before a time, at most `limit`; returns the number removed. */
  sweepEvents(before: Instant, limit: number): number {
    let swept = 0;
    for (const { events } of this.#byIncarnation.values()) {
      if (swept >= limit) break;
      if (events.size > 0) swept += events.sweep(before, limit - swept);
    }
    return swept;
  }

  remove(stored: StoredExecution): void {
    this.#leaveHeaps(stored);
    this.#byIncarnation.delete(stored.row.incarnation);
    this.listed.delete(stored);
    this.created.delete(stored);
    const text = keyText(stored.row.key);
    const others = (this.#byKey.get(text) ?? []).filter((each) => each !== stored);
    if (others.length === 0) this.#byKey.delete(text);
    else this.#byKey.set(text, others);
  }
}

function byWakeTime(a: StoredExecution, b: StoredExecution): number {
  return (a.row.wakeAt as number) - (b.row.wakeAt as number) || a.sequence - b.sequence;
}

export function positionOf(stored: StoredExecution): ListPosition {
  const { key } = stored.row;
  return [key.namespace, key.archetype, key.id, stored.sequence];
}

export function compareListed(a: ListPosition, b: ListPosition): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]) || compareText(a[2], b[2]) || a[3] - b[3];
}

export function listedOf(stored: StoredExecution): ListedExecution {
  return { ...stored.row, attributes: stored.attributes };
}

export function keyText(key: ExecutionKey): string {
  return `${key.namespace}\0${key.archetype}\0${key.id}`;
}

/** The columns of the row without further properties of the caller's object; name and creation are those of `before`. */
function rowOf(write: ExecutionWrite, before: ExecutionRow = write): ExecutionRow {
  return {
    key: before.key,
    incarnation: write.incarnation,
    version: write.version,
    status: write.status,
    wakeAt: write.wakeAt,
    state: write.state,
    signals: write.signals,
    incident: write.incident,
    createdAt: before.createdAt,
    closedAt: write.closedAt,
  };
}
