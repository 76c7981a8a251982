/**
 * Turns a client's spec into two forms: the `ScheduleSpec`, which finds slots, and the canonical message, which every later
 * answer shows. Structured entries stay the client's messages, so that their unknown fields are kept.
 */
import type { Problem } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import { parseProtoDuration, structuredNames, type TemporalStructuredCalendar } from 'carillon/internal/spec';
import type { ScheduleSpec, TemporalInterval, TemporalSpec } from 'carillon/spec';
import { canonicalizeTemporalSpec, toScheduleSpec, validateSpec } from 'carillon/spec';
import { durationText, timestampText, toDuration } from './proto-time.ts';
import type { Duration, Range, Spec, StructuredCalendar } from './protocol.ts';
import { encode, specType } from './protocol.ts';

export interface ReadSpec {
  readonly spec: ScheduleSpec;
  /** The canonical form, encoded. */
  readonly message: Uint8Array;
}

/** Clients recognise a bad spec by this prefix. */
const prefix = 'Invalid schedule spec: ';

/** May change the message, because it was decoded for this call. */
export function readSpec(given: Spec | null | undefined): ReadSpec {
  const message = given ?? {};
  const canonical = canonicalizeTemporalSpec(temporalSpec(message));
  if (!canonical.ok) throw invalidSpec(canonical.problems);
  const read = toScheduleSpec(canonical.value);
  if (!read.ok) throw invalidSpec(read.problems);
  // Carillon bounds the number and length of entries; Temporal does not.
  const checked = validateSpec(read.value);
  if (!checked.ok) throw invalidSpec(checked.problems);
  return { spec: read.value, message: encode(specType, canonicalMessage(message, canonical.value)) };
}

/** A spec without its cron strings, in a form in which specs of equal meaning are equal values. */
export function comparableSpec(message: Spec): object {
  const { cronString: _, jitter, ...rest } = temporalSpec(message);
  const calendars = (list: TemporalSpec['structuredCalendar']) => (list ?? []).map(spelledOut);
  const length = (text: string | undefined) => (text === undefined ? 0n : (parseProtoDuration(text) ?? 0n));
  return {
    ...rest,
    structuredCalendar: calendars(rest.structuredCalendar),
    excludeStructuredCalendar: calendars(rest.excludeStructuredCalendar),
    interval: (rest.interval ?? []).map(({ interval: every, phase }) => [length(every), length(phase)]),
    jitter: length(jitter),
  };
}

/** The ranges of every field, with explicit defaults. */
function spelledOut(calendar: TemporalStructuredCalendar): object {
  const ranges = structuredNames.map((name) =>
    (calendar[name] ?? []).map(({ start = 0, end = 0, step = 0 }) => [
      start,
      Math.max(start, end),
      step || 1,
    ]),
  );
  return { ranges, comment: calendar.comment ?? '' };
}

export function invalidSpec(problems: readonly Problem[]): ServiceError {
  const sentences = problems.map(({ message, fix }) => (fix === undefined ? message : `${message} (${fix})`));
  const message = `${prefix}${sentences.join('; ')}`;
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID_SPEC', message, problems });
}

/** Proto JSON in which empty fields are absent. */
function temporalSpec(message: Spec): TemporalSpec {
  const { startTime, endTime, jitter, timezoneName, timezoneData } = message;
  const time = (name: 'startTime' | 'endTime', at: typeof startTime) => {
    if (at === null || at === undefined) return {};
    try {
      return { [name]: timestampText(name, at) };
    } catch (error) {
      throw invalidSpec(
        ServiceError.from(error).problems.map((each) => ({ ...each, message: `${name} ${each.message}` })),
      );
    }
  };
  return {
    ...list('structuredCalendar', message.structuredCalendar?.map(structured)),
    ...list('calendar', message.calendar?.map(plain)),
    ...list('cronString', message.cronString),
    ...list('interval', message.interval?.map(interval)),
    ...list('excludeCalendar', message.excludeCalendar?.map(plain)),
    ...list('excludeStructuredCalendar', message.excludeStructuredCalendar?.map(structured)),
    ...time('startTime', startTime),
    ...time('endTime', endTime),
    ...(jitter === null || jitter === undefined ? {} : { jitter: durationOf('jitter', jitter) }),
    ...(timezoneName === null || timezoneName === undefined || timezoneName === '' ? {} : { timezoneName }),
    ...(timezoneData === null || timezoneData === undefined || timezoneData.length === 0
      ? {}
      : { timezoneData: Buffer.from(timezoneData).toString('base64') }),
  };
}

function list<T>(name: string, items: readonly T[] | null | undefined): object {
  return items === null || items === undefined || items.length === 0 ? {} : { [name]: items };
}

