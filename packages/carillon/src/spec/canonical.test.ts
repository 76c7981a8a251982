import { describe, expect, it } from 'vitest';
import { instant } from '../base/time.ts';
import { canonicalRanges, canonicalSpec } from './canonical.ts';
import type { ScheduleSpec } from './model.ts';

const json = (spec: ScheduleSpec) => JSON.stringify(canonicalSpec(spec));

describe('equal times, equal JSON', () => {
  it.each<[string, ScheduleSpec, ScheduleSpec]>([
    [
      'order and repetition',
      { intervals: [{ everyMs: 5000 }, { everyMs: 3000 }, { everyMs: 5000 }] },
      { intervals: [{ everyMs: 3000 }, { everyMs: 5000 }] },
    ],
    [
      'cron and calendar',
      { cron: [{ text: '*/15 9 * * *' }] },
      { calendars: [{ minute: '0,15,30,45', hour: '9' }] },
    ],
    [
      'dialects',
      { cron: [{ text: '0 9 * * 1-5' }] },
      { cron: [{ text: '0 0 9 * * MON-FRI', dialect: 'spring' }] },
    ],
    ['defaults', { zone: 'UTC', jitterMs: 0, dst: { gap: 'shift' }, exclude: {}, cron: [] }, {}],
    [
      'a zone prefix',
      { cron: [{ text: 'TZ=Asia/Tokyo 0 9 L * *' }] },
      { cron: [{ text: '0 9  L * *', zone: 'asia/tokyo' }] },
    ],
    [
      'fractions of seconds',
      { intervals: [{ everyMs: 1999, phaseMs: 10 }], startAt: instant(1), endAt: instant(5999) },
      { intervals: [{ everyMs: 1000 }], startAt: instant(1000), endAt: instant(5000) },
    ],
    ['@every', { cron: [{ text: '@every 90s' }] }, { intervals: [{ everyMs: 90_000 }] }],
    ['comments', { calendars: [{ comment: 'why' }] }, { calendars: [{}] }],
  ])('%s', (_, a, b) => {
    expect(json(a)).toBe(json(b));
    expect(json(canonicalSpec(a))).toBe(json(a));
  });
});

describe('different times, different JSON', () => {
  it.each<[string, ScheduleSpec, ScheduleSpec]>([
    [
      'either day and both days',
      { cron: [{ text: '0 0 13 * 5' }] },
      { cron: [{ text: '0 0 13 * 5', dialect: 'temporal' }] },
    ],
    ['zones', { cron: [{ text: '0 9 * * *' }], zone: 'Asia/Tokyo' }, { cron: [{ text: '0 9 * * *' }] }],
    [
      'an explicit fold rule',
      { cron: [{ text: '0 9 * * *' }], dst: { fold: 'first' } },
      { cron: [{ text: '0 9 * * *' }] },
    ],
    ['H', { cron: [{ text: 'H 9 * * *' }] }, { cron: [{ text: 'H(0-5) 9 * * *' }] }],
  ])('%s', (_, a, b) => {
    expect(json(a)).not.toBe(json(b));
  });
});

it('writes ranges in one way', () => {
  expect(
    canonicalRanges([
      { start: 3, end: 3, step: 1 },
      { start: 1, end: 2, step: 1 },
    ]),
  ).toEqual([{ start: 1, end: 3 }]);
  expect(canonicalRanges([{ start: 0, end: 59, step: 15 }])).toEqual([{ start: 0, end: 45, step: 15 }]);
  expect(canonicalRanges([{ start: 0, end: 9, step: 7 }])).toEqual([{ start: 0 }, { start: 7 }]);
  expect(canonicalRanges([])).toEqual([]);
});

it('refuses what is not valid', () => {
  expect(() => canonicalSpec({ cron: [{ text: 'x' }] })).toThrow(/cron\[0\]\.text/);
});
