import { describe, expect, test } from 'vitest';
import { instant } from '../base/time.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';
import { claim, requestCancel, takeOver, terminate } from './lifecycle.ts';
import type { RunOptions } from './run.ts';
import { newRun } from './run.ts';
import { withdrawalOf } from './withdrawal.ts';

const now = instant(1_000_000);

function run(options: RunOptions = { outlasts: true }, fields: Partial<RunRow> = {}): RunRow {
  const made = newRun({
    id: 'r',
    namespace: 'n',
    queue: '@elsewhere',
    name: 'w',
    now,
    input: { a: 1 },
    options,
  });
  return { ...made, ...fields };
}

const lost = { attempt: 1, result: JSON.stringify({ message: 'no answer' }) };
const refused = { attempt: 1, result: JSON.stringify({ message: 'refused', startFailed: true }) };
const held = claim(run(), { worker: 'node', token: 't', now });
const why = { reason: 'not needed' };

describe('a run that is stopped without an end to its work', () => {
  test.each([
    ['cancelled after a lost answer', run(undefined, lost), requestCancel, 'cancel'],
    ['terminated after a lost answer', run(undefined, lost), terminate, 'terminate'],
    ['terminated while it is held', held, terminate, 'terminate'],
  ] as const)('%s gets a withdrawal on its queue', (_, before, stop, how) => {
    const withdrawal = withdrawalOf(before, stop(before, why, now), now);
    expect(withdrawal).toMatchObject({ queue: '@elsewhere', namespace: 'n', owner: null, state: 'waiting' });
    expect(JSON.parse(withdrawal?.input ?? '')).toEqual({
      withdraw: { run: 'r', workflowId: null, how, reason: 'not needed' },
      of: { a: 1 },
    });
    // A withdrawal that is stopped is not withdrawn.
    const stopped = withdrawal === undefined ? undefined : terminate({ ...withdrawal, ...lost }, why, now);
    expect(stopped && withdrawalOf({ ...stopped, ...lost, state: 'waiting' }, stopped, now)).toBeUndefined();
  });

  test('cancelled under a node that is gone gets one too', () => {
    const asked = requestCancel(held, why, now);
    const withdrawal = withdrawalOf(asked, takeOver(asked, now), now);
    expect(JSON.parse(withdrawal?.input ?? '')).toMatchObject({ withdraw: { how: 'cancel' } });
  });

  test.each([
    ['whose work ends with its attempt', run({}, lost)],
    ['that never began', run()],
    ['whose start was refused', run(undefined, refused)],
  ])('%s has nothing to withdraw', (_, before) => {
    expect(withdrawalOf(before, terminate(before, why, now), now)).toBeUndefined();
  });

  test.each<RunOutcome>(['completed', 'failed'])('%s has nothing to withdraw', (outcome) => {
    expect(withdrawalOf(held, { ...held, state: 'done', outcome }, now)).toBeUndefined();
  });
});
