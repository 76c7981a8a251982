/** The two tiers of the time axis, in the schedule's zone. A repeated hour is labelled again. */
import { months, weekdays } from '../time/text.ts';
import {
  clockChanges,
  dayMs,
  hourMs,
  instantOf,
  minuteMs,
  offsetAt,
  secondMs,
  wallTime,
} from '../time/zone.ts';
import type { Plot } from './view.ts';

export interface Tick {
  readonly at: number;
  readonly text: string;
  /** Whether the hour is a repetition, because the clock was set back. */
  readonly isAgain?: boolean;
}

export interface Ticks {
  readonly major: readonly Tick[];
  readonly minor: readonly Tick[];
  /** The name of the day, month or year in which the axis begins. */
  readonly lead: string;
}

const steps = [
  secondMs,
  5 * secondMs,
  10 * secondMs,
  15 * secondMs,
  30 * secondMs,
  minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
];
/** The width of one label. */
const labelPx = 54;
const two = (value: number) => String(value).padStart(2, '0');

export function ticksOf(zone: string, plot: Plot): Ticks {
  const dayPx = (dayMs / (plot.to - plot.from)) * plot.width;
  if (dayPx > 110) return hourTicks(zone, plot);
  return dayPx > 6 ? dayTicks(zone, plot, dayPx) : monthTicks(zone, plot);
}

/** Half the width of the label of now, with some room. */
const pillPx = 44;

/** The position of a tick's label; undefined when the gutter, the right edge or the label of now would cut it. */
export function labelX(
  tickX: number,
  width: number,
  { plot, nowX }: { readonly plot: Pick<Plot, 'width'>; readonly nowX?: number },
): number | undefined {
  const left = tickX + 5;
  const right = left + width;
  if (left < 0 || right > plot.width) return undefined;
  return nowX !== undefined && right > nowX - pillPx && left < nowX + pillPx ? undefined : left;
}

/** The text, cut at its end with an ellipsis until it fits. */
export function shortened(text: string, fits: (text: string) => boolean): string {
  let shown = text;
  for (let length = text.length - 1; length > 0 && !fits(shown); length -= 1) {
    shown = `${text.slice(0, length).trimEnd()}…`;
  }
  return shown;
}

function hourTicks(zone: string, plot: Plot): Ticks {
  const px = plot.width / (plot.to - plot.from);
  const step = steps.find((each) => each * px >= labelPx) ?? 12 * hourMs;
  const walk = Math.min(step, hourMs);
  const repeated = clockChanges(zone, plot.from - dayMs, plot.to).filter(({ by }) => by < 0);
  const major: Tick[] = [];
  const minor: Tick[] = [];
  // Steps below an hour follow the zone's own minutes, which need not be those of UTC.
  const shift = offsetAt(zone, plot.from) % walk;
  for (let at = Math.floor((plot.from + shift) / walk) * walk - shift; at <= plot.to; at += walk) {
    const { hour, minute, second } = wallTime(zone, at);
    const isAgain = repeated.some((change) => at >= change.at && at < change.at - change.by);
    if (hour === 0 && minute === 0 && second === 0 && !isAgain) major.push({ at, text: dayName(zone, at) });
    if (step > hourMs && hour % (step / hourMs) !== 0) continue;
    const text =
      step < minuteMs
        ? `${two(hour)}:${two(minute)}:${two(second)}`
        : minute === 0
          ? two(hour)
          : `${two(hour)}:${two(minute)}`;
    minor.push(isAgain ? { at, text: `${text} again`, isAgain } : { at, text });
  }
  return { major, minor, lead: dayName(zone, plot.from) };
}

function dayTicks(zone: string, plot: Plot, dayPx: number): Ticks {
  const every = [1, 2, 7, 14].find((days) => days * dayPx > 44) ?? 14;
  const major: Tick[] = [];
  const minor: Tick[] = [];
  const first = Math.floor((plot.from + offsetAt(zone, plot.from)) / dayMs);
  const last = Math.ceil((plot.to + offsetAt(zone, plot.to)) / dayMs);
  for (let day = first; day <= last; day += 1) {
    const at = instantOf(zone, day * dayMs);
    const date = new Date(day * dayMs);
    const ofMonth = date.getUTCDate();
    if (ofMonth === 1) major.push({ at, text: `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}` });
    const isShown = every >= 7 ? date.getUTCDay() === 1 && (every === 7 || day % 14 < 7) : day % every === 0;
    if (!isShown) continue;
    minor.push({
      at,
      text: every === 1 && dayPx > 60 ? `${weekdays[date.getUTCDay()]} ${ofMonth}` : String(ofMonth),
    });
  }
  const { month, year } = wallTime(zone, plot.from);
  return { major, minor, lead: `${months[month]} ${year}` };
}

function monthTicks(zone: string, plot: Plot): Ticks {
  const major: Tick[] = [];
  const minor: Tick[] = [];
  const { year, month } = wallTime(zone, plot.from);
  for (let count = 0; count < 30; count += 1) {
    const local = Date.UTC(year, month + count, 1);
    const at = instantOf(zone, local);
    if (at > plot.to) break;
    const date = new Date(local);
    minor.push({ at, text: months[date.getUTCMonth()] ?? '' });
    if (date.getUTCMonth() === 0 && at >= plot.from) major.push({ at, text: String(date.getUTCFullYear()) });
  }
  return { major, minor, lead: String(year) };
}

function dayName(zone: string, at: number): string {
  const { weekday, day, month } = wallTime(zone, at);
  return `${weekdays[weekday]} ${day} ${months[month]}`;
}
