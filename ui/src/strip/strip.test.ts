import { expect, test } from 'vitest';
import { wordOf } from '../verdict/verdict.ts';
import { lookOfSlot, placesOf, stripText } from './strip.ts';

const run = (outcome: string, tookMs = 100) => ({ id: 'r', state: 'done', outcome, tookMs });

test('a slot looks as its run ended', () => {
  expect(lookOfSlot({ verdict: 'started', run: run('completed') })).toBe('started');
  expect(lookOfSlot({ verdict: 'startedLate', run: run('completed') })).toBe('startedLate');
  expect(lookOfSlot({ verdict: 'started', run: run('failed') })).toBe('failed');
  expect(lookOfSlot({ verdict: 'started', run: { id: 'r', state: 'running' } })).toBe('running');
  expect(lookOfSlot({ verdict: 'skippedOverlap' })).toBe('skippedOverlap');
});

test('stretches fill their places, and only the newest twenty are shown', () => {
  const slots = [
    { at: '', verdict: 'paused', count: 40 },
    { at: '', verdict: 'started', run: run('completed', 50) },
  ];
  const shown = placesOf({ slots, p50Ms: 80, p95Ms: 100 });
  expect(shown).toHaveLength(20);
  expect(shown.at(-1)).toEqual({ look: 'started', height: 0.5 });
  expect(shown[0]?.look).toBe('paused');
});

test('the strip can be read aloud', () => {
  const slots = [
    { at: '', verdict: 'started', run: run('completed') },
    { at: '', verdict: 'skippedOverlap' },
  ];
  expect(stripText(placesOf({ slots, p50Ms: 1, p95Ms: 1 }), wordOf)).toBe(
    '1 of 2 ran; latest: skipped: overlap',
  );
  expect(stripText([], wordOf)).toBe('No slot yet');
});
