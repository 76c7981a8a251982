import { expect, test } from 'vitest';
import { lookOfStory, plainText, remedyOf, titleOf } from './story.ts';

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
