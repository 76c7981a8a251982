/** Times as people type them: with an offset, or on the wall clock of a schedule's zone. */
import type { Instant } from 'carillon/internal/base';
import { formatInstant, instant, parseInstant } from 'carillon/internal/base';
import { BadInput } from 'carillon/internal/cli';
import { findZone } from 'carillon/spec';

/**
 * A wall-clock time may occur twice, which gives two instants, or never, which gives the instant at the offset before the
 * gap.
 */
export function readTimes(text: string, zoneName = 'UTC'): readonly Instant[] {
  const at = parseInstant(text);
  if (at !== undefined) return [at];
  const wall = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/.test(text)
    ? parseInstant(`${text}Z`)
    : undefined;
  const zone = findZone(zoneName);
  if (wall === undefined || zone === undefined) {
    throw badTime('time', text);
  }
  const second = wall / 1000;
  const day = 86_400;
  const offsets = new Set([zone.offsetAt(second - day), zone.offsetAt(second + day)]);
  const found = [...offsets]
    .map((offset) => second - offset)
    .filter((each) => each + zone.offsetAt(each) === second);
  const shown = found.length > 0 ? found.sort((a, b) => a - b) : [second - zone.offsetAt(second - day)];
  return shown.map((each) => instant(each * 1000));
}

const timeOfDay = /^\d{2}:\d{2}(:\d{2})?$/;

/** As `readTimes`, or a time of day alone: the latest one by the clock of the zone that is not after `now`. */
export function readLatestTimes(text: string, zoneName: string | undefined, now: number): readonly Instant[] {
  const zone = findZone(zoneName ?? 'UTC');
  if (!timeOfDay.test(text) || zone === undefined) return readTimes(text, zoneName);
  const local = now + zone.offsetAt(Math.floor(now / 1000)) * 1000;
  const on = (shift: number) => {
    const date = new Date(local - shift * 86_400_000).toISOString().slice(0, 10);
    return readTimes(`${date}T${text}`, zoneName).filter((at) => at <= now);
  };
  const today = on(0);
  return today.length > 0 ? today : on(1);
}

/** A range of time as it was meant, and the zone in which days and wall-clock times were read. */
export interface WallRange {
  readonly from: string;
  readonly to: string;
  /** Null when both ends were given with an offset. */
  readonly zone: string | null;
}

const date = /^\d{4}-\d{2}-\d{2}$/;
const hasOffset = (text: string) => parseInstant(text) !== undefined;

/** A date alone is the whole day: from its first second, or to its last. `zoneOf` is asked only when an end has no offset. */
export async function readRange(
  { from, to }: { readonly from: string; readonly to: string },
  zoneOf: () => Promise<string>,
): Promise<WallRange> {
  if (hasOffset(from) && hasOffset(to)) return { from, to, zone: null };
  const zone = await zoneOf();
  const first = readEnd('--from', from, '00:00:00', zone).at(0);
  const last = readEnd('--to', to, '23:59:59', zone).at(-1);
  if (first === undefined || last === undefined) throw badTime('--from', from);
  return { from: formatInstant(first), to: formatInstant(last), zone };
}

function readEnd(path: string, text: string, timeOfDay: string, zone: string): readonly Instant[] {
  try {
    return readTimes(date.test(text) ? `${text}T${timeOfDay}` : text, zone);
  } catch {
    throw badTime(path, text);
  }
}

function badTime(path: string, text: string): BadInput {
  const fix =
    'write 2026-03-08T02:30:00Z, 2026-03-08T02:30-05:00, or 2026-03-08T02:30 for the zone of the schedule';
  const days = path === 'time' ? '; 02:30 is the latest one' : '; 2026-03-08 is that whole day';
  return new BadInput([
    { path, reason: 'BAD_TIME', message: `"${text}" is not a time`, fix: `${fix}${days}` },
  ]);
}
