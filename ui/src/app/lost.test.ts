import { expect, test } from 'vitest';
import { lostAt } from './lost.ts';

test('a place that does not exist brings the one that was probably meant', () => {
  expect(lostAt('/default/schedulez')).toMatchObject({
    text: 'No place is called “schedulez”.',
    meant: { to: 'schedules' },
  });
  expect(lostAt('/default/clock-changes')).toMatchObject({ meant: { to: 'clock' } });
  expect(lostAt('/default/Overview')).toMatchObject({ meant: { name: 'Overview' } });
  expect(lostAt('/default/zzz')).toEqual({ text: 'No place is called “zzz”.' });
});

test('a page that does not exist leads to its schedule and to the place above it', () => {
  expect(lostAt('/default/schedules/night%2001/nowhere')).toMatchObject({
    text: 'Schedules has no page “night 01/nowhere”.',
    within: { to: 'schedules' },
    schedule: 'night 01',
  });
  expect(lostAt('/default/audit/x')).toMatchObject({
    text: 'Audit has no page “x”.',
    within: { to: 'audit' },
  });
});
