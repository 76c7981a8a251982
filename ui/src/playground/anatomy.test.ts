import { expect, test } from 'vitest';
import { anatomyOf } from './anatomy.ts';

test('each dialect has its own fields', () => {
  const names = (text: string, dialect: string) =>
    anatomyOf(text, dialect)
      .map(({ name }) => name)
      .join(' ');
  expect(names('0 9 * * 1-5', 'unix')).toBe('minute hour day month weekday');
  expect(names('0 30 9 ? * 2#1', 'spring')).toBe('second minute hour day month weekday');
  expect(names('30 9 * * 1 2027', 'temporal')).toBe('minute hour day month weekday year');
  expect(names('CRON_TZ=UTC 0 9 * * 1-5', 'temporal')).toBe('minute hour day month weekday');
  expect(names('@daily', 'unix')).toBe('');
  expect(anatomyOf('RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=18', 'rrule')).toEqual([
    { name: 'each', text: 'MONTHLY' },
    { name: 'weekday', text: '-1FR' },
    { name: 'hour', text: '18' },
  ]);
});
