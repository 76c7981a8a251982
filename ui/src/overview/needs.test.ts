import { expect, test } from 'vitest';
import type { ListedSchedule } from '../schedules/row.ts';
import { ledeOf, needsOf } from './needs.ts';

const listed = (id: string, kind: string | null, owner = ''): ListedSchedule =>
  ({
    id,
    owner,
    attention: { kind, text: `${kind}` },
    runningCount: 0,
    spec: {},
    tags: [],
  }) as unknown as ListedSchedule;

test('what is well or paused on purpose needs no one', () => {
  expect(needsOf([listed('a', null), listed('b', 'paused')])).toEqual([]);
});

test('many with one cause are one line', () => {
  const failing = ['a', 'b', 'c', 'd'].map((id) => listed(id, 'failing', 'payments'));
  const [need, ...rest] = needsOf([...failing, listed('e', 'late')]);
  expect(need).toMatchObject({ title: '4 schedules of payments', look: 'failed' });
  expect(rest.map(({ title }) => title)).toEqual(['e']);
});

test('the sentence has the true counts', () => {
  expect(ledeOf(10_000, 5)).toEqual({
    well: '9,995 of 10,000 schedules do what they should.',
    rest: 'Five need you.',
  });
  expect(ledeOf(3, 0).rest).toBe('Nothing needs you.');
  expect(ledeOf(0, 0).well).toBe('No schedules yet.');
});
