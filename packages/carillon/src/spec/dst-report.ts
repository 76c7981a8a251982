/**
 * Reports what the coming clock changes do to a schedule.
 *
 * A skipped wall-clock time is one that the spec names under the old offset, between the change and the end of the
 * gap. A repeated time is one that the spec names in the repeated span before the change. So each source of the spec
 * is computed once more with a fixed offset in place of its zone, and the report then asks the real spec about those
 * instants instead of guessing from its rules.
 */
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import { bareCron } from './bare-cron.ts';
import { type Budget, budgetOf, defaultUnits } from './budget.ts';
import { defaultGap } from './calendar-source.ts';
import { wallTimeOf } from './civil.ts';
import { compileSpec } from './compile.ts';
import { budgetExceeded, type CompiledSpec } from './compiled.ts';
import { parseCron } from './cron.ts';
import type { GapRule, ScheduleSpec, Zone } from './model.ts';
import { parseRecurrence } from './rrule/parse.ts';
import { zoneFromTzif } from './zone/tzif.ts';
import { findZone } from './zone/zone.ts';

export type DstEffect =
  /** The clock skips the time, and it does not run. */
  | 'skipped'
  /** It runs later, at another wall-clock time. */
  | 'shifted'
  /** It moves to a time at which the spec runs anyway: one run instead of two. */
  | 'merged'
  /** The time is repeated, and it runs both times. */
  | 'doubled'
  /** The time is repeated, and it runs once, the first or the second time. */
  | 'first'
  | 'second';

export interface DstRow {
  readonly zone: string;
  /** When the clock changes. */
  readonly at: Instant;
  /** The minutes by which the clock changes; negative when it is set back. */
  readonly byMinutes: number;
  /** The wall-clock time at the change, before and after. */
  readonly clock: { readonly before: string; readonly after: string };
  readonly effect: DstEffect;
  /** The affected wall-clock time, or the first of several. */
  readonly local: string;
  readonly lastLocal: string;
  readonly count: number;
  /** When the first affected time runs instead; empty when it does not run. */
  readonly runsAt: readonly Instant[];
  readonly runsAtLocal: readonly string[];
}

export interface DstWindow {
  readonly from: Instant;
  readonly to: Instant;
  /** The seed of `H`. */
  readonly seed?: string;
  /** Work for the whole report, possibly shared with other searches. Default: 2,000,000 units. */
  readonly budget?: Budget;
}

/** The most wall-clock times examined per change: every second of an hour. */
const mostTimes = 4000;

