import { instant } from 'carillon/internal/base';
import { expect, it } from 'vitest';
import { waitTime } from './wait-time.ts';

const now = instant(Date.UTC(2027, 0, 1));

it.each([
  ['90s', 90_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['1 day 2 hours', 93_600_000],
  ['1h30m', 5_400_000],
  ['10 seconds', 10_000],
  ['0s', 0],
])('the duration %s', (duration, ms) => {
  expect(waitTime({ duration }, now)).toEqual({ kind: 'at', at: now + ms });
});

it.each([
  ['2027-01-31', Date.UTC(2027, 0, 31)],
  ['2027-01-31 18:00', Date.UTC(2027, 0, 31, 18)],
  ['2027-01-31 18:00 UTC', Date.UTC(2027, 0, 31, 18)],
  ['2027-01-31 18:00 GMT+02:00', Date.UTC(2027, 0, 31, 16)],
  ['2027-01-31 18:00 -0530', Date.UTC(2027, 0, 31, 23, 30)],
])('until %s', (until, at) => {
  expect(waitTime({ until }, now)).toEqual({ kind: 'at', at });
});

it.each([
  [{ duration: 'PT90S' }, "write '90s'"],
  [{ duration: 'P1DT2H3M' }, "write '1d 2h 3m'"],
  [{ duration: '90' }, "write e.g. '90s', '2m' or '1h'"],
  [{ duration: '5 fortnights' }, "write e.g. '90s', '2m' or '1h'"],
  [{ until: 'tomorrow' }, "write e.g. '2027-01-31 18:00' or '2027-01-31 18:00 GMT+01:00'"],
  [{ duration: '1h', until: '2027-01-31' }, 'give one of them'],
])('%j is refused with the right spelling', (input, fix) => {
  expect(waitTime(input, now)).toMatchObject({ kind: 'invalid', fix });
});

it('without a time the task waits for a signal', () => {
  expect(waitTime({}, now)).toEqual({ kind: 'signal' });
});
