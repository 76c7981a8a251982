import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { minute } from '../../base/time.ts';
import { newRun } from '../../runs/run.ts';
import { defaultPolicy } from '../../scheduler/definition.ts';
import type { OverlapMaterial } from './other-overlaps.ts';
import { otherOverlaps } from './other-overlaps.ts';

const at = Date.UTC(2026, 10, 17, 19, 30) as Instant;
const after = (minutes: number) => (at + minutes * minute) as Instant;
const blocker = (began: Instant, finishedAt: Instant | null) => ({
  ...newRun({ id: 'slow', namespace: 'default', queue: 'default', name: 'work', now: began }),
  startedAt: began,
  finishedAt,
});
const material: OverlapMaterial = {
  at,
  decidedAt: at,
  used: 'skip',
  policy: defaultPolicy,
  running: 1,
  blocker: blocker(after(-30), after(53)),
  waiting: [],
  usual: { p50Ms: minute, p95Ms: 2 * minute, measured: 9 },
};
const told = (fields: Partial<OverlapMaterial>) =>
  Object.fromEntries(
    otherOverlaps({ ...material, ...fields }).map(({ setting, value, answer, text }) => [
      setting === 'overlap' ? value : setting,
      `${value} ${answer}: ${text}`,
    ]),
  );

test('a run that still goes keeps it waiting', () => {
  expect(told({ blocker: blocker(after(-30), null) }).bufferOne).toBe(
    'bufferOne buffered: waiting for the run before it',
  );
});

test('a wait beyond the catch-up window is a miss', () => {
  expect(told({ policy: { ...defaultPolicy, catchupWindowMs: 10 * minute } }).bufferOne).toBe(
    'bufferOne missedWindow: missed: it had to wait 53 min',
  );
});

test('what is decided after an outage starts late, and no timeout would have helped', () => {
  const late = told({ decidedAt: after(12), blocker: blocker(after(12), after(13)) });
  expect(late.limit).toBe('2 startedLate: started at 2026-11-17T19:42:00Z, 12 min late');
  expect(late.allowAll).toBe('allowAll startedLate: started at 2026-11-17T19:42:00Z, 12 min late');
  expect(late.timeout).toBeUndefined();
});

test('a timeout is one that ordinary runs keep', () => {
  expect(told({}).timeout).toMatch(/^5m started: started on time, the other ended/);
  expect(told({ usual: { ...material.usual, p95Ms: 40 * minute } }).timeout).toBeUndefined();
});
