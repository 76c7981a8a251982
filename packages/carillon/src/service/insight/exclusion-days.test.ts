import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import { SlicedWork } from '../spec-search.ts';
import { exclusionDays } from './exclusion-days.ts';

const november = {
  from: Date.parse('2026-11-01T00:00:00Z') as Instant,
  to: Date.parse('2026-11-30T23:59:59Z') as Instant,
};

async function daysOf(spec: ScheduleSpec, units?: number) {
  const work = new SlicedWork({ turn: async () => {}, ...(units === undefined ? {} : { units }) });
  const { days, isComplete } = await exclusionDays({ spec, seed: 'seed' }, november, work);
  const told = days.map(({ local, label, isWhole }) => [
    new Date(local).toISOString().slice(0, 10),
    label,
    isWhole,
  ]);
  return { told, isComplete };
}

test('dates count only where the spec names a time', async () => {
  const { told } = await daysOf({
    cron: [{ text: '0 9 * * 1-5' }],
    zone: 'America/New_York',
    exclude: { dates: ['2026-11-26', '2026-11-28', '2026-12-25'] },
  });
  expect(told).toEqual([['2026-11-26', '', true]]);
});

test('a part of a day is distinguished from a whole one, and a comment is the name', async () => {
  const { told } = await daysOf({
    intervals: [{ everyMs: 3_600_000 }],
    exclude: {
      calendars: [
        { dayOfMonth: '11', month: '11', hour: '*', minute: '*', second: '*', comment: 'Veterans Day' },
        { dayOfMonth: '14', month: '11', hour: '2-5', minute: '*', second: '*', comment: 'books closed' },
      ],
    },
  });
  expect(told).toEqual([
    ['2026-11-11', 'Veterans Day', true],
    ['2026-11-14', 'books closed', false],
  ]);
});

test('a schedule of every second costs no walk over its seconds', async () => {
  const { told, isComplete } = await daysOf(
    {
      intervals: [{ everyMs: 1000 }],
      exclude: {
        calendars: [{ dayOfWeek: 'sun', hour: '*', minute: '*', second: '*' }],
        dates: ['2026-11-11'],
      },
    },
    500,
  );
  expect(told.map(([date]) => date)).toEqual([
    '2026-11-11',
    '2026-11-01',
    '2026-11-08',
    '2026-11-15',
    '2026-11-22',
    '2026-11-29',
  ]);
  expect(isComplete).toBe(true);
});

test('an exclusion that never meets a time takes nothing, within a bound of work', async () => {
  const spec: ScheduleSpec = {
    cron: [{ text: '1-59/2 * * * *' }],
    exclude: { cron: [{ text: '0-58/2 * * * *' }] },
  };
  expect(await daysOf(spec)).toEqual({ told: [], isComplete: true });
  expect(await daysOf(spec, 1000)).toEqual({ told: [], isComplete: false });
});
