import { expect, test } from 'vitest';
import { instant } from '../../base/time.ts';
import { nothingKnown } from './attention.ts';
import type { FleetEntry } from './fleet-index.ts';
import { groupNeeds } from './needs.ts';

const now = instant(1_700_000_000_000);
const bounds = { groups: 3, members: 2 };

const entry = (
  id: string,
  { $owner = 'payments', $name = 'sync', ...more }: Record<string, unknown> = {},
): FleetEntry => ({
  ...nothingKnown,
  id,
  incarnation: id,
  version: 1,
  createdAt: now,
  key: { id },
  attributes: { $owner: String($owner), $name: String($name) },
  signals: {},
  ...more,
});

const told = async (entries: readonly FleetEntry[]) => {
  const { groups, rest } = await groupNeeds(entries, now, bounds);
  const shown = groups.map(({ kind, cause, count, worst }) => [
    kind,
    cause?.name,
    count,
    worst.map((each) => each.entry.id).join(' '),
  ]);
  return { shown, rest };
};

test('one cause with many victims is one group, and hides nothing that is less bad', async () => {
  const many = Array.from({ length: 500 }, (_, number) =>
    entry(`pay-${number}`, { failures: 1 + (number % 3) }),
  );
  const { groups } = await groupNeeds([...many, entry('well'), entry('slow', { skips: 9 })], now, bounds);
  expect(groups[0]).toMatchObject({ kind: 'failing', count: 500, failures: { least: 1, most: 3 } });
  expect(groups[0]?.worst.map((each) => each.entry.id)).toEqual(['pay-2', 'pay-5']);
  expect(groups.map(({ kind, count }) => [kind, count])).toEqual([
    ['failing', 500],
    ['skipping', 1],
  ]);
});

test('an owner is the common cause; so is a handler that no worker knows, across owners', async () => {
  const untaken = { handler: 'feed.refresh', since: instant(now - 60_000) };
  const { shown } = await told([
    entry('a', { failures: 1 }),
    entry('b', { failures: 1, $owner: '' }),
    entry('c', { untaken, $owner: 'risk' }),
    entry('d', { untaken }),
  ]);
  expect(shown).toEqual([
    ['noWorker', 'feed.refresh', 2, 'c d'],
    ['failing', 'payments', 1, 'a'],
    ['failing', 'sync', 1, 'b'],
  ]);
});

test('what has no room is counted, and pauses come last and take none of it', async () => {
  const owned = (kind: object) =>
    ['w', 'x', 'y', 'z'].map((owner) => entry(owner, { ...kind, $owner: owner }));
  const { shown, rest } = await told([...owned({ failures: 2 }), entry('held', { isPaused: true })]);
  expect(shown.map(([kind, cause]) => `${kind} ${cause}`)).toEqual([
    'failing w',
    'failing x',
    'failing y',
    'paused payments',
  ]);
  expect(rest).toEqual({ groups: 1, schedules: 1 });
});