/** Throws `SPEC_BUDGET_EXCEEDED` when the spec is too hard to search. */
export function dstReport(spec: ScheduleSpec, given: DstWindow): readonly DstRow[] {
  const window = { ...given, budget: given.budget ?? budgetOf(defaultUnits) };
  const rows = sourcesOf(spec).flatMap((source) => sourceRows(source, spec, window));
  const seen = new Set<string>();
  return rows
    .filter((row) => {
      const key = JSON.stringify([row.zone, row.at, row.local, row.lastLocal, row.effect]);
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .sort((a, b) => a.at - b.at || (a.local < b.local ? -1 : 1));
}

/** The zones whose wall clock the spec reads, each once. */
export function clockZones(spec: ScheduleSpec): readonly Zone[] {
  return [...new Map(sourcesOf(spec).map(({ zone }) => [zone.name, zone])).values()];
}

interface ClockSource {
  readonly zone: Zone;
  /** The same source in another zone. */
  readonly inZone: (name: string) => ScheduleSpec;
}

/** The parts of a spec that read the wall clock, each with its zone. Intervals and single times do not. */
function sourcesOf(spec: ScheduleSpec): readonly ClockSource[] {
  const { exclude, startAt, endAt } = spec;
  const shared = {
    ...(exclude === undefined ? {} : { exclude }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt }),
    // A fixed offset has no gaps or folds, so the rule does not matter.
    dst: { gap: 'skip', fold: 'both' } as const,
  };
  const own = ownZone(spec);
  const sources: ClockSource[] = [];
  const add = (zone: Zone | undefined, part: ScheduleSpec) => {
    if (zone !== undefined) sources.push({ zone, inZone: (name) => ({ ...shared, ...part, zone: name }) });
  };
  for (const entry of spec.cron ?? []) {
    const parsed = parseCron(entry.text, entry.dialect ?? 'unix');
    if (!parsed.ok || parsed.value.kind !== 'calendar') continue;
    const named = parsed.value.zone ?? entry.zone;
    const { zone: _, ...rest } = entry;
    add(named === undefined ? own : findZone(named), { cron: [{ ...rest, text: bareCron(entry.text) }] });
  }
  for (const calendar of spec.calendars ?? []) add(own, { calendars: [calendar] });
  for (const calendar of spec.structuredCalendars ?? []) add(own, { structuredCalendars: [calendar] });
  for (const rule of spec.rrules ?? []) {
    const parsed = parseRecurrence(rule.text);
    if (!parsed.ok) continue;
    const { zone: named } = parsed.rule;
    const text = rule.text.replace(/;TZID=[^:;]+/g, '');
    add(named === undefined ? own : findZone(named), { rrules: [{ text }] });
  }
  return sources;
}

function ownZone({ zone = 'UTC', zoneData }: ScheduleSpec): Zone | undefined {
  if (zoneData === undefined) return findZone(zone);
  const bytes = Uint8Array.from(atob(zoneData), (each) => each.charCodeAt(0));
  return zoneFromTzif(zone, bytes);
}

function sourceRows(
  { zone, inZone }: ClockSource,
  spec: ScheduleSpec,
  window: DstWindow & { readonly budget: Budget },
): readonly DstRow[] {
  const rows: DstRow[] = [];
  const { seed, budget } = window;
  const options = seed === undefined ? {} : { seed };
  const real = new Searched(compileSpec(spec, options), budget);
  const under = (offset: number) => new Searched(compileSpec(inZone(offsetName(offset)), options), budget);
  const end = window.to / 1000;
  for (
    let at = zone.nextTransition(Math.floor(window.from / 1000));
    at <= end;
    at = zone.nextTransition(at)
  ) {
    const before = zone.offsetAt(at - 1);
    const after = zone.offsetAt(at);
    if (before === after) continue;
    const change: ClockChange = { zone, at, before, after };
    const old = under(before);
    if (isRhythm(old, change) && keepsBeat(real, old, change)) continue;
    const rule = spec.dst?.gap ?? defaultGap;
    const found =
      after > before
        ? gapTimes({ rule, real, old, fresh: under(after) }, change)
        : foldTimes(real, old, change);
    rows.push(...grouped(found, change));
  }
  return rows;
}

interface ClockChange {
  readonly zone: Zone;
  /** The second of the change. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

interface Touched {
  /** The local second. */
  readonly wall: number;
  readonly effect: DstEffect;
  readonly runsAt: readonly number[];
}

interface GapSpecs {
  readonly rule: GapRule;
  readonly real: Searched;
  /** The source under the offset before the change, and under the one after it. */
  readonly old: Searched;
  readonly fresh: Searched;
}

function gapTimes({ rule, real, old, fresh }: GapSpecs, { at, before, after }: ClockChange) {
  return old.timesIn(at, at + (after - before)).map((second): Touched => {
    const wall = second + before;
    // Under the old offset, this instant is the wall-clock time, moved later by the size of the jump. A time that is left out may
    // have the same instant as another one, which runs by itself.
    const moved = rule === 'gapEnd' ? at : second;
    if (rule === 'skip' || !real.matches(moved)) return { wall, effect: 'skipped', runsAt: [] };
    return { wall, effect: fresh.matches(moved) ? 'merged' : 'shifted', runsAt: [moved] };
  });
}

function foldTimes(real: Searched, old: Searched, change: ClockChange) {
  const { at, before, after } = change;
  const length = before - after;
  return old.timesIn(at - length, at).map((second): Touched => {
    const copies = [second, second + length].filter((each) => real.matches(each));
    const effect =
      copies.length === 2
        ? 'doubled'
        : copies.length === 0
          ? 'skipped'
          : copies[0] === second
            ? 'first'
            : 'second';
    return { wall: second + before, effect, runsAt: copies };
  });
}

/** A spec whose searches share the report's budget; they throw when it ends. */
class Searched {
  readonly #compiled: CompiledSpec;
  readonly #budget: Budget;

  constructor(compiled: CompiledSpec, budget: Budget) {
    this.#compiled = compiled;
    this.#budget = budget;
  }

  /** The seconds in [from, to) that the spec names. */
  timesIn(from: number, to: number): readonly number[] {
    const window = { from: instant((from - 1) * 1000), to: instant((to - 1) * 1000) };
    const { times, gaveUpAt } = this.#compiled.between(window, mostTimes, { budget: this.#budget });
    if (gaveUpAt !== undefined) throw budgetExceeded(gaveUpAt);
    return times.map(({ nominal }) => nominal / 1000);
  }

  /** Whether the spec has a time in [from, to). */
  hasTimeIn(from: number, to: number): boolean {
    const window = { from: instant((from - 1) * 1000), to: instant((to - 1) * 1000) };
    const { times, gaveUpAt } = this.#compiled.between(window, 1, { budget: this.#budget });
    if (times.length === 0 && gaveUpAt !== undefined) throw budgetExceeded(gaveUpAt);
    return times.length > 0;
  }

  matches(second: number): boolean {
    return this.#compiled.matches(instant(second * 1000), this.#budget);
  }
}

const daySeconds = 86_400;

/** Whether the spec has a time in each hour of that day, like an interval. */
function isRhythm(old: Searched, { at, before }: ClockChange): boolean {
  const midnight = Math.floor((at + before) / daySeconds) * daySeconds - before;
  for (let hour = 0; hour < 24; hour += 1) {
    const begin = midnight + hour * 3600;
    if (!old.hasTimeIn(begin, begin + 3600)) return false;
  }
  return true;
}

/** Whether the number of times around the change is the same as without a change. */
function keepsBeat(real: Searched, old: Searched, { at, before, after }: ClockChange): boolean {
  const length = Math.abs(after - before);
  const count = (spec: Searched) => spec.timesIn(at - length, at + length).length;
  return count(real) === count(old);
}

/** Joins neighbouring times with the same effect into one row. */
function grouped(found: readonly Touched[], { zone, at, before, after }: ClockChange): readonly DstRow[] {
  const rows: DstRow[] = [];
  for (const { wall, effect, runsAt } of found) {
    const last = rows.at(-1);
    if (last !== undefined && last.effect === effect) {
      rows[rows.length - 1] = { ...last, lastLocal: localText(wall), count: last.count + 1 };
      continue;
    }
    rows.push({
      zone: zone.name,
      at: instant(at * 1000),
      byMinutes: (after - before) / 60,
      clock: { before: clockText(at + before), after: clockText(at + after) },
      effect,
      local: localText(wall),
      lastLocal: localText(wall),
      count: 1,
      runsAt: runsAt.map((second) => instant(second * 1000)),
      runsAtLocal: runsAt.map((second) => localText(second + zone.offsetAt(second))),
    });
  }
  return rows;
}

function offsetName(offset: number): string {
  const size = Math.abs(offset);
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${rest}`;
}

/** A local time such as `2026-03-08 02:30`, with seconds only when they are not zero. */
function localText(localSecond: number): string {
  const { year, month, day } = wallTimeOf(localSecond);
  return `${year}-${two(month)}-${two(day)} ${clockText(localSecond)}`;
}

function clockText(localSecond: number): string {
  const { hour, minute, second } = wallTimeOf(localSecond);
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
