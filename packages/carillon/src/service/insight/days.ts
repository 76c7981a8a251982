/**
 * What keeps schedules of a namespace from running on whole days or parts of them: exclusions and pauses, by day. It is
 * about the schedules that will act again or are paused; each counts by the definition that was in force on the day.
 */
import type { Instant } from '../../base/time.ts';
import { findZone } from '../../spec/index.ts';
import type { Filter } from '../../store/store.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { instantOf, localDay } from './bin-edges.ts';
import { exclusionDays } from './exclusion-days.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import type { Span } from './history-material.ts';
import type { KnownPast } from './past-changes.ts';
import type { SchedulePause, SpecDays } from './specs-by-day.ts';
import { readSpec, specsByDay } from './specs-by-day.ts';

export interface ExcludedDay {
  /** `2026-12-25`, by the clocks of the schedules. */
  readonly date: string;
  /** The comment of the exclusion; empty without one. */
  readonly label: string;
  /** The schedules that it takes times from. */
  readonly schedules: number;
  /** Those of them that have no other time on that day. */
  readonly wholeDay: number;
  /** The ids of some of them. */
  readonly ids: readonly string[];
}

export interface PausedDays {
  /** `2026-11-14`, by the clock of the asked zone. */
  readonly firstDay: string;
  /** Null: until a person resumes. */
  readonly lastDay: string | null;
  readonly by: string;
  readonly note: string;
  readonly schedules: number;
  /** The ids of some of them. */
  readonly ids: readonly string[];
}

export interface Days {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /**
   * The excluded days, by date. A schedule counts by the definition that was in force when the day ended by its clock,
   * so an edit counts for the day on which it is made. A schedule that was paused then counts with the pauses.
   */
  readonly excluded: readonly ExcludedDay[];
  /** The paused days, by their first day. */
  readonly paused: readonly PausedDays[];
  /**
   * Changes before this time are not known, because the audit is not read that far yet, or not kept that long. Earlier
   * days follow the oldest definitions that are known, and pauses that ended before are missing. Null: the whole range
   * is known.
   */
  readonly knownFrom: string | null;
  /** Whether something was left out because there is too much of it. */
  readonly truncated: boolean;
}

export interface DaysQuery extends Span {
  readonly namespace: string;
  readonly zone: string;
  /** Only schedules that match. */
  readonly filter?: Filter;
}

const namedSchedules = 5;
/** The specs whose exclusions are examined in one answer, and between two turns of the event loop. */
const mostSpecs = 5000;
const specsPerTurn = 50;
/** The most different pauses of one answer. */
const mostPauses = 500;

export interface DaysMaterial {
  readonly fleet: FleetSpecs;
  readonly past: KnownPast;
}

interface Paused extends SchedulePause {
  readonly by: string;
  readonly note: string;
}

export async function readDays({ fleet, past }: DaysMaterial, { from, to, zone }: DaysQuery): Promise<Days> {
  const pauses = pausesOf(fleet, past);
  const specs = specsByDay({ fleet, changes: past.changes, pauses, from });
  const excluded = await excludedDays(specs, { from, to });
  const paused = pausedDays(pauses, { from, to }, zone);
  return {
    from: timeJson(from),
    to: timeJson(to),
    zone,
    excluded: excluded.days,
    paused: paused.slice(0, mostPauses),
    knownFrom: timeJson(past.knownFrom),
    truncated: fleet.truncated || excluded.truncated || paused.length > mostPauses,
  };
}

async function excludedDays(specs: readonly SpecDays[], span: Span) {
  const work = new SlicedWork();
  const found = new Map<
    string,
    { date: string; label: string; schedules: number; wholeDay: number; ids: string[] }
  >();
  let truncated = specs.length > mostSpecs;
  for (const [index, spec] of specs.slice(0, mostSpecs).entries()) {
    if (index % specsPerTurn === specsPerTurn - 1) await work.yield();
    const { days, isComplete } = await exclusionDays(readSpec(spec.version), spanOf(spec, span), work);
    if (!isComplete) truncated = true;
    for (const { local, label, isWhole } of days) {
      const date = dateOf(local);
      const known = found.get(`${date} ${label}`) ?? { date, label, schedules: 0, wholeDay: 0, ids: [] };
      for (const { id, first, end } of spec.stretches) {
        if (local < first || local >= end) continue;
        known.schedules += 1;
        if (isWhole) known.wholeDay += 1;
        if (known.ids.length < namedSchedules) known.ids.push(id);
      }
      if (known.schedules > 0) found.set(`${date} ${label}`, known);
    }
  }
  const days = [...found.values()].sort(
    (a, b) => compare(a.date, b.date) || b.schedules - a.schedules || compare(a.label, b.label),
  );
  return { days, truncated };
}

/** The part of a span in which the spec was in force for any schedule. */
function spanOf({ version, stretches }: SpecDays, { from, to }: Span): Span {
  let first = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const days of stretches) {
    first = Math.min(first, days.first);
    end = Math.max(end, days.end);
  }
  const zone = findZone(version.zone ?? 'UTC');
  return {
    from: Number.isFinite(first) ? (Math.max(from, instantOf(first, zone)) as Instant) : from,
    to: Number.isFinite(end) ? (Math.min(to, instantOf(end, zone) - 1) as Instant) : to,
  };
}

function pausesOf({ paused }: FleetSpecs, { pauses }: KnownPast): readonly Paused[] {
  // The fleet is a cached answer, so a pause that has ended by the audit is over.
  const over = new Set(pauses.map(({ id, from }) => `${from} ${id}`));
  const open = paused.filter(({ id, at }) => !over.has(`${at} ${id}`));
  return [
    ...pauses,
    ...open.map(({ id, at, by, note, until }) => ({ id, from: at, to: until ?? null, by, note })),
  ];
}

/** Equal reasons on the same days are one stretch, however many schedules were paused together. */
function pausedDays(pauses: readonly Paused[], { from, to }: Span, zoneName: string): readonly PausedDays[] {
  const zone = findZone(zoneName);
  const found = new Map<string, Omit<PausedDays, 'schedules' | 'ids'> & { readonly ids: Set<string> }>();
  for (const { id, by, note, from: begin, to: end } of pauses) {
    if (begin > to || (end !== null && end < from)) continue;
    const firstDay = dateOf(localDay(begin, zone));
    const lastDay = end === null ? null : dateOf(localDay(end, zone));
    const key = JSON.stringify([firstDay, lastDay, by, note]);
    const known = found.get(key) ?? { firstDay, lastDay, by, note, ids: new Set<string>() };
    found.set(key, known);
    known.ids.add(id);
  }
  return [...found.values()]
    .map(({ ids, ...rest }) => ({
      ...rest,
      schedules: ids.size,
      ids: [...ids].sort().slice(0, namedSchedules),
    }))
    .sort((a, b) => compare(a.firstDay, b.firstDay) || b.schedules - a.schedules);
}

function dateOf(local: number): string {
  return new Date(local).toISOString().slice(0, 10);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
