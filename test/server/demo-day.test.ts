import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import type { Services } from '../../packages/carillon/src/service/services.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/sqlite-store.ts';
import { dayIds } from '../../packages/server/src/cli/demo/day-schedules.ts';
import { createDemo, demoIds, removeDemo } from '../../packages/server/src/cli/demo/demo.ts';
import { openWithDay } from '../../packages/server/src/cli/demo/open-with-day.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-day-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const hour = 3_600_000;

/** A clock that stands still, so that the day ends at any moment we like. */
class StillClock extends SystemClock {
  readonly #now: Instant;

  constructor(now: number) {
    super();
    this.#now = now as Instant;
  }

  override now(): Instant {
    return this.#now;
  }
}

async function dayOn(
  path: string | null,
  now: number,
): Promise<{ services: Services; stop: () => Promise<void> }> {
  const { store, hasDay } = await openWithDay(path, new StillClock(now));
  expect(hasDay).toBe(true);
  const carillon = await openCarillon({ store });
  return { services: internalsOf(carillon).services, stop: async () => await carillon.stop() };
}

const file = join(scratch, 'day.db');

const moments: readonly (readonly [string, number, string | null])[] = [
  ['in the middle of an hour', Date.UTC(2025, 10, 18, 13, 12), file],
  ['at the first second of a year', Date.UTC(2025, 0, 1), null],
  ['a second before a slot', Date.UTC(2024, 5, 3, 8, 29, 59), null],
];

describe('the day of the demo', () => {
  test.each(moments)('has something of everything, %s', async (_, now, path) => {
    const { services, stop } = await dayOn(path, now);
    try {
      const span = { from: (now - 49 * hour) as Instant, to: now as Instant };
      const name = { namespace: 'default', id: 'invoice-sync' };
      const { slots, runs } = await services.insight.timeline(name, { ...span, limit: 2000 });
      const verdicts = new Set(slots.map(({ verdict }) => verdict));
      for (const verdict of ['started', 'skippedOverlap', 'paused', 'coalesced', 'startedLate'] as const) {
        expect(verdicts).toContain(verdict);
      }
      expect(slots.some(({ cause }) => cause?.startsWith('trigger:'))).toBe(true);
      expect(runs.some(({ outcome, attempt }) => outcome === 'completed' && attempt === 2)).toBe(true);
      expect(runs.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ attempt: 3 }]);
      // The run was released with its first attempt and its start, so the server that starts next continues it.
      const last = runs.at(-1);
      expect(last).toMatchObject({ state: 'waiting', attempt: 0, startedAt: last?.createdAt });

      const { pauses, versions, silences } = await services.insight.stretches(name, span);
      expect(pauses).toMatchObject([{ by: 'Jonas', note: 'maintenance at the provider', endedBy: 'Jonas' }]);
      expect(versions.at(-1)).toMatchObject({ by: 'Mara' });
      expect(versions.at(-1)?.changes.map(({ path }) => path)).toContain('policy.missed');
      expect(silences).toHaveLength(1);

      const ruledOut = async (id: string) => {
        const { ruledOut: times } = await services.insight.timeline(
          { ...name, id },
          { ...span, limit: 2000 },
        );
        return times.map(({ verdict }) => verdict);
      };
      expect(await ruledOut('daily-digest')).toEqual(['excluded']);
      expect(await ruledOut('island-roster')).toEqual(['dstFold', 'dstFold']);

      const rebuilt = await services.insight.timeline(
        { ...name, id: 'search-index-rebuild' },
        { ...span, limit: 100 },
      );
      expect(rebuilt.slots.map(({ verdict }) => verdict)).toContain('noWorker');
      const host = await services.hosts.describe({ namespace: 'default', id: 'demo-orders' });
      // All four answers are offered.
      expect(host.block?.kind).toBe('uncertain');
      expect(host.work?.change?.canReconcile).toBe(true);

      const counts = await services.insight.counts('default', {});
      expect(counts).toMatchObject({ total: 10, paused: 1, ended: 1, failing: 2 });
    } finally {
      await stop();
    }
  });

  test('is reported again at the next start, when the file is found', async () => {
    const path = join(scratch, 'found.db');
    const clock = new StillClock(Date.UTC(2025, 10, 18, 13, 12));
    await openWithDay(path, clock);
    const again = await openWithDay(path, clock);
    expect(again.hasDay).toBe(false);
    const carillon = await openCarillon({ store: again.store });
    await createDemo(carillon);
    expect(await demoIds(carillon)).toHaveLength(13);
    expect((await demoIds(carillon))[3]).toBe('invoice-sync');
    await removeDemo(carillon);
    expect(await demoIds(carillon)).toEqual([]);
    await carillon.stop();
  });

  test('is made on the empty file that an interrupted start left, and never on a file with content', async () => {
    const path = join(scratch, 'again.db');
    const clock = new StillClock(Date.UTC(2025, 10, 18, 13, 12));
    const left = new SqliteStore({ path, clock, durability: 'atClose' });
    await left.migrate();
    await left.close();
    expect(await openWithDay(path, clock)).toEqual({ store: `sqlite:${path}`, hasDay: true });
    const made = readFileSync(path);
    expect(await openWithDay(path, clock)).toEqual({ store: `sqlite:${path}`, hasDay: false });
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    const { items } = await store.list({ limit: 100, archetype: 'schedule' });
    await store.close();
    expect(items).toHaveLength(dayIds.length);
    expect(readFileSync(path).length).toBe(made.length);
  });

  test('counts over time what the ledgers say, and the slots of the pause that goes on', async () => {
    const now = Date.UTC(2025, 10, 18, 13, 12);
    const { services, stop } = await dayOn(null, now);
    try {
      const from = (now - 49 * hour) as Instant;
      const { items } = await services.schedules.list({ namespace: 'default' });
      const counted: Record<string, number> = {};
      const add = (verdict: string, count: number) => {
        counted[verdict] = (counted[verdict] ?? 0) + count;
      };
      for (const { id } of items) {
        const name = { namespace: 'default', id };
        const ledger = await services.schedules.slots(name, { limit: 1000 });
        for (const { verdict, count } of ledger.items) add(verdict, count);
      }
      expect(counted.paused).toBe(4);
      // 'token-rotate' is paused: its hours from 05:10 to 14:10, the last one yet to come, have no row.
      add('paused', 10);
      const to = (now + hour) as Instant;
      const { total } = await services.insight.series({ namespace: 'default', from, to, bin: '1h' });
      expect(total.verdicts).toEqual(counted);
    } finally {
      await stop();
    }
  });
});
