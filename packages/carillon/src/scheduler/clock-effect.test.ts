import { expect, test } from 'vitest';
import type { Instant } from '../base/time.ts';
import { budgetOf } from '../spec/budget.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { clockEffect } from './clock-effect.ts';

const berlin = (text: string, dst: ScheduleSpec['dst'] = {}) =>
  ({ cron: [{ text }], zone: 'Europe/Berlin', dst }) as ScheduleSpec;

function told(spec: ScheduleSpec, at: string) {
  return clockEffect({ spec, seed: 's' }, Date.parse(at) as Instant, budgetOf(1_000_000));
}

test('a time that the clock skips is named, with the time to which it moves', () => {
  expect(told(berlin('30 2 * * *'), '2027-03-28T01:30:00Z')).toMatchObject({
    named: '02:30',
    here: '03:30',
    rule: 'dst.gap: shift',
    byMs: 3_600_000,
    changedAt: Date.parse('2027-03-28T01:00:00Z'),
  });
});

test('a time that moves to the end of the gap keeps the name that the spec gives it', () => {
  expect(told(berlin('30 2 * * *', { gap: 'gapEnd' }), '2027-03-28T01:00:00Z')).toMatchObject({
    named: '02:30',
    here: '03:00',
  });
});

test('both copies of a repeated time name each other', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'];
  const spec = berlin('30 2 * * *');
  expect(told(spec, first)).toMatchObject({ named: '02:30', here: '02:30', other: Date.parse(second) });
  expect(told(spec, second)).toMatchObject({
    named: '02:30',
    other: Date.parse(first),
    rule: 'dst.fold: first',
  });
});

test.each([
  ['a time that is named under the new offset as well', berlin('30 3 * * *'), '2027-03-28T01:30:00Z'],
  ['a time before the gap', berlin('30 1 * * *'), '2027-03-28T00:30:00Z'],
  ['an interval, which reads no clock', { intervals: [{ everyMs: 1_800_000 }] }, '2027-03-28T01:30:00Z'],
  ['another day', berlin('30 2 * * *'), '2027-03-29T00:30:00Z'],
])('no change of the clock touches %s', (_, spec, at) => expect(told(spec, at)).toBeUndefined());
