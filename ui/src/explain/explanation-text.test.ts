import { expect, test } from 'vitest';
import { actsOf, decisionText, lookOfExplanation, plainText, remedyOf, titleOf } from './explanation-text.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const told = (answer: string, run: unknown = null, cause = 'auto') => ({ answer, run, cause }) as never;
const waiting = (seconds: number, attempt = 0) => ({
  state: 'waiting',
  outcome: null,
  attempt,
  startedAt: attempt === 0 ? null : '2026-11-01T11:00:00Z',
  availableAt: new Date(now - seconds * 1000).toISOString(),
});

test('what its run did decides the look of a started slot', () => {
  expect(lookOfExplanation(told('started', { state: 'done', outcome: 'failed' }), now)).toBe('failed');
  expect(lookOfExplanation(told('startedLate', { state: 'done', outcome: 'completed' }), now)).toBe(
    'startedLate',
  );
  expect(lookOfExplanation(told('skippedOverlap'), now)).toBe('skippedOverlap');
  expect(lookOfExplanation(told('something new'), now)).toBe('notInSpec');
});

test('titles are plain words', () => {
  expect(titleOf(told('skippedOverlap'), now)).toBe('Skipped: the run before it had not ended');
  expect(titleOf(told('started', { state: 'running', outcome: null }), now)).toBe('Running');
  expect(titleOf(told('started', { state: 'done', outcome: 'completed' }), now)).toBe('Started on time');
  expect(titleOf(told('started', null, 'trigger:1'), now)).toBe('Started by hand');
});

test('a slot whose run waits has not started, and one that no worker takes says so', () => {
  expect(titleOf(told('started', waiting(2)), now)).toBe('Waits for a worker');
  expect(lookOfExplanation(told('started', waiting(3600)), now)).toBe('untaken');
  expect(titleOf(told('started', waiting(3600)), now)).toBe('Waits, no worker');
  expect(titleOf(told('started', waiting(3600, 1)), now)).toBe('Waits for its next attempt');
  expect(titleOf(told('noWorker', { state: 'done', outcome: 'timedOut' }), now)).toBe('No worker took it');
});

const at = Date.parse('2026-11-01T15:30:00Z');

test('times inside sentences follow the zone of the schedule', () => {
  const zone = 'America/New_York';
  expect(plainText('It ran at 2026-11-01T15:30:00.000Z.', zone, { at })).toBe('It ran at 10:30 EST.');
  expect(plainText('started at 2026-11-01T15:30:00Z', zone, { at, letters: false })).toBe('started at 10:30');
  expect(plainText('Run 0mvxji0w0-1hcqb000g54shl was still going.', 'UTC', { at })).toBe(
    'Run 0mvxji0w0-1hcqb was still going.',
  );
});

test('an id that ends in a time stays as it is', () => {
  const text = 'workflow failed: refund-2026-11-01T15:30:00Z';
  expect(plainText(text, 'America/New_York', { at })).toBe(text);
});

test('a sentence with a time of another day has the day of each, and another year', () => {
  expect(plainText('between 2026-10-31T18:00:00Z and 2026-11-01T14:00:00Z', 'UTC', { at })).toBe(
    'between Sat 31 Oct 18:00 UTC and Sun 1 Nov 14:00 UTC',
  );
  expect(plainText('created later, at 2027-11-16T14:00:00Z', 'UTC', { at })).toBe(
    'created later, at Tue 16 Nov 2027 14:00 UTC',
  );
});

test('the remedy is the setting that decided', () => {
  expect(remedyOf({ answer: 'skippedOverlap' })?.field).toBe('overlap');
  expect(remedyOf({ answer: 'noWorker' })?.field).toBe('what');
  expect(remedyOf({ answer: 'started' })).toBeUndefined();
});

test('a slot of an open pause can be run, and its schedule resumed; a time that is no slot can not', () => {
  expect(actsOf({ answer: 'paused', decidedAt: null })).toEqual({ canRun: true, canResume: true });
  expect(actsOf({ answer: 'paused', decidedAt: '2026-11-01T12:00:00Z' })).toEqual({
    canRun: true,
    canResume: false,
  });
  expect(actsOf({ answer: 'notInSpec', decidedAt: null }).canRun).toBe(false);
});

test('jitter is not lateness', () => {
  const slot = { at: '2026-11-01T12:00:00.000Z', decidedAt: '2026-11-01T12:04:14.000Z' };
  expect(decisionText({ ...slot, detail: null })).toBe('4 min 14 s after its time');
  expect(decisionText({ ...slot, detail: { actual: (now + 254_000) as never } })).toBe(
    '4 min 14 s after its time: its jitter',
  );
});
