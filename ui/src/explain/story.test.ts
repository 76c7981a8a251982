import { expect, test } from 'vitest';
import { lookOfStory, plainText, remedyOf, titleOf, withLengths } from './story.ts';

const told = (answer: string, run: unknown = null) => ({ answer, run, detail: null, at: '' }) as never;

test('what its run did decides the look of a started slot', () => {
  expect(lookOfStory(told('started', { state: 'done', outcome: 'failed' }))).toBe('failed');
  expect(lookOfStory(told('startedLate', { state: 'done', outcome: 'completed' }))).toBe('startedLate');
  expect(lookOfStory(told('skippedOverlap'))).toBe('skippedOverlap');
  expect(lookOfStory(told('something new'))).toBe('notInSpec');
});

test('titles are plain words', () => {
  expect(titleOf(told('skippedOverlap'))).toBe('Skipped: the run before it was still going');
  expect(titleOf(told('started', { state: 'running', outcome: null }))).toBe('Running');
});

test('times inside sentences follow the zone of the schedule', () => {
  expect(plainText('It ran at 2026-11-01T15:30:00.000Z.', 'America/New_York')).toBe('It ran at 10:30 EST.');
  expect(plainText('Run 0mvxji0w0-1hcqb000g54shl was still going.', 'UTC')).toBe(
    'Run 0mvxji0w0 was still going.',
  );
});

test('the remedy is the setting that decided', () => {
  expect(remedyOf({ answer: 'skippedOverlap' })?.field).toBe('overlap');
  expect(remedyOf({ answer: 'started' })).toBeUndefined();
});

test('lengths are written as elsewhere on the page, names are left alone', () => {
  expect(withLengths('It would have started 53m late, after 1h23m.')).toBe(
    'It would have started 53 min late, after 1 h 23 min.',
  );
  expect(withLengths('Usually 11m, at most 1d1h in 95 of 100.')).toBe(
    'Usually 11 min, at most 1 day 1 h in 95 of 100.',
  );
  expect(withLengths('sync-5m runs at 03:00:00')).toBe('sync-5m runs at 03:00:00');
});
