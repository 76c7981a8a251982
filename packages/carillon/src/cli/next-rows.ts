/** The rows of `next` as data: each time with its wall-clock time and the effect of a clock change. */
import type { Instant } from '../base/time.ts';
import { wallTimeOf } from '../spec/civil.ts';
import { budgetOf, compileSpec, defaultUnits, type ScheduleSpec, type Zone } from '../spec/index.ts';

export interface Row {
  readonly nominal: Instant;
  /** The time after the jitter. */
  readonly actual: Instant;
  readonly local: string;
  readonly weekday: string;
  /** The effect of a clock change on this time. */
  readonly note?: string;
}

export interface RowsInput {
  readonly spec: ScheduleSpec;
  readonly zone: Zone;
  readonly after: Instant;
  readonly count: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export interface NextRows {
  readonly rows: readonly Row[];
  /** Set when the search was given up: `rows` is complete only up to this time. */
  readonly gaveUpAt?: Instant;
}

/** All rows share one budget of work. */
export function nextRows({ spec, zone, after, count }: RowsInput): NextRows {
  const compiled = compileSpec(spec);
  // A time that does not match under the literal rule was moved by a clock change.
  const literal = compileSpec({ ...spec, dst: { gap: 'skip', fold: 'both' } });
  const rows: Row[] = [];
  const budget = budgetOf(defaultUnits);
  const walk = compiled.walk(after);
  let previous = after;
  while (rows.length < count) {
    const found = walk.next(budget);
    if (found.kind === 'unfinished') return { rows, gaveUpAt: found.reached };
    if (found.kind === 'none') break;
    const { nominal, actual } = found;
    const second = found.nominal / 1000;
    const offset = zone.offsetAt(second);
    const moved = !literal.matches(nominal, budget);
    const note = clockNote(zone, second, Math.floor(previous / 1000), moved);
    const wall = wallTimeOf(second + offset);
    rows.push({
      nominal,
      actual,
      local: formatLocal(second, offset),
      weekday: weekdays[wall.weekday] ?? '',
      ...(note === undefined ? {} : { note }),
    });
    previous = nominal;
  }
  return { rows };
}

/** The instant on the wall clock of its zone, in RFC 3339 with the offset. */
function formatLocal(second: number, offset: number): string {
  const { year, month, day, hour, minute, second: of } = wallTimeOf(second + offset);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(of)}${formatOffset(offset)}`;
}

function formatOffset(offset: number): string {
  const size = Math.abs(offset);
  const rest = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${rest}`;
}

function clockNote(zone: Zone, second: number, previous: number, moved: boolean): string | undefined {
  const offset = zone.offsetAt(second);
  const begin = zone.previousTransition(second);
  if (moved) return 'moved: the clock jumps over the usual time';
  const drop = Number.isFinite(begin) ? zone.offsetAt(begin - 1) - offset : 0;
  if (drop > 0 && second - begin < drop) return 'second of two: the clock goes back';
  const end = zone.nextTransition(second);
  const coming = Number.isFinite(end) ? offset - zone.offsetAt(end) : 0;
  if (coming > 0 && end - second <= coming) return 'first of two: the clock goes back';
  const before = zone.offsetAt(previous);
  return before === offset ? undefined : `clock changed from ${formatOffset(before)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
