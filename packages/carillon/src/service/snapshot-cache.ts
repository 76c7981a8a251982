/**
 * A cache of views of schedules. An entry is valid as long as the schedule's row has the same version and none of its
 * coming times has passed: every change of a schedule, including the end of a run, makes a new version of its row.
 * Only retention deletes finished runs without a new version, so entries are kept for a short time. The row itself is
 * read every time; no node relies on notifications.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { Occurrence } from '../spec/index.ts';
import type { ListedExecution } from '../store/records.ts';

interface Entry<T> {
  readonly version: number;
  readonly until: Instant;
  readonly size: number;
  readonly shown: T;
}

const keptForMs = 5000;

/** The approximate most bytes of all entries. */
const largest = 32 * 1024 * 1024;

/** The approximate bytes of a view besides the texts of its definition. */
const ownSize = 4000;

export class SnapshotCache<T extends { readonly future: readonly Occurrence[] }> {
  /** The entries; the least recently used comes first. */
  readonly #entries = new Map<string, Entry<T>>();
  #size = 0;

  find({ incarnation, version }: ListedExecution, now: Instant): T | undefined {
    const entry = this.#entries.get(incarnation);
    if (entry === undefined) return undefined;
    this.#entries.delete(incarnation);
    if (entry.version === version && now < entry.until) {
      this.#entries.set(incarnation, entry);
      return entry.shown;
    }
    this.#size -= entry.size;
    return undefined;
  }

  /** Adds an entry; `size` is its approximate number of bytes. */
  keep({ incarnation, version }: ListedExecution, shown: T, now: Instant, size: number): void {
    const [first] = shown.future;
    const latest = addTime(now, keptForMs);
    const until = first !== undefined && first.actual < latest ? first.actual : latest;
    this.#forget(incarnation);
    this.#entries.set(incarnation, { version, until, size, shown });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= largest) break;
      this.#forget(oldest);
    }
  }

  /** Removes all entries. Needed when the store may have lost commits and used their versions again. */
  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #forget(incarnation: string): void {
    this.#size -= this.#entries.get(incarnation)?.size ?? 0;
    this.#entries.delete(incarnation);
  }
}

/** Sizes by definition. Definitions are immutable and shared, so each is measured once. */
const sizes = new WeakMap<ScheduleDefinition, number>();

/** The number of characters of the definition's JSON. */
export function definitionSize(definition: ScheduleDefinition): number {
  let size = sizes.get(definition);
  if (size === undefined) {
    size = JSON.stringify(definition).length;
    sizes.set(definition, size);
  }
  return size;
}

export function shownSize(definition: ScheduleDefinition): number {
  return ownSize + 2 * definitionSize(definition);
}
