/**
 * What the coming changes of the clock do to a schedule.
 *
 * A time on the wall that the clock jumps over is one the spec names under the offset before the change, between the
 * change and the end of the gap; a time that comes twice is one the spec names in the last stretch before the change.
 * So each source of the spec is read once more with a fixed offset in place of its zone, and what the real spec does at
 * those instants is looked up, never guessed from its rules.
 */
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import { wallTimeOf } from '../spec/civil.ts';
import type { CompiledSpec, ScheduleSpec, Zone } from '../spec/index.ts';
import { compileSpec, findZone, parseCron, parseRecurrence, zoneFromTzif } from '../spec/index.ts';
import { bareCron } from './cron-fields.ts';

export type DstEffect =
  /** The clock jumps over it and it does not run. */
  | 'skipped'
  /** It runs later, at another time on the wall. */
  | 'shifted'
  /** It would run at a time at which the spec runs anyway: one run instead of two. */
  | 'merged'
  /** The time comes twice, and it runs both times. */
  | 'doubled'
  /** The time comes twice, and it runs once: in the first copy, or in the second. */
  | 'first'
  | 'second';

export interface DstRow {
  readonly zone: string;
  /** When the clock changes. */
  readonly at: Instant;
  /** Minutes by which the clock is moved; below zero: back. */
  readonly byMinutes: number;
  /** What the clock shows then, before and after. */
  readonly clock: { readonly before: string; readonly after: string };
  readonly effect: DstEffect;
  /** The time on the wall that is concerned, as the spec names it; the first one of several. */
  readonly local: string;
  readonly lastLocal: string;
  readonly count: number;
  /** When it runs instead; empty when it does not. Of the first one of several. */
  readonly runsAt: readonly Instant[];
  readonly runsAtLocal: readonly string[];
}

export interface DstWindow {
  readonly from: Instant;
  readonly to: Instant;
  /** What `H` is derived from. */
  readonly seed?: string;
}

/** Wall-clock times looked at per change: every second of an hour. */
const mostTimes = 4000;

export function dstReport(spec: ScheduleSpec, window: DstWindow): readonly DstRow[] {
  const rows = sourcesOf(spec).flatMap((source) => sourceRows(source, spec, window));
  const seen = new Set<string>();
  return rows
    .filter((row) => {
      const key = JSON.stringify([row.zone, row.at, row.local, row.lastLocal, row.effect]);
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .sort((a, b) => a.at - b.at || (a.local < b.local ? -1 : 1));
}

interface ClockSource {
  readonly zone: Zone;
  /** With this zone instead of its own. */
  readonly inZone: (name: string) => ScheduleSpec;
}

/** The parts of a spec that read the wall clock, each with its zone. Intervals and single times do not. */
function sourcesOf(spec: ScheduleSpec): readonly ClockSource[] {
  const { exclude, startAt, endAt } = spec;
  const shared = {
    ...(exclude === undefined ? {} : { exclude }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt }),
    // Literal: under a fixed offset there is nothing to rule on.
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

function sourceRows({ zone, inZone }: ClockSource, spec: ScheduleSpec, window: DstWindow): readonly DstRow[] {
  const rows: DstRow[] = [];
  const { seed } = window;
  const options = seed === undefined ? {} : { seed };
  const real = compileSpec(spec, options);
  const under = (offset: number) => compileSpec(inZone(offsetName(offset)), options);
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
    const found = after > before ? gapTimes(real, old, under(after), change) : foldTimes(real, old, change);
    rows.push(...grouped(found, change));
  }
  return rows;
}

interface ClockChange {
  readonly zone: Zone;
  /** Seconds. */
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

function gapTimes(real: CompiledSpec, old: CompiledSpec, fresh: CompiledSpec, change: ClockChange) {
  const { at, before, after } = change;
  return timesIn(old, at, at + (after - before)).map((second): Touched => {
    const wall = second + before;
    // Read under the old offset, the instant is the time on the wall as much later as the clock jumped.
    if (matches(real, second)) {
      const effect = matches(fresh, second) ? 'merged' : 'shifted';
      return { wall, effect, runsAt: [second] };
    }
    if (matches(real, at) && !matches(fresh, at)) return { wall, effect: 'shifted', runsAt: [at] };
    return { wall, effect: 'skipped', runsAt: [] };
  });
}

function foldTimes(real: CompiledSpec, old: CompiledSpec, change: ClockChange) {
  const { at, before, after } = change;
  const length = before - after;
  return timesIn(old, at - length, at).map((second): Touched => {
    const copies = [second, second + length].filter((each) => matches(real, each));
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

/** Seconds in [from, to) that the spec names. */
function timesIn(compiled: CompiledSpec, from: number, to: number): readonly number[] {
  const window = { from: instant((from - 1) * 1000), to: instant((to - 1) * 1000) };
  return compiled.between(window, mostTimes).times.map(({ nominal }) => nominal / 1000);
}

function matches(compiled: CompiledSpec, second: number): boolean {
  return compiled.matches(instant(second * 1000));
}

const daySeconds = 86_400;

/** Something in each hour of that day: a beat, not an appointment. */
function isRhythm(old: CompiledSpec, { at, before }: ClockChange): boolean {
  const midnight = Math.floor((at + before) / daySeconds) * daySeconds - before;
  for (let hour = 0; hour < 24; hour += 1) {
    const begin = midnight + hour * 3600;
    const next = old.nextSecond(begin - 1);
    if (Number.isNaN(next) || next >= begin + 3600) return false;
  }
  return true;
}

/** Across the change there are as many times as if there were none. */
function keepsBeat(real: CompiledSpec, old: CompiledSpec, { at, before, after }: ClockChange): boolean {
  const length = Math.abs(after - before);
  const count = (compiled: CompiledSpec) => timesIn(compiled, at - length, at + length).length;
  return count(real) === count(old);
}

/** Neighbours that share their fate become one row. */
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

/** `2026-03-08 02:30`, seconds only where there are any. */
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
