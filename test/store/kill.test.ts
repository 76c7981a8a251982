/**
 * A process that is killed at any moment loses nothing it acknowledged and tears nothing apart.
 * `KILLS` sets how often, `KILL_SEED` the moments.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { openDatabase } from '../../packages/carillon/src/store/sqlite/driver.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { until } from '../support/until.ts';
import { executionCount, startChild } from './child-process.ts';
import { cursor, everyPage } from './store-fixture.ts';

const kills = Number(process.env.KILLS ?? 15);
const seed = Number(process.env.KILL_SEED ?? 1);
const everything = 1_000_000;

/** The numbers each table holds. */
async function numbersOf(store: Store): Promise<Readonly<Record<string, readonly number[]>>> {
  const { items: audit } = await everyPage((after) => store.audit({ limit: 5000, ...cursor(after) }));
  const runs = await store.runs({ order: 'ascending', limit: everything });
  const slots: number[] = [];
  const parts: number[] = [];
  const events: number[] = [];
  for (let i = 0; i < executionCount; i++) {
    const incarnation = `e${i}#1`;
    const ledger = await store.slots({ incarnation, limit: everything });
    slots.push(...ledger.items.map((slot) => slot.nominal as number));
    const history = await store.parts({ incarnation, name: 'spec' });
    const { items } = await store.events({ owner: incarnation, topic: 'commits', limit: everything });
    events.push(...items.map(({ data }) => Number(data)));
    parts.push(...history.map((part) => JSON.parse(part.data).n as number));
  }
  const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
  return {
    events: sorted(events),
    audit: sorted(audit.map((row) => Number(row.note))),
    runs: sorted(runs.items.map((run) => JSON.parse(run.input).n as number)),
    slots: sorted(slots),
    parts: sorted(parts),
  };
}

describe('a killed process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-kill-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it(`keeps every acknowledged commit whole over ${kills} kills`, async () => {
    const path = join(folder, 'store.db');
    const random = new SeededRandom(seed);
    const acknowledged: number[] = [];
    let next = 0;
    for (let kill = 0; kill < kills; kill++) {
      const child = startChild('commit', path, String(next));
      const first = await child.firstLine;
      expect(first).toMatch(/^ack /);
      const wanted = random.integer(1, 200);
      await until(() => child.lines.length >= wanted);
      await child.kill();
      // The kill may cut the last line short; a number that is not whole was not acknowledged.
      for (const line of child.lines) {
        const [, number] = /^ack (\d+)$/.exec(line) ?? [];
        if (number !== undefined) acknowledged.push(Number(number));
      }

      const store = new SqliteStore({ path, clock: new SystemClock() });
      await store.migrate();
      const tables = await numbersOf(store);
      const stored = tables.events as readonly number[];
      const present = new Set(stored);
      expect(present.size).toBe(stored.length);
      expect(acknowledged.filter((n) => !present.has(n))).toEqual([]);
      for (const [table, numbers] of Object.entries(tables)) expect(numbers, table).toEqual(stored);
      const rows = await store.list({ limit: everything });
      for (const row of rows.items) {
        const own = stored.filter((n) => `e${n % executionCount}` === row.key.id);
        // A row holds the last of its numbers in all its columns, and counts its commits.
        expect(row.version).toBe(own.length);
        const { n } = JSON.parse(row.state) as { n: number };
        expect(row).toMatchObject({ wakeAt: n, signals: { n }, attributes: { n } });
        expect(n).toBe(own.at(-1));
      }
      await store.close();
      next = (stored.at(-1) ?? -1) + 1;

      const database = openDatabase(path);
      expect(database.prepare('pragma integrity_check').all()).toEqual([['ok']]);
      database.close();
    }
    console.log(`${kills} kills, ${acknowledged.length} acknowledged commits, none lost, none torn`);
  });
});
