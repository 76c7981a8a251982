/**
 * Wall-clock times of a zone. Screens that compute with time load the tables with which the server schedules
 * (`zone-tables.ts`); screens that only show times begin with the browser's zones and load 15 KB less.
 */

export const secondMs = 1000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

export interface WallTime {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Whole seconds, as in `carillon/spec`. */
export interface ZoneTable {
  offsetAt(second: number): number;
  nextTransition(second: number): number;
}

type FindZone = (name: string) => ZoneTable | undefined;

const utc: ZoneTable = { offsetAt: () => 0, nextTransition: () => Number.POSITIVE_INFINITY };
const ofBrowser = new Map<string, ZoneTable | undefined>();
let find: FindZone = browserZone;

/** Reads a zone from the base64 of TZif bytes. */
type ReadZone = (name: string, data: string) => ZoneTable | undefined;
/** Zone data from specs by name, kept as bytes until the tables are loaded, which can read them. */
const brought = new Map<string, string>();
const ofSpecs = new Map<string, ZoneTable>();
const watchers = new Set<() => void>();
let readData: ReadZone | undefined;
let isAsked = false;

/** Replaces the browser's zones. */
export function bringZones(zones: FindZone, read?: ReadZone): void {
  find = zones;
  readData = read ?? readData;
  for (const [name, data] of brought) readBrought(name, data);
  for (const watcher of watchers) watcher();
}

function readBrought(name: string, data: string): void {
  const table = readData?.(name, data);
  if (table !== undefined) ofSpecs.set(name, table);
}

/** Adds the zone data of a spec, under the spec's name for it. A known name keeps its meaning on the page. */
export function bringOwnZone(name: string, data: string): void {
  if (brought.get(name) === data || find(name) !== undefined) return;
  brought.set(name, data);
  readBrought(name, data);
}

/** Calls the watcher when further zones become known. Returns an unsubscribe function. */
export function watchZones(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** A value that changes when further zones become known. */
export function knownZones(): unknown {
  return find;
}

function knownTable(zone: string): ZoneTable | undefined {
  const table = find(zone) ?? ofSpecs.get(zone);
  if (table === undefined && !isAsked) {
    // The browser does not know this zone, so the server's tables are loaded at once.
    isAsked = true;
    void import('./zone-tables.ts').catch(() => {});
  }
  return table;
}

/** The zone in which times can be shown: UTC while the zone is unknown. */
export function shownZone(zone: string): string {
  return knownTable(zone) === undefined ? 'UTC' : zone;
}

function tableOf(zone: string): ZoneTable {
  return knownTable(zone) ?? utc;
}

function browserZone(name: string): ZoneTable | undefined {
  if (!ofBrowser.has(name)) ofBrowser.set(name, readBrowserZone(name));
  return ofBrowser.get(name);
}

/** Offsets are computed once per quarter of an hour, because zones change their clocks only at its beginning. */
const bucketSeconds = 900;
const weekSeconds = 604_800;

function readBrowserZone(name: string): ZoneTable | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  const known = new Map<number, number>();
  const offsetAt = (second: number) => {
    const bucket = Math.floor(second / bucketSeconds);
    let offset = known.get(bucket);
    if (offset === undefined) {
      offset = offsetOf(format, bucket * bucketSeconds * 1000);
      if (known.size > 5000) known.clear();
      known.set(bucket, offset);
    }
    return offset;
  };
  return { offsetAt, nextTransition: (second) => nextTransition(offsetAt, second) };
}

/** Reads `GMT-05:00` at the end of a formatted date. */
function offsetOf(format: Intl.DateTimeFormat, at: number): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):?(\d*)/.exec(format.format(at)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/**
 * Searches week by week for another offset, at most a year ahead, and then narrows it down. The weeks are the same for every
 * second, so that a moving view uses cached offsets.
 */
function nextTransition(offsetAt: (second: number) => number, second: number): number {
  const before = offsetAt(second);
  const firstWeek = Math.floor(second / weekSeconds);
  for (let week = 1; week <= 53; week += 1) {
    let late = (firstWeek + week) * weekSeconds;
    if (offsetAt(late) === before) continue;
    let early = Math.max(second, late - weekSeconds);
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (offsetAt(middle) === before) early = middle;
      else late = middle;
    }
    return late;
  }
  return Number.POSITIVE_INFINITY;
}

/** Milliseconds east of UTC. */
export function offsetAt(zone: string, at: number): number {
  return tableOf(zone).offsetAt(Math.floor(at / 1000)) * 1000;
}

export function wallTime(zone: string, at: number): WallTime {
  const date = new Date(at + offsetAt(zone, at));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** The instant of a wall-clock time; the first of two, and for a time that does not exist the moment when the clock jumps. */
export function instantOf(zone: string, local: number): number {
  const early = local - offsetAt(zone, local - dayMs);
  const late = local - offsetAt(zone, local + dayMs);
  if (early + offsetAt(zone, early) === local) return early;
  if (late + offsetAt(zone, late) === local) return late;
  return Math.min(early, late);
}

/** The local midnight at or before the instant. */
export function startOfDay(zone: string, at: number): number {
  const local = at + offsetAt(zone, at);
  return instantOf(zone, Math.floor(local / dayMs) * dayMs);
}

export interface ClockChange {
  readonly at: number;
  /** How far the clock is moved, in ms; negative when it is set back. */
  readonly by: number;
}

/** The clock changes of a zone within a range, at most a few hundred. */
export function clockChanges(zone: string, from: number, to: number): readonly ClockChange[] {
  const table = tableOf(zone);
  const found: ClockChange[] = [];
  let second = table.nextTransition(Math.floor(from / 1000));
  while (second * 1000 < to && found.length < 400) {
    found.push({ at: second * 1000, by: (table.offsetAt(second) - table.offsetAt(second - 1)) * 1000 });
    second = table.nextTransition(second);
  }
  return found;
}

const letters = new Map<string, string>();

/** The letters of the zone at that time, such as EST or EDT; an offset where the zone has no letters. */
export function zoneLetters(zone: string, at: number): string {
  if (shownZone(zone) !== zone) return 'UTC';
  const offset = offsetAt(zone, at);
  const key = `${zone} ${offset}`;
  let text = letters.get(key);
  if (text === undefined) {
    text = lettersOf(zone, at, offset);
    letters.set(key, text);
  }
  return text;
}

function lettersOf(zone: string, at: number, offset: number): string {
  if (zone === 'UTC' || zone === 'Etc/UTC') return 'UTC';
  for (const locale of ['en-US', 'en-GB', 'en-AU']) {
    try {
      const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(
        at,
      );
      const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
      if (/^[A-Z]{2,5}$/.test(name)) return name;
    } catch {
      break;
    }
  }
  const minutes = Math.round(Math.abs(offset) / minuteMs);
  const rest = minutes % 60;
  return `UTC${offset < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** The viewer's zone. */
export const viewerZone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** `America/New_York` as New York. */
export function placeOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
