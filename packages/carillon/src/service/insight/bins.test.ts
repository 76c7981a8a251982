import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { day, hour, second } from '../../base/time.ts';
import { MemoryStore } from '../../store/memory/index.ts';
import type { Store } from '../../store/store.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { readBins } from './bins.ts';
import type { HistoryOf } from './history-material.ts';

const now = Date.UTC(2026, 10, 18, 12, 0, 30) as Instant;
const ago = (length: number) => (now - length) as Instant;

/** A schedule without a row in its ledger, since its cursor. */
function historyOf(definition: object, cursor: Instant): HistoryOf {
  const row = { incarnation: 'i', status: 'open', createdAt: ago(400 * day), closedAt: null };
  const version = { stamp: 1, at: ago(400 * day), definition: { seed: 'a', paused: null, ...definition } };
  return { row, versions: [version], cursor, next: null, remaining: null, now } as unknown as HistoryOf;
}

const pausedAt = (at: Instant) => ({ at, by: 'Ana', note: '' });
const hourly = { cron: [{ text: '0 * * * *' }] };

async function verdictsOf(history: HistoryOf, length: number, bin: string) {
  const store = new MemoryStore({ clock: new VirtualClock(now) });
  const { bins, truncated } = await readBins(store, history, { from: ago(length), to: now, bin });
  const sums: Record<string, number> = {};
  for (const { verdicts } of bins) {
    for (const [verdict, count] of Object.entries(verdicts)) sums[verdict] = (sums[verdict] ?? 0) + count;
  }
  return { bins, sums, truncated };
}

test('slots before the pause wait for a decision, those after it are passed over', async () => {
  const history = historyOf({ spec: hourly, paused: pausedAt(ago(3.5 * hour)) }, ago(5.5 * hour));
  const { sums } = await verdictsOf(history, 10 * hour, '1h');
  expect(sums).toEqual({ overdue: 2, paused: 4 });
});

test('a schedule that no node decides about has overdue slots', async () => {
  const { sums } = await verdictsOf(historyOf({ spec: hourly }, ago(2.5 * hour)), 10 * hour, '1h');
  expect(sums).toEqual({ overdue: 3 });
});

test('a year of pause over every second is counted with little work, and nothing of it is left out', async () => {
  const every = { intervals: [{ everyMs: second }] };
  const history = historyOf({ spec: every, paused: pausedAt(ago(365 * day)) }, ago(365 * day));
  const { sums, bins, truncated } = await verdictsOf(history, 92 * day, '1d');
  expect(truncated).toBe(true);
  const begin = Date.parse(bins[0]?.from ?? '');
  expect(Math.abs((sums.paused ?? 0) - (now - begin) / second)).toBeLessThan(5);
  expect(bins.slice(1, -1).every(({ verdicts }) => (verdicts.paused ?? 0) > 86_000)).toBe(true);
});

test('times that the spec excludes are counted up to now', async () => {
  const spec = { cron: [{ text: '0 12 * * *' }], exclude: { dates: ['2026-11-17', '2026-11-19'] } };
  const { sums } = await verdictsOf(historyOf({ spec }, now), 3 * day, '1d');
  expect(sums).toEqual({ excluded: 1 });
});

test('started slots whose run is removed, waiting or running are distinguished', async () => {
  const slot = (hours: number) => ({
    nominal: ago(hours * hour),
    until: ago(hours * hour),
    at: ago(hours * hour),
    count: 1,
    verdict: 'started',
    runId: `run-${hours}`,
  });
  const run = (hours: number, state: string, outcome: string | null, attempt: number) => ({
    id: `run-${hours}`,
    createdAt: ago(hours * hour),
    availableAt: ago(hours * hour),
    startedAt: null,
    finishedAt: null,
    state,
    outcome,
    attempt,
    options: '{}',
  });
  const found = {
    slots: [slot(5), slot(4), slot(3), slot(2), slot(1)],
    runs: [
      run(1, 'waiting', null, 0),
      run(2, 'waiting', null, 1),
      run(3, 'leased', null, 1),
      run(4, 'done', 'failed', 1),
    ],
  };
  const store = {
    slots: async () => ({ items: found.slots, next: null }),
    runs: async () => ({ items: found.runs, next: null }),
  } as unknown as Store;
  const history = historyOf({ spec: {} }, now);
  const { bins } = await readBins(store, history, { from: ago(6 * hour), to: now, bin: '1d' });
  expect(bins[0]).toMatchObject({
    verdicts: { started: 5 },
    outcomes: { failed: 1 },
    unfinished: { untaken: 1, waiting: 1, running: 1 },
    forgotten: 1,
  });
});
