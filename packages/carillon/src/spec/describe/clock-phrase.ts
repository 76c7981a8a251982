/** The time-of-day part of a description: from "At 09:00" to "Every 15 minutes from 09:00 to 17:45". */
import { clockText, joinRuns, joinWords } from './words.ts';

export interface ClockValues {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
}

export interface ClockPhrase {
  readonly text: string;
  /** Whether the phrase is an interval through the whole day, to which "every day" would add nothing. */
  readonly rhythm: boolean;
}

/** More single times than this read better as fields. */
const mostTimes = 6;

export function clockPhrase({ seconds, minutes, hours }: ClockValues): ClockPhrase {
  const [second = 0] = seconds;
  if (seconds.length > 1) return secondsPhrase(seconds, minutes, hours);
  const tail = second === 0 ? '' : ` at second ${second}`;
  const allDay = hours.length === 24;
  if (allDay) return { text: `${hourlyPhrase(minutes, second)}`, rhythm: true };
  const [minute = 0] = minutes;
  if (minutes.length === 1) {
    const spread = evenStep(hours);
    if (spread !== undefined && hours.length > 2) {
      return { text: hoursPhrase(hours, spread, minute, second), rhythm: coversDay(hours, spread) };
    }
  }
  if (hours.length * minutes.length <= mostTimes || (minutes.length === 1 && hours.length <= 12)) {
    const times = hours.flatMap((hour) => minutes.map((at) => clockText(hour, at, second)));
    return { text: `At ${joinWords(times)}`, rhythm: false };
  }
  const beat = minuteBeat(minutes);
  if (beat !== undefined && evenStep(hours) === 1) {
    const from = clockText(hours[0] ?? 0, minutes[0] ?? 0);
    const to = clockText(hours.at(-1) ?? 0, minutes.at(-1) ?? 0);
    return { text: `${beat}${tail} from ${from} to ${to}`, rhythm: false };
  }
  const what = beat ?? `At ${fieldWords('minute', minutes)}`;
  return { text: `${what}${tail} of ${fieldWords('hour', hours)}`, rhythm: false };
}

/** Reads a fixed distance between values; undefined when they are uneven. One value counts as distance 1. */
export function evenStep(values: readonly number[]): number | undefined {
  const step = (values[1] ?? (values[0] ?? 0) + 1) - (values[0] ?? 0);
  return values.every((value, index) => index === 0 || value - (values[index - 1] ?? 0) === step)
    ? step
    : undefined;
}

/** `Every minute` or `Every 15 minutes`, when the interval continues evenly from one hour to the next. */
function minuteBeat(minutes: readonly number[]): string | undefined {
  if (minutes.length === 60) return 'Every minute';
  const step = evenStep(minutes);
  const even = step !== undefined && minutes.length > 1 && minutes[0] === 0 && minutes.length * step === 60;
  return even ? `Every ${step} minutes` : undefined;
}

function hourlyPhrase(minutes: readonly number[], second: number): string {
  const tail = second === 0 ? '' : ` at second ${second}`;
  const beat = minuteBeat(minutes);
  if (beat !== undefined) return `${beat}${tail}`;
  const [minute = 0] = minutes;
  if (minutes.length === 1) {
    if (minute === 0 && second === 0) return 'Every hour';
    return `Every hour at minute ${minute}${second === 0 ? '' : `, second ${second}`}`;
  }
  return `${spreadWords('minute', minutes)} of every hour${tail === '' ? '' : `,${tail}`}`;
}

function hoursPhrase(hours: readonly number[], step: number, minute: number, second: number): string {
  const every = step === 1 ? 'Every hour' : `Every ${step} hours`;
  if (coversDay(hours, step)) {
    if (minute === 0 && second === 0) return every;
    return `${every} at minute ${minute}${second === 0 ? '' : `, second ${second}`}`;
  }
  const from = clockText(hours[0] ?? 0, minute, second);
  return `${every} from ${from} to ${clockText(hours.at(-1) ?? 0, minute, second)}`;
}

function coversDay(hours: readonly number[], step: number): boolean {
  return hours[0] === 0 && hours.length * step === 24;
}

function secondsPhrase(
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
): ClockPhrase {
  const step = evenStep(seconds);
  const even = step !== undefined && seconds[0] === 0 && seconds.length * step === 60;
  const beat = even ? (step === 1 ? 'Every second' : `Every ${step} seconds`) : undefined;
  const text = beat ?? spreadWords('second', seconds);
  const everyMinute = minutes.length === 60;
  const allDay = hours.length === 24;
  if (everyMinute && allDay) return { text: beat ?? `${text} of every minute`, rhythm: true };
  if (everyMinute && evenStep(hours) === 1) {
    const of = beat === undefined ? ' of every minute' : '';
    const span = `from ${clockText(hours[0] ?? 0, 0)} to ${clockText(hours.at(-1) ?? 0, 59)}`;
    return { text: `${text}${of} ${span}`, rhythm: false };
  }
  const minuteWords = everyMinute ? 'every minute' : fieldWords('minute', minutes);
  const hourWords = allDay ? 'every hour' : fieldWords('hour', hours);
  return { text: `${text} of ${minuteWords} of ${hourWords}`, rhythm: allDay };
}

/** Three values or more at one distance read as a spread, others as a list. */
function spreadWords(unit: string, values: readonly number[]): string {
  const step = evenStep(values);
  if (step === undefined || values.length < 3) return `At ${fieldWords(unit, values)}`;
  const every = step === 1 ? `Every ${unit}` : `Every ${step} ${unit}s`;
  return `${every} from ${unit} ${values[0]} to ${values.at(-1)}`;
}

function fieldWords(unit: string, values: readonly number[]): string {
  return `${unit}${values.length === 1 ? '' : 's'} ${joinRuns(values)}`;
}
