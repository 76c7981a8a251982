/** One request to `transact`: selects, decides, checks and writes. Nothing waits in between, so no transaction meets another. */
import type { Clock } from '../../base/clock.ts';
import { type ChangeListeners, changeOf } from '../change.ts';
import { loadedRows, partKey } from '../loaded.ts';
import type { PartRef, PartRow } from '../records.ts';
import type { Decider, Selection } from '../store.ts';
import { select } from './selection.ts';
import type { Tables } from './tables.ts';
import { applyWrites, checkWrites } from './writing.ts';

export interface Surroundings {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly listeners: ChangeListeners;
}

export function transact<T>(
  { tables, clock, listeners }: Surroundings,
  selection: Selection,
  decider: Decider<T>,
): T {
  const now = clock.now();
  const { executions, runs } = select(tables, selection, now);
  const needs = decider.need?.(executions, runs);
  const parts =
    needs === undefined || needs.parts.length === 0
      ? undefined
      : new Map(needs.parts.map((ref) => [partKey(ref), partOf(tables, ref)?.data]));
  const events = needs?.events?.flatMap(
    (need) => tables.executions.get(need.owner)?.events.needed(need) ?? [],
  );
  const { writes, result } = decider.decide(loadedRows({ now, executions, runs }, parts, events));
  checkWrites(tables, writes);
  const removed = applyWrites(tables, writes);
  const change = listeners.isEmpty ? null : changeOf(writes, removed);
  if (change !== null) listeners.tell(change);
  return result;
}

export function partOf(tables: Tables, ref: PartRef): PartRow | undefined {
  return tables.executions.get(ref.incarnation)?.parts.get(ref);
}
