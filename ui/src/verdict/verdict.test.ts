import { describe, expect, test } from 'vitest';
import { markShapes } from './mark-shapes.ts';
import { families, type Look, lookOfRun, looks, ran, wantsLook } from './verdict.ts';

const all = Object.keys(looks) as Look[];

/** The closed list of the server's verdicts; each needs a mark. */
const verdicts: readonly string[] = [
  'started',
  'startedLate',
  'buffered',
  'skippedOverlap',
  'missedWindow',
  'paused',
  'excluded',
  'limitReached',
  'outOfBounds',
  'superseded',
  'bufferFull',
  'startFailed',
  'dstGap',
  'dstFold',
  'blackout',
  'coalesced',
  'cancelled',
  'alreadyStarted',
  'noWorker',
  'workflowBusy',
];

test('every verdict of the server has a look', () => {
  expect(verdicts.filter((verdict) => !all.includes(verdict as Look))).toEqual([]);
});

test('no two looks share a drawing or a word', () => {
  const drawings = all.map((look) => JSON.stringify(markShapes[look]));
  expect(new Set(drawings).size).toBe(all.length);
  expect(new Set(all.map((look) => looks[look].word)).size).toBe(all.length);
});

test('every family is used', () => {
  expect(families.filter((family) => !all.some((look) => looks[look].family === family))).toEqual([]);
});

describe('body and outline', () => {
  test('what ran begins or ends with a filled body', () => {
    const empty = all.filter((look) => ran(look) && !markShapes[look].some(({ fill }) => fill === 'body'));
    expect(empty).toEqual([]);
  });
  test.each(['skippedOverlap', 'missedWindow', 'paused', 'coalesced', 'startFailed', 'cancelled'] as const)(
    '%s has no body',
    (look) => {
      expect(markShapes[look].some(({ fill }) => fill === 'body')).toBe(false);
    },
  );
});

test('keys stop at what did not run, and at what failed', () => {
  expect(all.filter((look) => !wantsLook(look))).toEqual([
    'started',
    'startedLate',
    'running',
    'notYet',
    'likelySkip',
  ]);
});

test.each([
  ['waiting', null, 'buffered'],
  ['running', null, 'running'],
  ['done', 'completed', 'started'],
  ['done', 'failed', 'failed'],
  ['done', 'timedOut', 'timedOut'],
  ['done', 'terminated', 'runStopped'],
])('a run that is %s with %s looks %s', (state, outcome, look) => {
  expect(lookOfRun({ state, outcome })).toBe(look);
});
