import { expect, test } from 'vitest';
import {
  begunTimes,
  entriesOf,
  exclusionsOf,
  sourceOf,
  timesOf,
  withEntry,
  withoutEntry,
  withTimes,
} from './entries.ts';
import { withValue } from './typed.ts';

test('the source is what the spec has one of', () => {
  expect(sourceOf({ cron: [{ text: '* * * * *' }] })).toBe('cron');
  expect(sourceOf({ intervals: [{ everyMs: 1000 }] })).toBe('every');
  expect(sourceOf({ calendars: [{ hour: '9' }] })).toBe('calendar');
  expect(sourceOf({ cron: [{ text: 'a' }, { text: 'b' }] })).toBe('several');
  expect(sourceOf({ cron: [{ text: 'a' }], times: [1] })).toBe('several');
  expect(sourceOf({ structuredCalendars: [{}] })).toBe('several');
  expect(sourceOf({ zone: 'UTC' })).toBe('manual');
});

test('another source keeps zone and rules', () => {
  const spec = { cron: [{ text: '* * * * *' }], zone: 'Europe/Berlin', dst: { gap: 'skip' } };
  expect(withTimes(spec, begunTimes('every', 0))).toEqual({
    intervals: [{ everyMs: 3_600_000 }],
    zone: 'Europe/Berlin',
    dst: { gap: 'skip' },
  });
  expect(withTimes(spec, begunTimes('manual', 0))).toEqual({ zone: 'Europe/Berlin', dst: { gap: 'skip' } });
  expect(withTimes({ zone: 'UTC', times: [1] }, timesOf(spec))).toEqual({ ...timesOf(spec), zone: 'UTC' });
});

test('an entry is added, changed and removed without a touch of the others', () => {
  const draft = { spec: { cron: [{ text: 'a', zone: 'Asia/Tokyo' }], zone: 'UTC' }, run: 'x' };
  const two = withEntry(draft, 'spec', 'cron', 0);
  expect(two).toEqual({
    spec: { cron: [{ text: 'a', zone: 'Asia/Tokyo' }, { text: '0 9 * * 1-5' }], zone: 'UTC' },
    run: 'x',
  });
  const changed = withValue(two, 'spec.cron.1.text', 'b');
  expect(changed.spec).toEqual({ cron: [{ text: 'a', zone: 'Asia/Tokyo' }, { text: 'b' }], zone: 'UTC' });
  const [, second] = entriesOf(changed.spec as never);
  expect(withoutEntry(changed, second as never)).toEqual(draft);
});

test('exclusions are entries too, with the paths of their problems', () => {
  const draft = withEntry({ spec: { cron: [{ text: 'a' }] } }, 'spec.exclude', 'calendar', 0);
  const [entry] = exclusionsOf(draft.spec as never);
  expect(entry).toMatchObject({ list: 'spec.exclude.calendars', problemPath: 'exclude.calendars[0]' });
  expect(withoutEntry(draft, entry as never)).toEqual({ spec: { cron: [{ text: 'a' }] } });
});

test('a single time is changed in its list', () => {
  expect(withValue({ spec: { times: [1, 2] } }, 'spec.times.1', 3)).toEqual({ spec: { times: [1, 3] } });
});
