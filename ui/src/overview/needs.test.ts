import { expect, test } from 'vitest';
import type { ListedSchedule } from '../schedules/row.ts';
import type { NeedsGroup } from './needs.ts';
import { evidenceOf, gapOf, ledeOf, namesOf, needsOf, pausesOf, queryOf } from './needs.ts';

const listed = (id: string, kind: string | null, owner = ''): ListedSchedule =>
  ({
    id,
    owner,
    attention: { kind, text: `${kind}` },
    runningCount: 0,
    spec: {},
    tags: [],
  }) as unknown as ListedSchedule;

const group = (
  kind: string,
  ids: readonly string[],
  {
    count = ids.length,
    failures = { least: 1, most: 1 },
    cause = owned('payments'),
  }: Partial<NeedsGroup> = {},
): NeedsGroup => ({ kind, cause, count, failures, schedules: ids.map((id) => listed(id, kind, 'payments')) });

const owned = (name: string) => ({ type: 'owner', name });

const needs = (groups: readonly NeedsGroup[], more = 0, room?: number) =>
  needsOf({ groups, rest: { schedules: more } }, room);

test('what is paused on purpose needs no one, and is said by itself', () => {
  const paused = group('paused', ['a'], { count: 8 });
  expect(needs([paused])).toEqual({ needs: [], left: 0 });
  const [first] = paused.schedules;
  const pause = { at: '2026-11-18T09:00:00Z', by: 'jonas', note: 'Storage moves', until: null };
  const told = { ...paused, schedules: [{ ...first, paused: pause } as ListedSchedule] };
  expect(pausesOf({ groups: [told], rest: { schedules: 0 } })).toEqual({
    title: '8 schedules of payments',
    text: 'are paused',
    word: 'a, by jonas: “Storage moves”',
    query: 'state:paused owner:payments',
  });
  const own = { ...pause, by: 'policy', note: 'paused, workflow failed: a-2026-11-18T09:00:00Z' };
  const ruled = { ...first, paused: own, policy: { pauseAfterFailures: 3 } } as ListedSchedule;
  const words = pausesOf({ groups: [{ ...paused, schedules: [ruled] }], rest: { schedules: 0 } });
  expect(words?.word).toBe('a, by its own rule, after 3 failures in a row');
  expect(pausesOf({ groups: [], rest: { schedules: 0 } })).toBeUndefined();
});

test('many with one cause are one line, with their true count and the way to all of them', () => {
  const many = group('failing', ['a', 'b', 'c'], { count: 1204 });
  const { needs: lines, left } = needs([many, group('late', ['e'])]);
  expect(lines.map(({ title }) => title)).toEqual(['1,204 schedules of payments', 'e']);
  expect(lines[0]).toMatchObject({ look: 'failed', action: { query: 'is:failing owner:payments' } });
  expect(lines[0] && namesOf(lines[0])).toBe('a, b, c and 1,201 more');
  expect(left).toBe(0);
});

test('a few have a line each while there is room, and what has none is counted', () => {
  const few = group('failing', ['a', 'b', 'c']);
  expect(needs([few]).needs.map(({ title }) => title)).toEqual(['a', 'b', 'c']);
  const others = ['d', 'e', 'f', 'g', 'h'].map((id) => group('skipping', [id]));
  const titles = needs([few, ...others]).needs.map(({ title }) => title);
  expect(titles).toEqual(['3 schedules of payments', 'd', 'e', 'f', 'g', 'h']);
  expect(needs([few, ...others], 40, 4)).toMatchObject({ needs: { length: 4 }, left: 42 });
});

test('a group shows the facts of the group, not those of its first member', () => {
  const text = (least: number, most: number) =>
    needs([group('failing', ['a'], { count: 9, failures: { least, most } })]).needs[0]?.text;
  expect(text(2, 14)).toBe('failed 2 to 14 times in a row');
  expect(text(3, 3)).toBe('failed 3 times in a row');
  expect(text(1, 1)).toBe('failed in their last run');
  const cause = { type: 'handler', name: 'feed.refresh' };
  expect(needs([group('noWorker', ['a'], { count: 6, cause })]).needs[0]).toMatchObject({
    title: '6 schedules',
    text: "wait for a worker that knows 'feed.refresh'",
    action: { query: 'is:noworker handler:feed.refresh' },
  });
});

test('the name of a schedule and what is said of it are one sentence', () => {
  const said = (kind: string, text: string, failures = 0) => {
    const schedule = { ...listed('a', kind), attention: { kind, text }, failures };
    return needs([{ ...group(kind, ['a']), schedules: [schedule] }]).needs[0]?.text;
  };
  expect(said('failing', '6 failures in a row', 6)).toBe('failed 6 times in a row');
  expect(said('failing', 'the last run failed', 1)).toBe('failed in its last run');
  expect(said('noWorker', "no worker knows 'feed'")).toBe("waits for a worker that knows 'feed'");
  expect(said('late', 'due 16 h ago, no verdict')).toBe('is 16 h overdue and has no verdict');
  expect(said('waiting', '2 starts wait for their turn')).toBe('has 2 starts that wait for their turn');
  expect(said('quarantined', 'its state cannot be read')).toBe('is in quarantine: its state cannot be read');
  expect(said('skipping', '9 of its latest 20 slots were skipped')).toBe('skipped 9 of its latest 20 slots');
});

test('a failure that began before the oldest known slot is shown as longer', () => {
  const now = Date.parse('2026-11-18T12:00:00Z');
  const slots = Array.from({ length: 20 }, (_, place) => ({
    at: new Date(now - (20 - place) * 60_000).toISOString(),
    verdict: 'started',
    run: { id: `${place}`, state: 'done', outcome: 'failed' },
  }));
  const told = (failures: number) => {
    const schedule = { ...listed('a', 'failing'), failures, strip: { slots, p50Ms: null, p95Ms: null } };
    const [need] = needs([{ ...group('failing', ['a']), schedules: [schedule] }]).needs;
    return need && evidenceOf(need, now);
  };
  expect(told(20)).toBe('for 20 min');
  expect(told(63)).toBe('for more than 20 min');
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

test('the list of a group is found by its cause, also by a name with spaces', () => {
  expect(queryOf({ kind: 'failing', cause: owned('payments') })).toBe('is:failing owner:payments');
  expect(queryOf({ kind: 'paused', cause: owned('data team') })).toBe('state:paused owner:"data team"');
  expect(queryOf({ kind: 'late', cause: null })).toBe('is:overdue');
});
