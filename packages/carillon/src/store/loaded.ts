/** The rows a decider receives, the same in every store. */
import { InvariantViolation } from '../base/assert.ts';
import type { Instant } from '../base/time.ts';
import { StoreError } from './error.ts';
import type { EventRef, EventRow, ExecutionRow, PartRef, RunRow } from './records.ts';
import type { Loaded } from './store.ts';

/** Names a part within one transaction. Incarnations and part names contain no NUL. */
export function partKey(ref: PartRef): string {
  return `${ref.incarnation}\0${ref.name}\0${ref.stamp}`;
}

/** Names an event within one transaction. */
export function eventKey({ owner, topic, id }: EventRef): string {
  return `${owner}\0${topic}\0${id}`;
}

export interface LoadedRows {
  readonly now: Instant;
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
  /** Part data by `partKey`; undefined: asked for, but absent. */
  readonly parts: ReadonlyMap<string, string | undefined>;
  /** The events asked for; may contain one more than once. */
  readonly events: readonly EventRow[];
}

const noParts: ReadonlyMap<string, string | undefined> = new Map();

const noEvents: readonly EventRow[] = [];

export function loadedRows(
  rows: Omit<LoadedRows, 'parts' | 'events'>,
  parts = noParts,
  events = noEvents,
): Loaded {
  return {
    events:
      events.length < 2 ? events : [...new Map(events.map((event) => [eventKey(event), event])).values()],
    now: rows.now,
    executions: rows.executions,
    runs: rows.runs,
    part(ref) {
      const key = partKey(ref);
      const data = parts.get(key);
      if (data !== undefined) return data;
      const name = `part ${ref.name}@${ref.stamp} of ${ref.incarnation}`;
      if (parts.has(key)) throw new StoreError('corrupt', `${name} is referred to but not stored`);
      throw new InvariantViolation(`${name} was not asked for by need()`);
    },
  };
}
