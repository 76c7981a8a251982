/** What starts together, in words: one herd that comes every night is one peak. Pure. */
import type { LoadPeak } from 'carillon/client';
import { clockText, dayText, lengthText, plural, weekdays } from '../time/text.ts';
import { hourMs, wallTime } from '../time/zone.ts';

export interface Peak {
  /** When it happens, such as `Every day 02:00`. */
  readonly text: string;
  /** Its first moment. */
  readonly at: number;
  readonly starts: number;
  readonly schedules: readonly string[];
  /**
   * Whether it is much more than the busiest moment of a usual hour; for the largest peak, whether it is more at all.
   */
  readonly standsOut: boolean;
}

const mostShown = 4;
const mostNamedDays = 3;

/** The peaks to show, the largest first. Of several peaks at the same times only the largest is shown. */
export function peaksOf(
  peaks: readonly LoadPeak[],
  bins: readonly { readonly most: number }[],
  zone: string,
  now: number,
): readonly Peak[] {
  const usual = medianOf(bins.map(({ most }) => most));
  const shown = new Map<string, Peak>();
  for (const { at, times, count, starts, schedules } of peaks) {
    const text = timesText(
      times.map((time) => Date.parse(time)),
      { count, zone, now },
    );
    if (shown.has(text) || shown.size >= mostShown) continue;
    shown.set(text, {
      text,
      at: Date.parse(at),
      starts,
      schedules,
      standsOut: starts >= (shown.size === 0 ? usual + 1 : 1.25 * usual),
    });
  }
  return [...shown.values()];
}

function medianOf(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

interface Of {
  /** How many there are; `times` may be only the first of them. */
  readonly count: number;
  readonly zone: string;
  readonly now: number;
}

export function timesText(times: readonly number[], { count, zone, now }: Of): string {
  const first = times[0] ?? 0;
  const coming = times.find((at) => at >= now);
  if (count === 1) return `${dayText(zone, first)} ${clockText(zone, first)}`;
  const clocks = new Set(times.map((at) => clockText(zone, at)));
  if (clocks.size === 1 && count === times.length)
    return `${daysText(times, zone)} ${clockText(zone, first)}`;
  const steps = new Set(times.slice(1).map((at, index) => at - (times[index] ?? 0)));
  if (steps.size === 1 && count > 2) {
    const [step = 0] = steps;
    if (step === hourMs) return `Every hour at ${minuteText(zone, first)}`;
    return `Every ${lengthText(step)}, ${coming === undefined ? 'from' : 'next'} ${clockText(zone, coming ?? first)}`;
  }
  const minutes = new Set(times.map((at) => minuteText(zone, at)));
  const hours = new Set(times.map((at) => wallTime(zone, at).hour));
  if (minutes.size === 1 && hours.size > 12) return `Most hours at ${minuteText(zone, first)}`;
  if (clocks.size <= mostNamedDays) {
    const isEveryDay = count === times.length && clocks.size * 7 === count;
    return `${isEveryDay ? 'Every day ' : ''}${[...clocks].sort().join(', ')}`;
  }
  // Some times of a week that has begun are over.
  const [word, at] = coming === undefined ? (['from', first] as const) : (['next', coming] as const);
  return `${plural(count, 'time')}, ${word} ${dayText(zone, at)} ${clockText(zone, at)}`;
}

/** The minute of the hour, such as `:00`. */
function minuteText(zone: string, at: number): string {
  return clockText(zone, at).slice(2);
}

function daysText(times: readonly number[], zone: string): string {
  const days = new Set(times.map((at) => wallTime(zone, at).weekday));
  const has = (wanted: readonly number[]) =>
    wanted.length === days.size && wanted.every((day) => days.has(day));
  if (days.size === 7) return 'Every day';
  if (has([1, 2, 3, 4, 5])) return 'Weekdays';
  if (has([6, 0])) return 'Weekends';
  if (days.size <= mostNamedDays + 1) return [...days].map((day) => weekdays[day]).join(', ');
  const missing = weekdays.filter((_, day) => !days.has(day));
  return `Every day but ${missing.join(', ')}`;
}

/** The cells of a week or a day that are ringed: the first moments of the few peaks that stand out. */
export function ringsOf(
  peaks: readonly Peak[],
  rowOf: (at: number) => number,
  zone: string,
): ReadonlySet<string> {
  return new Set(
    peaks
      .filter(({ standsOut }) => standsOut)
      .slice(0, 3)
      .map(({ at }) => `${rowOf(at)} ${wallTime(zone, at).hour}`),
  );
}
