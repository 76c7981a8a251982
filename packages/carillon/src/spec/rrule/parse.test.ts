import { describe, expect, it } from 'vitest';
import { formatRecurrence } from '../../../../../test/spec/recurrence-text.ts';
import { parseRecurrence } from './parse.ts';

function problemsOf(text: string): string[] {
  const result = parseRecurrence(text);
  if (result.ok) return [];
  for (const problem of result.problems) expect(problem.fix, problem.message).toBeTruthy();
  return result.problems.map((problem) => `${problem.path} ${problem.reason}`);
}

function canonical(text: string): string {
  const result = parseRecurrence(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return formatRecurrence(result.rule);
}

describe('reading', () => {
  it.each([
    ['FREQ=DAILY', 'RRULE:FREQ=DAILY'],
    ['rrule:freq=weekly;byday=fr,mo', 'RRULE:FREQ=WEEKLY;BYDAY=MO,FR'],
    ['FREQ=DAILY; BYHOUR=17, 9; INTERVAL=1', 'RRULE:FREQ=DAILY;BYHOUR=9,17'],
    ['FREQ=MONTHLY;BYDAY=+1MO,-1FR,MO', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR,MO,1MO'],
    ['DTSTART:20260101T090000Z RRULE:FREQ=DAILY', 'DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY'],
    ['DTSTART;TZID=UTC:20260101T090000', 'DTSTART:20260101T090000Z'],
    ['DTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=DAILY', 'DTSTART:20260101T000000\nRRULE:FREQ=DAILY'],
    [
      'DTSTART;TZID="Europe/Berlin":20260101T090000\nRRULE:FREQ=DAILY;BYHOUR=9,\n 17\nEXDATE;TZID=Europe/Berlin:20260103T090000,20260102T090000',
      'DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=DAILY;BYHOUR=9,17\nEXDATE;TZID=Europe/Berlin:20260102T090000\nEXDATE;TZID=Europe/Berlin:20260103T090000',
    ],
    [
      'RDATE:20260101,20260101T000000Z\nRRULE:FREQ=YEARLY;WKST=SU;UNTIL=20300101',
      'RRULE:FREQ=YEARLY;UNTIL=20300101;WKST=SU\nRDATE:20260101\nRDATE:20260101T000000Z',
    ],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(parseRecurrence(expected)).toEqual(parseRecurrence(text));
  });
});

describe('refusing', () => {
  it.each([
    ['', ['RRULE MISSING']],
    ['hello', ['HELLO UNKNOWN_PROPERTY']],
    ['FREQ=FORTNIGHTLY', ['RRULE.FREQ UNKNOWN_VALUE']],
    ['BYDAY=MO', ['RRULE.FREQ MISSING']],
    ['FREQ=DAILY;BYHOUR=24;BYMINUTE=x', ['RRULE.BYMINUTE OUT_OF_RANGE', 'RRULE.BYHOUR OUT_OF_RANGE']],
    ['FREQ=DAILY;BYSECOND=60', ['RRULE.BYSECOND OUT_OF_RANGE']],
    ['FREQ=MONTHLY;BYMONTHDAY=0', ['RRULE.BYMONTHDAY OUT_OF_RANGE']],
    ['FREQ=DAILY;COUNT=0', ['RRULE.COUNT OUT_OF_RANGE']],
    ['FREQ=DAILY;COUNT=100001', ['RRULE.COUNT OUT_OF_RANGE']],
    ['FREQ=DAILY;COUNT=3;UNTIL=20260101', ['RRULE.COUNT CONFLICT']],
    ['FREQ=DAILY;UNTIL=20260230', ['RRULE.UNTIL BAD_DATE']],
    ['FREQ=DAILY;INTERVAL=0', ['RRULE.INTERVAL OUT_OF_RANGE']],
    ['FREQ=DAILY;BYWEEKDAY=MO', ['RRULE.BYWEEKDAY UNKNOWN_PART']],
    ['FREQ=DAILY;FREQ=DAILY', ['RRULE.FREQ REPEATED']],
    ['FREQ=DAILY;COUNT', ['RRULE.COUNT MISSING_VALUE']],
    ['FREQ=WEEKLY;BYDAY=2MO', ['RRULE.BYDAY CONFLICT']],
    ['FREQ=MONTHLY;BYDAY=6MO', ['RRULE.BYDAY CONFLICT']],
    ['FREQ=MONTHLY;BYDAY=MON', ['RRULE.BYDAY UNKNOWN_VALUE']],
    ['FREQ=MONTHLY;BYWEEKNO=3', ['RRULE.BYWEEKNO CONFLICT']],
    ['FREQ=DAILY;BYYEARDAY=3', ['RRULE.BYYEARDAY CONFLICT']],
    ['FREQ=WEEKLY;BYMONTHDAY=3', ['RRULE.BYMONTHDAY CONFLICT']],
    ['FREQ=DAILY;BYSETPOS=1', ['RRULE.BYSETPOS CONFLICT']],
    ['FREQ=DAILY;WKST=XX', ['RRULE.WKST UNKNOWN_VALUE']],
    ['FREQ=DAILY;DTSTART=20260101', ['RRULE.DTSTART MISPLACED']],
    ['RRULE:FREQ=DAILY\nRRULE:FREQ=X', ['RRULE[1].FREQ UNKNOWN_VALUE']],
    ['RRULE:FREQ=DAILY\nEXRULE:FREQ=DAILY', ['EXRULE UNSUPPORTED']],
    ['DTSTART:2026-01-01\nRRULE:FREQ=DAILY', ['DTSTART BAD_DATE']],
    ['DTSTART:18000101\nRRULE:FREQ=DAILY', ['DTSTART BAD_DATE']],
    ['DTSTART;TZID=Europe/Berlin:20260101T000000Z\nRRULE:FREQ=DAILY', ['DTSTART CONFLICT', 'TZID CONFLICT']],
    ['DTSTART;TZID=Europe/Berlin:20260101T000000\nEXDATE;TZID=Asia/Tokyo:20260101T000000', ['TZID CONFLICT']],
    ['RDATE;VALUE=PERIOD:20260101T000000Z/PT1H', ['RDATE.VALUE UNSUPPORTED', 'RDATE BAD_DATE']],
    [`FREQ=DAILY;${'x'.repeat(30_000)}`, [' TOO_LONG']],
  ])('%s', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });
});
