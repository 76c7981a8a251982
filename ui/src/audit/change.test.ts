import { expect, test } from 'vitest';
import {
  actionText,
  actorText,
  daysOf,
  diffOf,
  doorText,
  fieldText,
  keyText,
  reasonOf,
  shortValue,
  subjectOf,
} from './change.ts';

test('a field that the action already says is not repeated', () => {
  const changes = [
    { path: 'paused', after: {} },
    { path: 'note', after: 'x' },
    { path: 'owner', before: 'a', after: 'b' },
  ];
  expect(diffOf({ action: 'pause', changes }).map(({ path }) => path)).toEqual(['owner']);
  expect(diffOf({ action: 'create', changes })).toEqual([]);
});

test('values are short, and lengths are read as such', () => {
  expect(shortValue(7_200_000, 'policy.catchupWindowMs')).toBe('2 h');
  expect(shortValue('x'.repeat(100))).toHaveLength(61);
  expect(actionText('backfill')).toBe('backfilled');
});

test('values are shown as a person writes them', () => {
  expect(shortValue([{ text: '45 * * * *' }], 'spec.cron')).toBe('45 * * * *');
  expect(shortValue([{ text: '0 0 9 * * *', dialect: 'spring' }, { text: '@daily' }], 'spec.cron')).toBe(
    '0 0 9 * * * (spring), @daily',
  );
  expect(shortValue([{ everyMs: 300_000 }], 'spec.intervals')).toBe('every 5 min');
  expect(shortValue([1_764_583_200_000], 'spec.times')).toBe('2025-12-01T10:00:00Z');
  expect(shortValue(['billing', 'erp'], 'tags')).toBe('billing, erp');
  // What has no short form is shown as it is stored.
  expect(shortValue([{ everyMs: 300_000, phaseMs: 1 }], 'spec.intervals')).toContain('phaseMs');
  expect(shortValue([], 'tags')).toBe('[]');
  expect(shortValue(null, 'input')).toBe('null');
});

test('doors, callers and fields have names for people; what is not known stays as it is', () => {
  expect(doorText('rest')).toBe('the API');
  expect(actorText('local')).toBe('A caller without a name');
  expect(actorText('ana')).toBe('ana');
  expect(fieldText('policy.catchupWindowMs')).toBe('Catch-up');
  expect(fieldText('something.new')).toBe('something.new');
  expect(shortValue([{ text: '12 */4 * * *' }, { text: '0 3 * * *' }])).toBe('12 */4 * * *, 0 3 * * *');
});

test('days are those of the clock that the page shows, and both are included', () => {
  expect(daysOf('Europe/Berlin', '2026-10-25', '2026-10-25')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T22:59:59.999Z',
  });
  expect(daysOf('UTC', 'yesterday', undefined)).toEqual({});
});

test('a change of a workflow says what it was about, and an answer to a question is a sentence', () => {
  expect(subjectOf({ target: 'host/orders', after: { producer: 'look' } })).toBe('producer look');
  expect(subjectOf({ target: 'host/orders', after: { consumer: 'book' } })).toBe('consumer book');
  expect(subjectOf({ target: 'host/orders', after: { topic: 'placed', id: 'order-3' } })).toBe(
    'order-3 of placed',
  );
  expect(subjectOf({ target: 'host/orders', after: null })).toBeUndefined();
  expect(subjectOf({ target: 'schedule/a', after: { producer: 'look' } })).toBeUndefined();
  for (const action of ['happened', 'didNotHappen', 'tryAgain', 'skip'])
    expect(actionText(`resolve: ${action}`)).not.toContain('resolve');
});

test('a key says its role and where it counts, also when it is revoked', () => {
  expect(keyText({ before: null, after: { role: 'viewer', namespaces: null } })).toBe(
    'viewer of all namespaces',
  );
  expect(keyText({ before: { role: 'operator', namespaces: ['a', 'b'] }, after: null })).toBe(
    'operator of a, b',
  );
});

test('a pause by the rule of the schedule says the rule, not the note that was stored', () => {
  const entry = { actor: 'policy', action: 'pause', note: 'paused, workflow failed: s-2026-01-01T00:02:00Z' };
  const before = (pauseAfterFailures: number) => ({ policy: { pauseAfterFailures } });
  expect(reasonOf({ ...entry, before: before(3) })).toBe('after 3 failures in a row');
  expect(reasonOf({ ...entry, before: before(1) })).toBe('after a failure');
  expect(reasonOf({ ...entry, before: null })).toBe('');
  expect(reasonOf({ ...entry, actor: 'ana', note: 'freeze', before: before(3) })).toBe('“freeze”');
});
