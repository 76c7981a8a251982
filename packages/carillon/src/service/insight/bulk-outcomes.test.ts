import { expect, test } from 'vitest';
import { bulkOutcomes, outcomeSentences } from './bulk-outcomes.ts';
import type { EffectStatus } from './effects.ts';

function one(id: string, before: EffectStatus, after: EffectStatus, starts = 0, verdicts = {}, over = 0) {
  const [from, to] = ['2026-11-18T12:00:00Z', '2026-11-19T12:00:00Z'];
  const passedOver = over === 0 ? null : { from, to, count: over, isExact: true };
  return {
    id,
    ok: true,
    message: null,
    effects: { status: { before, after }, starts, verdicts, passedOver },
  };
}

test('schedules that pause and those already paused are distinguished, and only slots of the former are counted', () => {
  const items = [
    one('a', 'running', 'paused', 0, {}, 700),
    one('b', 'running', 'paused', 0, {}, 500),
    one('c', 'paused', 'paused', 0, {}, 24),
    { id: 'd', ok: false, message: "there is no schedule 'd' in the namespace 'default'" },
  ];
  expect(outcomeSentences(bulkOutcomes(items))).toEqual([
    '2 pause.',
    '1 stays paused.',
    "1 cannot be changed: there is no schedule 'd' in the namespace 'default'.",
    '1,200 slots will be passed over within 1 day.',
  ]);
});

test('a trigger says who starts and who would be skipped', () => {
  const items = [
    one('a', 'running', 'running', 1),
    one('b', 'paused', 'paused', 1),
    one('c', 'running', 'running', 0, { skippedOverlap: 1 }),
  ];
  expect(outcomeSentences(bulkOutcomes(items))).toEqual([
    '2 start a run at once.',
    '1 would be skipped: a run is still going.',
  ]);
});

test('a slot that comes due meanwhile is no outcome of a change that finds nothing to do', () => {
  const due = { ...one('a', 'running', 'running', 1, { skippedOverlap: 1 }), isChanged: false };
  expect(outcomeSentences(bulkOutcomes([due]))).toEqual(['1 stays as it is.']);
});

test('resuming what runs leaves it as it is', () => {
  expect(
    outcomeSentences(bulkOutcomes([one('a', 'running', 'running'), one('b', 'paused', 'running', 2)])),
  ).toEqual(['1 stays as it is.', '1 resumes and runs what fell into the pause.']);
});
