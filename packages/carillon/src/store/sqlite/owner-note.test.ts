import { expect, test } from 'vitest';
import { checkNote, encodeNote, findNote, type OwnerNote, startOf } from './owner-note.ts';

const own: OwnerNote = { token: 'ours', pid: 100, host: 'here', boot: 'boot-1', started: '500' };
const left = (change: Partial<OwnerNote>): OwnerNote => ({
  ...own,
  token: 'theirs',
  pid: 7,
  started: '300',
  ...change,
});

test.each([
  ['no note: a clean close', null, undefined, 'go'],
  ['a living process with that start', left({}), '300', 'refuse'],
  ['a pid that is gone', left({}), undefined, 'go'],
  ['a pid that another process has now', left({}), '301', 'go'],
  ['a living process whose start cannot be read', left({}), '', 'watch'],
  ['a note without a start', left({ started: '' }), '300', 'watch'],
  ['another machine', left({ host: 'there' }), '300', 'watch'],
  ['another boot, or another namespace of pids', left({ boot: 'boot-2' }), '300', 'watch'],
  ['a note of this very process', left({ pid: 100, started: '500' }), '500', 'go'],
] as const)('%s: %#', (_, note, started, finding) => {
  expect(checkNote(note, own, () => started)).toBe(finding);
});

test('a note is found among the bytes of a file, and nothing is found where there is none', () => {
  expect(findNote(`SQLite format 3\0…${encodeNote(own)}\0\0`)).toEqual(own);
  expect(findNote('SQLite format 3\0…')).toBeNull();
  expect(findNote('{"carillon-owner":1,"pid"')).toBeNull();
});

test('this process is alive, and a pid that cannot be is not', () => {
  expect(startOf(process.pid)).toBeDefined();
  expect(startOf(2 ** 30)).toBeUndefined();
});
