/**
 * What needs a person, grouped by what they probably have in common, so that one cause with many victims is one thing to look
 * at, and hides nothing that is less bad. Pure.
 */
import { nextTurn } from '../../base/next-turn.ts';
import type { Instant } from '../../base/time.ts';
import type { Attention, AttentionKind } from './attention.ts';
import { attentionOf } from './attention.ts';
import type { FleetEntry } from './fleet-index.ts';
import type { SortedEntry } from './fleet-list.ts';

/** What the schedules of a group share besides the reason. */
export interface NeedCause {
  readonly type: 'handler' | 'owner';
  readonly name: string;
}

export interface NeedGroup {
  readonly kind: AttentionKind;
  /** Null where they have neither an owner nor a handler in common. */
  readonly cause: NeedCause | null;
  readonly count: number;
  /** The least and the most failures in a row. */
  readonly failures: { readonly least: number; readonly most: number };
}

export interface FoundGroup extends NeedGroup {
  /** The worst of them, at most as many as were asked for. */
  readonly worst: readonly SortedEntry[];
}

export interface GroupedNeeds {
  /** The worst group first; those of a pause come last, because a pause is a person's own decision. */
  readonly groups: readonly FoundGroup[];
  /** What the groups that were left out have, pauses not counted. */
  readonly rest: { readonly groups: number; readonly schedules: number };
}

export interface Bounds {
  readonly groups: number;
  /** Schedules of each group. */
  readonly members: number;
}

/** As many as a person looks through. */
export const needBounds: Bounds = { groups: 7, members: 3 };

/** The entries that are examined between two turns of the event loop: a few milliseconds of work. */
const entriesPerTurn = 5000;

export async function groupNeeds(
  entries: readonly FleetEntry[],
  now: Instant,
  most: Bounds,
): Promise<GroupedNeeds> {
  const found = new Map<string, Growing>();
  for (const [index, entry] of entries.entries()) {
    if (index % entriesPerTurn === entriesPerTurn - 1) await nextTurn();
    const attention = attentionOf(entry, now);
    const { kind } = attention;
    if (kind === null) continue;
    const cause = causeOf(kind, entry);
    const key = JSON.stringify([kind, cause]);
    const group: Growing = found.get(key) ?? {
      kind,
      cause,
      count: 0,
      least: Number.MAX_SAFE_INTEGER,
      most: 0,
      worst: [],
    };
    found.set(key, group);
    add(group, { entry, attention }, most.members);
  }
  const sorted = [...found.values()].sort((a, b) => scoreOf(b) - scoreOf(a));
  const needs = sorted.filter(({ kind }) => kind !== 'paused');
  const left = needs.slice(most.groups);
  const pauses = sorted.filter(({ kind }) => kind === 'paused').slice(0, most.groups);
  return {
    groups: [...needs.slice(0, most.groups), ...pauses].map(({ kind, cause, count, least, most, worst }) => ({
      kind,
      cause,
      count,
      failures: { least, most },
      worst,
    })),
    rest: { groups: left.length, schedules: left.reduce((sum, { count }) => sum + count, 0) },
  };
}

interface Growing {
  readonly kind: AttentionKind;
  readonly cause: NeedCause | null;
  count: number;
  least: number;
  most: number;
  readonly worst: { readonly entry: FleetEntry; readonly attention: Attention }[];
}

function add(group: Growing, each: SortedEntry, members: number): void {
  const { failures } = each.entry;
  group.count += 1;
  group.least = Math.min(group.least, failures);
  group.most = Math.max(group.most, failures);
  const { worst } = group;
  // Entries come in order of their ids, so one that is as bad belongs after those that are there.
  let place = worst.length;
  while (place > 0 && (worst[place - 1] as SortedEntry).attention.score < each.attention.score) place -= 1;
  worst.splice(place, 0, each);
  if (worst.length > members) worst.pop();
}

function scoreOf({ worst: [first] }: Growing): number {
  return first?.attention.score ?? 0;
}

/** A handler without a worker is one cause for all its schedules; of other reasons, those of one owner probably share theirs. */
function causeOf(kind: AttentionKind, { untaken, attributes }: FleetEntry): NeedCause | null {
  if (kind === 'noWorker' && untaken !== null) return { type: 'handler', name: untaken.handler };
  const { $owner: owner, $name: handler } = attributes;
  if (typeof owner === 'string' && owner !== '') return { type: 'owner', name: owner };
  return typeof handler === 'string' && handler !== '' ? { type: 'handler', name: handler } : null;
}
