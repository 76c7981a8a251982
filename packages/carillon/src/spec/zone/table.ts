/**
 * A zone as two parallel arrays: segment i runs from `starts[i]` (inclusive) to `starts[i + 1]` and has one
 * offset. `starts[0]` is −Infinity and one Infinity closes the list, so no lookup needs a bounds check.
 * Everything before 1970 has the offset of 1970-01-01; after 2101 the last offset goes on.
 */
import { dayNumber } from '../calendar-day.ts';
import type { FoldRule, Zone } from '../model.ts';
import type { PosixRule } from './posix-rule.ts';
import { ruleTransitions } from './posix-rule.ts';

export interface ZoneTable {
  readonly starts: Float64Array;
  readonly offsets: Int32Array;
}

/** Local time a segment answers for, under one fold rule: `from[i] <= local < to[i]`. */
export interface LocalWindows {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** Listed changes in order of time, then the rule that goes on from the last of them. */
export interface ZoneHistory {
  readonly initialOffset: number;
  readonly transitions: readonly (readonly [second: number, offset: number])[];
  readonly rule: PosixRule | undefined;
}

const tableEndYear = 2101;

/** Writes the history out to 2101 and drops changes that do not change the offset. */
export function buildTable(history: ZoneHistory): ZoneTable {
  let offset = history.initialOffset;
  const starts = [Number.NEGATIVE_INFINITY];
  const offsets = [offset];
  const add = (second: number, next: number) => {
    if (next === offset) return;
    starts.push(second);
    offsets.push(next);
    offset = next;
  };
  for (const [second, next] of history.transitions) {
    if (second > 0) add(second, next);
    else {
      offset = next;
      offsets[0] = next;
    }
  }
  const { rule } = history;
  if (rule !== undefined) {
    const last = history.transitions.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
    const firstRuleYear = Math.max(1970, 1970 + Math.floor(last / (365.2425 * 86_400)) - 1);
    const end = dayNumber(tableEndYear + 1, 1, 1) * 86_400;
    if (rule.summer === undefined && last < 0) add(0, rule.standard);
    for (let year = firstRuleYear; year <= tableEndYear; year++) {
      for (const [second, next] of ruleTransitions(rule, year)) {
        if (second > last && second > 0 && second < end) add(second, next);
      }
    }
  }
  starts.push(Number.POSITIVE_INFINITY);
  return { starts: Float64Array.from(starts), offsets: Int32Array.from(offsets) };
}

/** Index of the segment that holds `second`. */
export function segmentOf(table: ZoneTable, second: number): number {
  const { starts } = table;
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] as number) <= second) low = middle;
    else high = middle - 1;
  }
  return low;
}

const windowCache = new WeakMap<ZoneTable, Map<FoldRule, LocalWindows>>();

/** Shared by every calendar in the zone, so a thousand schedules in one zone hold one copy. */
export function windowsOf(table: ZoneTable, fold: FoldRule): LocalWindows {
  const byRule = windowCache.get(table) ?? new Map<FoldRule, LocalWindows>();
  windowCache.set(table, byRule);
  const windows = byRule.get(fold) ?? buildWindows(table, fold);
  byRule.set(fold, windows);
  return windows;
}

function buildWindows({ starts, offsets }: ZoneTable, fold: FoldRule): LocalWindows {
  const count = offsets.length;
  const from = new Float64Array(count);
  const to = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const offset = offsets[i] as number;
    from[i] = (starts[i] as number) + offset;
    to[i] = (starts[i + 1] as number) + offset;
    // In a fold the new segment begins at a local time the old one has already shown.
    if (fold === 'first' && i > 0) {
      from[i] = (starts[i] as number) + Math.max(offset, offsets[i - 1] as number);
    }
    if (fold === 'last' && i + 1 < count && (offsets[i + 1] as number) < offset) {
      to[i] = (starts[i + 1] as number) + (offsets[i + 1] as number);
    }
  }
  return { from, to };
}

export interface TableZone extends Zone {
  readonly table: ZoneTable;
}

/** A `Zone` over a table. The last segment asked for is remembered: callers walk through time. */
export function createZone(name: string, table: ZoneTable): TableZone {
  const { starts, offsets } = table;
  let segment = 0;
  const find = (second: number): number => {
    if (second < (starts[segment] as number) || second >= (starts[segment + 1] as number)) {
      segment = segmentOf(table, second);
    }
    return segment;
  };
  return {
    name,
    table,
    offsetAt: (second) => offsets[find(second)] as number,
    nextTransition: (second) => starts[find(second) + 1] as number,
    previousTransition: (second) => starts[find(second)] as number,
  };
}

/** The table of any zone. For a zone of another implementation it is built once by walking its transitions. */
export function tableOf(zone: Zone & { readonly table?: ZoneTable }): ZoneTable {
  if (zone.table !== undefined) return zone.table;
  const starts = [Number.NEGATIVE_INFINITY];
  const offsets = [zone.offsetAt(0)];
  const end = dayNumber(tableEndYear + 1, 1, 1) * 86_400;
  for (let at = zone.nextTransition(0); at < end; at = zone.nextTransition(at)) {
    starts.push(at);
    offsets.push(zone.offsetAt(at));
  }
  starts.push(Number.POSITIVE_INFINITY);
  return { starts: Float64Array.from(starts), offsets: Int32Array.from(offsets) };
}
