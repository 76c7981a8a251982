import { describe, expect, test } from 'vitest';
import { describeSpec } from './describe/spec.ts';
import type { ScheduleSpec } from './model.ts';
import { zoneOfSpec } from './spec-zone.ts';

const nine = { text: '0 9 * * *' };

describe('the zone of a spec', () => {
  test.each<readonly [string, ScheduleSpec, string]>([
    ['is UTC without one', { cron: [nine] }, 'UTC'],
    ['is its own', { cron: [nine], zone: 'Europe/Berlin' }, 'Europe/Berlin'],
    ['is that of its only entry', { cron: [{ ...nine, zone: 'Europe/Paris' }] }, 'Europe/Paris'],
    [
      'is that of its only entry, whatever the spec says',
      { cron: [{ ...nine, zone: 'Asia/Tokyo' }], zone: 'UTC' },
      'Asia/Tokyo',
    ],
    [
      'is that before a text',
      { cron: [{ text: 'CRON_TZ=Asia/Tokyo 0 9 * * *' }], zone: 'Europe/Berlin' },
      'Asia/Tokyo',
    ],
    [
      'is that of a rule',
      { rrules: [{ text: 'DTSTART;TZID=America/New_York:20260101T090000\nRRULE:FREQ=DAILY' }] },
      'America/New_York',
    ],
    [
      'is UTC for a rule that begins in UTC',
      { rrules: [{ text: 'DTSTART:20260101T090000Z\nRRULE:FREQ=DAILY' }], zone: 'Europe/Berlin' },
      'UTC',
    ],
    [
      'is its own when entries disagree',
      { cron: [{ ...nine, zone: 'Asia/Tokyo' }, nine], zone: 'Europe/Berlin' },
      'Europe/Berlin',
    ],
    [
      'is that on which all entries agree',
      { cron: [{ ...nine, zone: 'Asia/Tokyo' }, { text: 'TZ=Asia/Tokyo 0 10 * * *' }] },
      'Asia/Tokyo',
    ],
    [
      'is its own beside a calendar',
      { cron: [{ ...nine, zone: 'Asia/Tokyo' }], calendars: [{ hour: '9' }] },
      'UTC',
    ],
    [
      'is its own for intervals',
      { intervals: [{ everyMs: 3_600_000 }], zone: 'Europe/Berlin' },
      'Europe/Berlin',
    ],
  ])('%s', (_, spec, zone) => {
    expect(zoneOfSpec(spec)).toBe(zone);
  });

  test('is not said in words when nothing is written in it', () => {
    const spec = { cron: [{ ...nine, zone: 'Asia/Tokyo' }], zone: 'Europe/Berlin' };
    expect(describeSpec(spec)).toBe('At 09:00 every day Asia/Tokyo time');
    expect(describeSpec({ ...spec, exclude: { dates: ['2026-12-25'] } })).toContain(', Europe/Berlin');
  });
});
