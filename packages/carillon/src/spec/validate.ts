/** Validates a spec from a caller: first its schema, then its texts. All problems are reported. */
import type { Problem } from '../base/error.ts';
import { dialects } from './cron.ts';
import {
  maxDurationMs,
  maxEntries,
  maxRanges,
  maxRuleLength,
  maxTextLength,
  maxZoneDataLength,
} from './limits.ts';
import type { ScheduleSpec } from './model.ts';
import { type Check, list, oneOf, record, text, wholeNumber } from './shape.ts';
import { type ReadOptions, readSpec } from './spec-entries.ts';

/** The largest instant of a JavaScript date. */
const farthestInstant = 8_640_000_000_000_000;
const moment = wholeNumber(-farthestInstant, farthestInstant);
const word = text(maxTextLength);
/** The calendar checks its ranges; here they only must be numbers of 32 bits. */
const bound = wholeNumber(-(2 ** 31), 2 ** 31 - 1);
const ranges = list(record({ start: bound, end: bound, step: bound }), maxRanges);

const cron = list(record({ text: word, dialect: oneOf(dialects), zone: word }, ['text']), maxEntries);
const calendarField = (field: Check) => ({
  second: field,
  minute: field,
  hour: field,
  dayOfMonth: field,
  month: field,
  year: field,
  dayOfWeek: field,
  comment: word,
});
const calendars = list(record(calendarField(word)), maxEntries);
const structuredCalendars = list(record(calendarField(ranges)), maxEntries);

const shape = record({
  cron,
  calendars,
  structuredCalendars,
  intervals: list(
    record(
      {
        everyMs: wholeNumber(-maxDurationMs, maxDurationMs),
        phaseMs: wholeNumber(-maxDurationMs, maxDurationMs),
      },
      ['everyMs'],
    ),
    maxEntries,
  ),
  rrules: list(record({ text: text(maxRuleLength) }, ['text']), maxEntries),
  times: list(moment, maxEntries),
  exclude: record({ cron, calendars, structuredCalendars, dates: list(word, maxEntries) }),
  startAt: moment,
  endAt: moment,
  jitterMs: wholeNumber(0, maxDurationMs),
  zone: word,
  zoneData: text(maxZoneDataLength),
  dst: record({ gap: oneOf(['skip', 'shift', 'gapEnd']), fold: oneOf(['first', 'last', 'both']) }),
});

export type Validation =
  | { readonly ok: true; readonly spec: ScheduleSpec }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Checks everything about a spec, with a path (`cron[0].text`), a stable reason, a message and, where possible, a fix
 * for each problem. Unknown fields are problems as well. An empty spec is valid and never fires. The returned spec is
 * the input itself.
 */
export function validateSpec(input: unknown, options: ReadOptions = {}): Validation {
  const problems: Problem[] = [];
  shape(input, '', problems);
  if (problems.length > 0) return { ok: false, problems };
  // The check above makes this cast safe.
  const spec = input as ScheduleSpec;
  const { problems: found } = readSpec(spec, options);
  return found.length > 0 ? { ok: false, problems: found } : { ok: true, spec };
}
