import type { Instant, ScheduleSpec } from 'carillon/spec';
import { compileSpec } from 'carillon/spec';
import { expect, test } from 'vitest';
import { usualFold } from './rhythm.ts';

const foldAt = Date.parse('2026-10-25T00:59:00Z');

/** Whether the library runs both copies of the repeated hour in Berlin. */
function runsTwice(spec: ScheduleSpec): boolean {
  const compiled = compileSpec({ ...spec, zone: 'Europe/Berlin' });
  const first = compiled.next((foldAt - 3_600_000) as Instant)?.nominal ?? 0;
  return compiled.matches((first + 3_600_000) as Instant);
}

test.each<[ScheduleSpec]>([
  [{ cron: [{ text: '30 * * * *' }] }],
  [{ cron: [{ text: '30 2 * * *' }] }],
  [{ cron: [{ text: '@hourly' }] }],
  [{ cron: [{ text: '0 30 * * * *', dialect: 'spring' }] }],
  [{ cron: [{ text: '0 30 2 * * ?', dialect: 'spring' }] }],
  [{ cron: [{ text: 'TZ=Europe/Berlin */30 * * * *' }] }],
  [{ cron: [{ text: '30 0-23 * * *' }] }],
  [{ calendars: [{ hour: '*', minute: '30' }] }],
  [{ calendars: [{ hour: '2', minute: '30' }] }],
])('without a rule %o runs as the library says', (spec) => {
  expect(usualFold(spec)).toBe(runsTwice(spec) ? 'both' : 'first');
});

test('entries that differ have no rule in common', () => {
  expect(usualFold({ cron: [{ text: '30 2 * * *' }, { text: '0 * * * *' }] })).toBeUndefined();
});
