import { describe, expect, test } from 'vitest';
import { kindNames } from '../../../packages/carillon/src/action/kind.ts';
import {
  anatomyOf,
  isSameDraft,
  mergeDrafts,
  shortLength,
  sourceOf,
  withField,
  withSource,
  withWork,
  workKinds,
  workOf,
} from './draft.ts';

test('the source is what the spec has one of', () => {
  expect(sourceOf({ cron: [{ text: '* * * * *' }] })).toBe('cron');
  expect(sourceOf({ intervals: [{ everyMs: 1000 }] })).toBe('every');
  expect(sourceOf({ cron: [{ text: 'a' }, { text: 'b' }] })).toBe('other');
  expect(sourceOf({ cron: [{ text: 'a' }], times: [1] })).toBe('other');
});

test('another source keeps zone and rules', () => {
  const spec = { cron: [{ text: '* * * * *' }], zone: 'Europe/Berlin', dst: { gap: 'skip' } };
  expect(withSource(spec, 'every', 0)).toEqual({
    intervals: [{ everyMs: 3_600_000 }],
    zone: 'Europe/Berlin',
    dst: { gap: 'skip' },
  });
});

test('other work takes the place of the present one, of every kind', () => {
  expect([...workKinds].sort()).toEqual([...kindNames].sort());
  for (const kind of workKinds) {
    const draft = { [kind]: {}, note: 'b' };
    expect(workOf(draft)).toBe(kind);
    expect(withWork(draft, 'run', 'a')).toEqual({ run: 'a', note: 'b' });
  }
});

test('an empty value takes its field away', () => {
  expect(withField({ run: 'a', note: 'b' }, 'note', '')).toEqual({ run: 'a' });
  expect(withField({ run: 'a' }, 'tags', ['x'])).toEqual({ run: 'a', tags: ['x'] });
});

test('the anatomy names the fields', () => {
  expect(anatomyOf('30 2 * * *').map(({ name, text }) => `${name} ${text}`)).toEqual([
    'minute 30',
    'hour 2',
    'day *',
    'month *',
    'weekday *',
  ]);
  expect(anatomyOf('0 30 2 * * *')[0]).toEqual({ name: 'second', text: '0' });
  expect(anatomyOf('@daily')).toEqual([]);
});

describe('two people edit one schedule', () => {
  const base = { run: 'a', overlap: 'skip', catchup: '1h' };

  test('changes of other fields are saved together', () => {
    expect(mergeDrafts(base, { ...base, catchup: '2h' }, { ...base, overlap: 'bufferOne' })).toEqual({
      both: [],
      merged: { run: 'a', overlap: 'bufferOne', catchup: '2h' },
      theirs: ['catchup'],
    });
  });

  test('a field that both changed is named', () => {
    expect(mergeDrafts(base, { ...base, catchup: '2h' }, { ...base, catchup: '3h' }).both).toEqual([
      'catchup',
    ]);
  });
});

test('lengths are shown as they are typed', () => {
  expect(shortLength(3_600_000)).toBe('1h');
  expect(shortLength(5_400_000)).toBe('90m');
  expect(shortLength('unlimited')).toBe('unlimited');
  expect(shortLength(undefined)).toBe('');
});

test('an empty field is an absent one, and the order of fields means nothing', () => {
  expect(
    isSameDraft({ run: 'a', owner: '', spec: { zone: 'UTC' } }, { spec: { zone: 'UTC' }, run: 'a' }),
  ).toBe(true);
  expect(isSameDraft({ run: 'a', tags: ['x', 'y'] }, { run: 'a', tags: ['y', 'x'] })).toBe(false);
});

test('several times, and calendars, are no single source that the form could change', () => {
  expect(sourceOf({ times: [1, 2] })).toBe('other');
  expect(sourceOf({ cron: [{ text: '@daily' }], calendars: [{}] })).toBe('other');
  expect(withSource({ calendars: [{}], zone: 'UTC' }, 'every', 0)).toEqual({
    zone: 'UTC',
    intervals: [{ everyMs: 3_600_000 }],
  });
});
