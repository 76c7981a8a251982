/** Durations as people write them: `90s`, `15m`, `1h30m`, `2d`, `250ms`, or a number of milliseconds. */
import { countText } from './count-text.ts';
import type { Duration } from './time.ts';
import { day, duration, hour, millisecond, minute, second } from './time.ts';

const units: Readonly<Record<string, Duration>> = { ms: millisecond, s: second, m: minute, h: hour, d: day };
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy;

/** Returns undefined when the text is not a duration. */
export function parseDuration(text: string): Duration | undefined {
  let total = 0;
  let at = 0;
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    total += Number(match[1]) * (units[match[2] as string] as number);
    at = part.lastIndex;
  }
  return at === 0 || at !== text.length ? undefined : duration(Math.round(total));
}

/** A duration as people write it: a text, or a number of milliseconds. */
export type DurationInput = string | number;

/** Returns the milliseconds of a duration that has been validated. */
export function readDuration(input: DurationInput): number {
  // Validation accepts only texts that `parseDuration` accepts.
  return typeof input === 'number' ? input : (parseDuration(input) as number);
}

/** The shortest exact text: `1h30m`, `250ms`. */
export function formatDuration(length: number): string {
  if (length === 0) return '0s';
  let rest = Math.abs(Math.trunc(length));
  let text = length < 0 ? '-' : '';
  for (const [unit, size] of [
    ['d', day],
    ['h', hour],
    ['m', minute],
    ['s', second],
    ['ms', millisecond],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

const words: readonly (readonly [one: string, several: string, size: Duration])[] = [
  ['day', 'days', day],
  ['h', 'h', hour],
  ['min', 'min', minute],
  ['s', 's', second],
  ['ms', 'ms', millisecond],
];

/** The exact length inside a sentence: `1 h 30 min`, `30 days`. */
export function plainDuration(length: number): string {
  let rest = Math.abs(Math.trunc(length));
  const parts: string[] = [];
  for (const [one, several, size] of words) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${countText(count)} ${count === 1 ? one : several}`);
  }
  return parts.length === 0 ? '0 s' : `${length < 0 ? '-' : ''}${parts.join(' ')}`;
}

/** The rounded length inside a sentence: at most two units, and tenths only for a few seconds. */
export function roughDuration(length: number): string {
  const size = Math.abs(Math.trunc(length));
  const sign = length < 0 ? '-' : '';
  if (size < second) return `${sign}${size} ms`;
  if (size < 10 * second) return `${sign}${Number((size / second).toFixed(1))} s`;
  const unit = size < hour ? second : size < day ? minute : hour;
  return `${sign}${plainDuration(Math.round(size / unit) * unit)}`;
}
