import { expect, test } from 'vitest';
import { changeWords, writtenName } from './change-words.ts';
import type { FieldChange } from './field-diff.ts';

const [four, five, six] = ['2026-11-18T16:12:00Z', '2026-11-18T17:45:00Z', '2026-11-18T18:45:00Z'];
const hourly = { cron: [{ text: '45 * * * *' }] };
const specs = { before: { cron: [{ text: '12 */4 * * *' }] }, after: hourly };
const still = { specs: { before: hourly, after: hourly }, upcoming: { before: [five], after: [five] } };

function told(changes: readonly FieldChange[], more: object = {}): readonly string[] {
  return changeWords({ changes, ...still, starts: 0, running: 0, ...more });
}

test('another spec says where the next slot goes, and that nothing starts at once', () => {
  const changes = [{ path: 'spec.cron', before: specs.before.cron, after: hourly.cron }];
  expect(told(changes, { specs, upcoming: { before: [four], after: [five, six] } })).toEqual([
    'Its times become “Every hour at minute 45”, before: “Every 4 hours at minute 12”.',
    `The next slot moves from ${four} to ${five}.`,
    'Nothing starts at once, and past slots stay as they are.',
  ]);
});

test('a next slot that stays is shown with those that move', () => {
  const changes = [{ path: 'spec.exclude' }];
  const moved = told(changes, { upcoming: { before: [four, five], after: [four, six] } });
  expect(moved).toContain(`The next slot stays at ${four}; 1 of the next 2 are at other times.`);
  expect(told(changes, { upcoming: { before: [four], after: [] } })).toContain('No coming slot runs.');
});

test.each<[FieldChange, string]>([
  [
    { path: 'policy.overlap', before: 'skip', after: 'bufferAll' },
    'While a run is going, slots wait in order; before, slots are dropped.',
  ],
  [
    { path: 'policy.catchupWindowMs', before: 3_600_000, after: 7_200_000 },
    'A slot may start at most 2 h after its time, before: 1 h.',
  ],
  [
    { path: 'policy.missed', before: 'all', after: 'latest' },
    'Of slots that were missed, the latest runs; before, all of them run.',
  ],
  [{ path: 'policy.pauseAfterFailures', before: 0, after: 3 }, 'It pauses after 3 failures in a row.'],
  [{ path: 'remaining', after: 1200 }, 'It may act 1,200 times from now on.'],
  [{ path: 'owner', before: 'ops', after: 'billing' }, 'The owner becomes billing, before: ops.'],
  [{ path: 'policy.catchupPaceMs', after: 1000 }, 'Changes catchupPace.'],
])('%o', (change, text) => expect(told([change])).toEqual([text]));

test('a changed action is of runs to come, and those that go keep theirs', () => {
  const changes = [{ path: 'action.input' }, { path: 'action.settings.retry.attempts' }, { path: 'tags' }];
  expect(told(changes, { running: 1 })).toEqual([
    'Runs from now on use the changed input and retry.',
    '1 run goes on as it began.',
    'Changes tags.',
  ]);
});

test.each([
  ['action.settings.executionTimeoutMs', 'timeout'],
  ['action.settings.attemptTimeoutMs', 'attemptTimeout'],
  ['action.name', 'handler'],
  ['policy.idleCloseMs', 'idleClose'],
  ['memo.team', 'memo.team'],
])('%s is written %s', (path, name) => expect(writtenName(path)).toBe(name));
