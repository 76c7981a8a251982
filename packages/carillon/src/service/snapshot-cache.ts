/**
 * What was lately made of the rows of schedules. It is good as long as its row has the same version and none of its
 * coming times has come: whatever a schedule does, the end of a run included, is a new version of its row. Only retention
 * takes finished runs away without one, so that nothing is kept for long. The row itself is read every time; no node
 * relies on hearing of what others did.
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

/** Bytes, roughly, of all that is kept. */
const largest = 32 * 1024 * 1024;

/** What is shown of a schedule takes so much besides the texts in its definition. */
const ownSize = 4000;

export class SnapshotCache<T extends { readonly future: readonly Occurrence[] }> {
  /** The one not asked for longest comes first. */
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

  /** `size` in bytes, roughly. */
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

  /** The store may have lost commits, and then given their versions to others. */
  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #forget(incarnation: string): void {
    this.#size -= this.#entries.get(incarnation)?.size ?? 0;
    this.#entries.delete(incarnation);
  }
}

/** Measured once each: definitions are immutable and shared. */
const sizes = new WeakMap<ScheduleDefinition, number>();

/** Characters of its JSON. */
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
