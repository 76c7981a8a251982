import { describe, expect, test } from 'vitest';
import { kindNames } from '../../../packages/carillon/src/action/kind.ts';
import { isSame, mergeDrafts, shortLength, withField, withWork, workKinds, workOf } from './draft.ts';

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

describe('two people edit one schedule', () => {
  const base = { run: 'a', overlap: 'skip', catchup: '1h' };

  test('changes of other fields are saved together', () => {
    expect(mergeDrafts(base, { ...base, catchup: '2h' }, { ...base, overlap: 'bufferOne' })).toEqual({
      both: [],
      merged: { run: 'a', overlap: 'bufferOne', catchup: '2h' },
      theirs: ['catchup'],
    });
  });

  test('a field that both changed is named, with both values', () => {
    expect(mergeDrafts(base, { ...base, catchup: '2h' }, { ...base, catchup: '3h' }).both).toEqual([
      { path: 'catchup', theirs: '2h', ours: '3h' },
    ]);
    expect(mergeDrafts(base, { ...base, catchup: '2h' }, { ...base, catchup: '2h' }).both).toEqual([]);
  });

  test('fields of one object do not touch each other', () => {
    const read = { run: 'a', spec: { cron: [{ text: '0 9 * * *' }], zone: 'UTC' }, retry: { attempts: 3 } };
    const theirs = { ...read, spec: { ...read.spec, zone: 'Europe/Berlin' } };
    const ours = { ...read, spec: { ...read.spec, jitterMs: 5000 }, retry: { attempts: 3, initial: '1s' } };
    expect(mergeDrafts(read, theirs, ours)).toEqual({
      both: [],
      theirs: ['spec.zone'],
      merged: {
        run: 'a',
        spec: { cron: [{ text: '0 9 * * *' }], zone: 'Europe/Berlin', jitterMs: 5000 },
        retry: { attempts: 3, initial: '1s' },
      },
    });
  });

  test('two kinds of work cannot be saved together: ours is kept', () => {
    const { both, merged } = mergeDrafts({ run: 'a' }, { http: { url: 'x' } }, { run: 'b' });
    expect(both).toEqual([{ path: 'run', theirs: undefined, ours: 'b' }]);
    expect(merged).toEqual({ run: 'b' });
  });

  test('other work of theirs stays when ours says nothing new about it', () => {
    const read = { run: 'a', owner: 'ana' };
    const theirs = { http: { url: 'https://example.com' }, owner: 'ana' };
    expect(mergeDrafts(read, theirs, { ...read, description: 'mine' })).toEqual({
      both: [],
      merged: { ...theirs, description: 'mine' },
      theirs: ['run', 'http'],
    });
  });

  test('the order of fields is no change', () => {
    const read = { run: 'a', spec: { cron: [{ text: '0 9 * * *', dialect: 'spring' }] } };
    const ours = { run: 'a', spec: { cron: [{ dialect: 'spring', text: '0 9 * * *' }] } };
    const theirs = { run: 'a', spec: { cron: [{ text: '0 10 * * *', dialect: 'spring' }] } };
    expect(mergeDrafts(read, theirs, ours)).toEqual({ both: [], merged: theirs, theirs: ['spec.cron'] });
  });
});

test('lengths are shown as they are typed', () => {
  expect(shortLength(3_600_000)).toBe('1h');
  expect(shortLength(5_400_000)).toBe('90m');
  expect(shortLength('unlimited')).toBe('unlimited');
  expect(shortLength(undefined)).toBe('');
});

test('an empty field is an absent one, and the order of fields means nothing', () => {
  expect(isSame({ run: 'a', owner: '', spec: { zone: 'UTC' } }, { spec: { zone: 'UTC' }, run: 'a' })).toBe(
    true,
  );
  expect(isSame({ run: 'a', tags: ['x', 'y'] }, { run: 'a', tags: ['y', 'x'] })).toBe(false);
  expect(isSame({ run: 'a', input: {} }, { run: 'a', input: [] })).toBe(false);
  expect(isSame({ run: 'a', input: null }, { run: 'a' })).toBe(false);
});

test('what two drafts share is not looked into', () => {
  const input = new Proxy({}, { ownKeys: () => expect.unreachable('the input was read') });
  expect(isSame({ run: 'a', input, owner: 'x' }, { run: 'a', input })).toBe(false);
});
