import { describe, expect, test } from 'vitest';
import { markShapes } from './mark-shapes.ts';
import { families, type Look, lookOfRun, lookOfRunAt, looks, ran, wantsLook, wordOfRun } from './verdict.ts';

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
  test.each([
    'skippedOverlap',
    'missedWindow',
    'paused',
    'coalesced',
    'startFailed',
    'cancelled',
    'noWorker',
  ] as const)('%s has no body', (look) => {
    expect(markShapes[look].some(({ fill }) => fill === 'body')).toBe(false);
  });
});

test('keys stop at what did not run, and at what failed', () => {
  expect(all.filter((look) => !wantsLook(look))).toEqual([
    'started',
    'startedLate',
    'outcomeForgotten',
    'running',
    'passedOver',
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

const stopped = { state: 'done', outcome: 'cancelled' } as const;

test('a run that a rule of its schedule stopped is not in the colour of a person', () => {
  const byRule = { ...stopped, failure: { type: 'Cancelled', askedAt: 1 } };
  const byPerson = { ...stopped, failure: { type: 'Cancelled', askedAt: 1, askedBy: 'ana' } };
  expect(looks[lookOfRun(byRule)].family).toBe('policy');
  expect(wordOfRun(byRule)).toBe('Cancelled by its overlap rule');
  expect(looks[lookOfRun(byPerson)].family).toBe('person');
  expect(wordOfRun(byPerson)).toBe('Cancelled');
});

test('a run that waits has no worker after a while; one that was given up was not taken', () => {
  const waiting = { state: 'waiting', outcome: null, startedAt: null, availableAt: '2026-11-01T12:00:00Z' };
  const from = Date.parse(waiting.availableAt);
  expect(lookOfRunAt(waiting, from + 1000)).toBe('buffered');
  expect(lookOfRunAt(waiting, from + 60_000)).toBe('untaken');
  const givenUp = { state: 'done', outcome: 'timedOut', failure: { type: 'NoWorker' } };
  expect(lookOfRun(givenUp)).toBe('noWorker');
  expect(wordOfRun(givenUp)).toBe('No worker took it');
});