/** Checked here, because later steps refuse a malformed interval but not a malformed jitter. */
function durationOf(name: string, duration: Duration): string {
  const text = durationText(duration);
  if (parseProtoDuration(text) !== undefined) return text;
  throw invalidSpec([
    { path: name, reason: 'DURATION', message: `${name} is not a valid duration: ${text}` },
  ]);
}

const textNames = [...structuredNames, 'comment'] as const;

function plain(calendar: Readonly<Partial<Record<(typeof textNames)[number], string | null>>>) {
  return Object.fromEntries(
    textNames.flatMap((name) => {
      const text = calendar[name];
      return text === null || text === undefined || text === '' ? [] : [[name, text]];
    }),
  );
}

function structured(calendar: StructuredCalendar): TemporalStructuredCalendar {
  const result: Record<string, unknown> = {};
  for (const name of structuredNames) {
    const ranges = calendar[name];
    if (ranges === null || ranges === undefined || ranges.length === 0) continue;
    result[name] = ranges.map(({ start, end, step }) => ({
      start: start ?? 0,
      ...(end === null || end === undefined || end === 0 ? {} : { end }),
      ...(step === null || step === undefined || step === 0 ? {} : { step }),
    }));
  }
  const { comment } = calendar;
  return comment === null || comment === undefined || comment === '' ? result : { ...result, comment };
}

function interval({ interval: every, phase }: NonNullable<Spec['interval']>[number]): TemporalInterval {
  return {
    ...(every === null || every === undefined ? {} : { interval: durationText(every) }),
    ...(phase === null || phase === undefined ? {} : { phase: durationText(phase) }),
  };
}

function canonicalMessage(given: Spec, canonical: TemporalSpec): Spec {
  const calendars = given.structuredCalendar ?? [];
  const intervals = given.interval ?? [];
  const excluded = given.excludeStructuredCalendar ?? [];
  given.structuredCalendar = joined(calendars, canonical.structuredCalendar, structuredMessage);
  given.interval = joined(intervals, canonical.interval, intervalMessage);
  given.excludeStructuredCalendar = joined(excluded, canonical.excludeStructuredCalendar, structuredMessage);
  for (const calendar of [...given.structuredCalendar, ...given.excludeStructuredCalendar]) clean(calendar);
  given.calendar = [];
  given.cronString = [];
  given.excludeCalendar = [];
  given.timezoneName = canonical.timezoneName ?? '';
  return given;
}

/** The canonical list begins with the client's structured entries in their order; the rest comes from cron strings. */
function joined<M, T>(given: M[], canonical: readonly T[] | undefined, message: (entry: T) => M): M[] {
  return [...given, ...(canonical ?? []).slice(given.length).map(message)];
}

export function structuredMessage(calendar: TemporalStructuredCalendar): StructuredCalendar {
  const message: Record<string, unknown> = {};
  for (const name of structuredNames) {
    message[name] = (calendar[name] ?? []).map(({ start = 0, end = 0, step = 1 }) => ({ start, end, step }));
  }
  return calendar.comment === undefined ? message : { ...message, comment: calendar.comment };
}

function intervalMessage({ interval: every, phase }: TemporalInterval) {
  const message = (text: string): Duration => {
    const nanoseconds = parseProtoDuration(text) ?? 0n;
    const { seconds } = toDuration(Number(nanoseconds / 1_000_000n));
    return { seconds: seconds ?? null, nanos: Number(nanoseconds % 1_000_000_000n) };
  };
  return {
    ...(every === undefined ? {} : { interval: message(every) }),
    ...(phase === undefined ? {} : { phase: message(phase) }),
  };
}

/**
 * An `end` below `start` becomes `start`, and `step` 0 becomes 1, because clients compare the answer with their own
 * normal form.
 */
function clean(calendar: StructuredCalendar): void {
  for (const name of structuredNames) {
    for (const range of (calendar[name] ?? []) as Range[]) {
      range.end = Math.max(range.end ?? 0, range.start ?? 0);
      range.step = range.step === 0 || range.step === undefined || range.step === null ? 1 : range.step;
    }
  }
}

/** Entries of each kind in a listing. */
const mostListed = 10;

/** Shortens long specs and omits zone data, because a listing is an overview. */
export function listedSpec(message: Spec): Spec {
  return {
    ...message,
    structuredCalendar: (message.structuredCalendar ?? []).slice(0, mostListed),
    interval: (message.interval ?? []).slice(0, mostListed),
    excludeStructuredCalendar: (message.excludeStructuredCalendar ?? []).slice(0, mostListed),
    timezoneData: null,
  };
}
