import { expect, test } from 'vitest';
import { clockRuleOf } from './clock-rule.ts';

const cron = (text: string, dialect?: string) => ({
  cron: [{ text, ...(dialect === undefined ? {} : { dialect }) }],
});

test.each([
  [cron('30 2 * * *'), 'shift, first', /moves on; .* the first time$/],
  // Every hour also means the second copy of one.
  [cron('0,30 * * * *'), 'shift, both', /^It runs in every hour, in both copies/],
  [cron('0 0 * * * *', 'spring'), 'shift, both', /^It runs in every hour/],
  // The rule of the spec holds in every dialect; a door that means another one stores it.
  [cron('30 2 * * *', 'temporal'), 'shift, first', /moves on; .* the first time$/],
  [
    { ...cron('30 2 * * *', 'temporal'), dst: { gap: 'skip', fold: 'both' } },
    'skip, both',
    /left out; .* runs twice$/,
  ],
  [{ ...cron('0 * * * *'), dst: { fold: 'first' } }, 'shift, first', /runs the first time$/],
  [{ intervals: [{ everyMs: 3_600_000 }] }, 'none', /counted/],
])('%j follows the clock as %s', (spec, value, meaning) => {
  expect(clockRuleOf(spec, true)).toEqual({ value, meaning: expect.stringMatching(meaning) });
});

test('a clock without a change in the coming year has no such times in it', () => {
  expect(clockRuleOf(cron('30 2 * * *'), false).meaning).toMatch(/^No clock change of the coming year/);
});
