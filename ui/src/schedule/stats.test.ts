import { expect, test } from 'vitest';
import { slotsOf } from '../timeline/from-answers.ts';
import type { Slot } from '../timeline/model.ts';
import type { TimelineAnswer } from '../timeline/wire.ts';
import { countsOfBins, latenessOf, quantile, resultText } from './stats.ts';

const slot = (start: number, more: Partial<Slot> = {}): Slot => ({
  at: 1000,
  look: 'started',
  run: { id: 'r', start, end: null, look: 'started', attempts: [] },
  ...more,
});

test('a day of a dense schedule is the sum of its bins, without what has not come', () => {
  const bins = [{ counts: { started: 900 } }, { counts: { started: 120, paused: 3, notYet: 780 } }];
  expect(countsOfBins(bins)).toEqual({ started: 1020, paused: 3 });
});

test('lateness counts from the time after jitter', () => {
  expect(latenessOf([slot(255_200, { due: 255_000 }), slot(1100)])).toEqual([100, 200]);
});

test("the server's time after jitter reaches the header", () => {
  const slots = slotsOf({
    slots: [
      {
        at: '2026-11-18T15:00:00Z',
        verdict: 'started',
        runId: 'r',
        detail: { actual: Date.parse('2026-11-18T15:04:14Z') },
      },
    ],
    runs: [
      {
        id: 'r',
        at: '2026-11-18T15:00:00Z',
        state: 'done',
        outcome: 'completed',
        createdAt: '2026-11-18T15:04:14Z',
        startedAt: '2026-11-18T15:04:14.030Z',
        finishedAt: '2026-11-18T15:04:15Z',
      },
    ],
    ruledOut: [],
    projected: [],
  } as unknown as TimelineAnswer);
  expect(latenessOf(slots)).toEqual([30]);
});

test('runs by hand and runs that wait for a worker are not late', () => {
  expect(latenessOf([slot(9000, { byHand: 'trigger-1' }), slot(9000, { look: 'buffered' })])).toEqual([]);
});

test('a quantile is a value that was measured', () => {
  expect(quantile([1, 2, 3, 100], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 100], 0.99)).toBe(100);
});

test.each([
  [{ invoices: 660 }, '660 invoices'],
  [[1, 2, 3], '[1,2,3]'],
  ['sent', 'sent'],
  [null, 'completed'],
  [{}, 'completed'],
])('the result %j is shown as %s', (result, text) => {
  expect(resultText(result)).toBe(text);
});
