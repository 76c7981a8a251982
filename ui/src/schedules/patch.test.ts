import { expect, test } from 'vitest';
import { patched, refreshed } from './patch.ts';
import type { ListedSchedule } from './row.ts';

const schedule = {
  id: 'a',
  runningCount: 0,
  strip: { slots: [], p50Ms: null, p95Ms: null },
} as unknown as ListedSchedule;
const listed = new Map([['a', schedule]]);
const event = (type: string, data: Record<string, unknown>) => ({
  id: '1',
  type,
  data: { schedule: 'a', ...data },
});

test('a slot, its start and its end patch the strip', () => {
  const after = patched(listed, [
    event('slot', {
      verdict: 'started',
      nominal: '2026-11-01T00:00:00.000Z',
      cause: 'auto',
      runId: 'r1',
      count: 1,
    }),
    event('started', { runId: 'r1' }),
  ]);
  expect(after.get('a')).toMatchObject({
    runningCount: 1,
    strip: { slots: [{ verdict: 'started', run: { id: 'r1', state: 'running' } }] },
  });
  const end = patched(after, [event('finished', { runId: 'r1', outcome: 'failed', durationMs: 12 })]);
  expect(end.get('a')).toMatchObject({
    runningCount: 0,
    strip: { slots: [{ run: { outcome: 'failed', tookMs: 12 } }] },
  });
});

test('the final verdict of a waiting slot replaces the first', () => {
  const nominal = '2026-11-01T00:00:00.000Z';
  const after = patched(listed, [
    event('slot', { verdict: 'buffered', nominal, cause: 'auto', count: 1 }),
    event('slot', { verdict: 'startedLate', nominal, cause: 'auto', count: 1, runId: 'r' }),
  ]);
  expect(after.get('a')?.strip?.slots.map(({ verdict }) => verdict)).toEqual(['startedLate']);
});

test('the rows of a pause that ended replace the slots that were shown while it went on', () => {
  const slots = [
    { at: '2026-11-01T00:00:00Z', verdict: 'started' },
    { at: '2026-11-01T03:00:00Z', verdict: 'paused', count: 3 },
  ];
  const shown = new Map([['a', { ...listed.get('a'), strip: { slots } } as unknown as ListedSchedule]]);
  const rows = { from: '2026-11-01T01:00:00Z', nominal: '2026-11-01T04:00:00Z', cause: 'auto', count: 4 };
  const after = patched(shown, [event('slot', { verdict: 'paused', ...rows })]);
  expect(after.get('a')?.strip?.slots).toEqual([
    slots[0],
    { at: '2026-11-01T04:00:00Z', verdict: 'paused', count: 4 },
  ]);
});

test('events of others change nothing', () => {
  expect(patched(listed, [{ id: '', type: 'slot', data: { schedule: 'b' } }])).toBe(listed);
  expect(patched(listed, [{ id: '', type: 'reset', data: {} }])).toBe(listed);
});

test('no more than twenty slots are kept', () => {
  const events = Array.from({ length: 30 }, (_, n) =>
    event('slot', { verdict: 'started', nominal: new Date(n * 1000).toISOString(), cause: 'auto', count: 1 }),
  );
  expect(patched(listed, events).get('a')?.strip?.slots).toHaveLength(20);
});

test('a reading without strips keeps the strip and does not add rows', () => {
  const read = [{ id: 'a', runningCount: 3 }, { id: 'b' }] as unknown as ListedSchedule[];
  const next = refreshed(listed, read);
  expect(next.get('a')).toMatchObject({ runningCount: 3, strip: { slots: [] } });
  expect(next.has('b')).toBe(false);
});
