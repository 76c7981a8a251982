import { expect, test } from 'vitest';
import type { ListedSchedule } from '../schedules/row.ts';
import { gapOf, ledeOf, needsOf } from './needs.ts';

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
  expect(needsOf(failing, true)[0]?.title).toBe('At least 4 schedules of payments');
});

test('a group tells the facts of the group, not those of its first member', () => {
  const failing = (counts: readonly number[]) =>
    needsOf(counts.map((failures, place) => ({ ...listed(`s${place}`, 'failing', 'payments'), failures })))[0]
      ?.text;
  expect(failing([14, 2, 2, 3])).toBe('fail, 2 to 14 times in a row');
  expect(failing([3, 3, 3, 3])).toBe('fail, 3 times in a row');
  expect(failing([1, 1, 1, 1])).toBe('failed in their last run');
  const untaken = (texts: readonly string[]) =>
    needsOf(
      texts.map((text, place) => ({
        ...listed(`s${place}`, 'noWorker'),
        attention: { kind: 'noWorker', text },
      })),
    )[0]?.text;
  expect(untaken(Array.from({ length: 4 }, () => "no worker knows 'a'"))).toBe("wait: no worker knows 'a'");
  expect(untaken(['a', 'b', 'c', 'd'])).toBe('wait for workers that know their handlers');
});

test('the distance of slots counts each slot of a stretch, and none by hand', () => {
  const slot = (second: number, more = {}) => ({
    at: new Date(second * 1000).toISOString(),
    verdict: 'skippedOverlap',
    ...more,
  });
  expect(gapOf({ slots: [slot(10), slot(30, { count: 2 }), slot(50, { count: 2 })] })).toBe(10_000);
  expect(gapOf({ slots: [slot(10), slot(13, { cause: 'trigger:1' }), slot(20), slot(30)] })).toBe(10_000);
  expect(gapOf({ slots: [slot(10)] })).toBeUndefined();
});

test('the sentence has the true counts', () => {
  expect(ledeOf(10_000, 5)).toEqual({
    well: '9,995 of 10,000 schedules do what they should.',
    rest: 'Five need you.',
  });
  expect(ledeOf(3, 0).rest).toBe('Nothing needs you.');
  expect(ledeOf(13, 3, 1)).toEqual({
    well: '10 of 13 schedules do what they should.',
    rest: 'Three need you, and one workflow.',
  });
  expect(ledeOf(13, 0, 2).rest).toBe('2 workflows need you.');
  expect(ledeOf(0, 0).well).toBe('No schedules yet.');
  expect(ledeOf(0, 0, 1).rest).toBe('One workflow needs you.');
});
