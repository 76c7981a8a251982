import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { runId } from '../../packages/carillon/src/runs/run-id.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import type { RunQuery, Store } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { aRun, cursor, everyPage, write } from './store-fixture.ts';

const orders = ['slot', 'start'] as const;
const directions = ['ascending', 'descending'] as const;
const finished = { state: 'done', finishedAt: instant(3_000_000) } as const;

type Asked = Omit<RunQuery, 'limit' | 'after'>;

/** Runs in the order in which they are inserted: their times of creation ascend, their slots do not. */
class Starts {
  readonly #random: SeededRandom;
  readonly #ordinals = new Map<string, number>();
  #now = 2_000_000;
  #made = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** Some runs of one commit, all with its time. */
  commit(): readonly RunRow[] {
    this.#now += this.#random.pick([0, 1, 40, 5000]);
    return Array.from({ length: this.#random.integer(1, 5) }, () => this.#next());
  }

  #next(): RunRow {
    const random = this.#random;
    const now = instant(this.#now);
    const owner = random.pick([null, 'o1', 'o1', 'o1', 'o2']);
    // On time, a little late, or a backfill; a run without an owner has no slot.
    const behind = owner === null ? 0 : random.pick([0, 0, 0, 1, 700, 1_900_000, 1_500_000]);
    const ordinal = owner === null ? null : (this.#ordinals.get(owner) ?? 0);
    if (owner !== null) this.#ordinals.set(owner, (ordinal as number) + 1);
    this.#made += 1;
    return aRun({
      id: runId((this.#now - behind) as Instant, `${this.#made}`),
      namespace: random.pick(['n1', 'n2']),
      owner,
      ordinal,
      alias: random.pick([null, null, 'x']),
      createdAt: now,
      state: random.pick(['waiting', 'leased']),
    });
  }
}

async function filled(store: Store, seed: number): Promise<readonly RunRow[]> {
  const starts = new Starts(seed);
  const random = new SeededRandom(seed + 1);
  let rows: readonly RunRow[] = [];
  for (let commit = 0; commit < 18; commit += 1) {
    const newRuns = starts.commit();
    const changed = rows
      .filter(({ state }) => state !== 'done' && random.integer(0, 2) === 0)
      .map((row) => ({ ...row, ...finished, outcome: random.pick(['completed', 'failed'] as const) }));
    await write(store, { newRuns, runs: changed });
    const byId = new Map(changed.map((row) => [row.id, row]));
    rows = [...rows.map((row) => byId.get(row.id) ?? row), ...newRuns];
  }
  const removed = rows.filter(({ state }) => state === 'done' && random.integer(0, 4) === 0);
  await write(store, { removeRuns: removed.map(({ id }) => id) });
  return rows.filter((row) => !removed.includes(row));
}

function isAsked(run: RunRow, query: Asked): boolean {
  return (
    (query.ids === undefined || query.ids.includes(run.id)) &&
    (query.namespace === undefined || run.namespace === query.namespace) &&
    (query.owner === undefined || run.owner === query.owner) &&
    (query.alias === undefined || run.alias === query.alias) &&
    (query.states === undefined || query.states.includes(run.state)) &&
    (query.outcomes === undefined || query.outcomes.some((outcome) => outcome === run.outcome))
  );
}

const compareIds = (a: RunRow, b: RunRow) => (a.id < b.id ? -1 : 1);

/** A plain sort; runs of the same time are in an order of the store's choice, for which `ties` stands. */
function sorted(
  rows: readonly RunRow[],
  query: Asked,
  ties: (a: RunRow, b: RunRow) => number,
): readonly RunRow[] {
  const compare =
    query.by === 'slot'
      ? compareIds
      : query.owner === undefined
        ? (a: RunRow, b: RunRow) => a.createdAt - b.createdAt || ties(a, b)
        : (a: RunRow, b: RunRow) => (a.ordinal as number) - (b.ordinal as number);
  const found = rows.filter((row) => isAsked(row, query)).sort(compare);
  return query.order === 'descending' ? found.reverse() : found;
}

export function exerciseRunOrder(bench: () => Bench): void {
  describe('the order of runs', () => {
    const every = async (query: Asked, limit: number) =>
      (await everyPage((after) => bench().store.runs({ ...query, limit, ...cursor(after) }))).items;

    it('is that of the slots or that of the starts, in any page size, as a plain sort has it', async () => {
      const rows = await filled(bench().store, 7);
      const queries: readonly Asked[] = [
        {},
        { namespace: 'n1' },
        { states: ['waiting', 'leased'] },
        { outcomes: ['failed'] },
        { alias: 'x' },
        { ids: rows.slice(5, 25).map(({ id }) => id) },
        { owner: 'o1' },
        { owner: 'o1', states: ['done'] },
        { owner: 'o1', states: ['waiting', 'leased'] },
        { owner: 'o1', outcomes: ['failed'] },
        { owner: 'o1', alias: 'x' },
        { owner: 'o1', ids: rows.slice(5, 35).map(({ id }) => id) },
      ];
      for (const asked of queries) {
        for (const by of orders) {
          const whole = await every({ ...asked, by, order: 'ascending' }, 200);
          const place = new Map(whole.map(({ id }, i) => [id, i]));
          const ties = (a: RunRow, b: RunRow) => (place.get(a.id) ?? -1) - (place.get(b.id) ?? -1);
          for (const order of directions) {
            const query = { ...asked, by, order };
            const expected = sorted(rows, query, ties);
            expect(expected.length).toBeGreaterThan(0);
            for (const limit of [5, 200])
              expect(await every(query, limit), JSON.stringify({ query, limit })).toEqual(expected);
          }
        }
      }
    });

    it('is by slot without an owner and by start with one, when the query does not say', async () => {
      const { store } = bench();
      const late = aRun({ id: 'a', owner: 'o1', ordinal: 2, createdAt: instant(2000) });
      const early = aRun({ id: 'b', owner: 'o1', ordinal: 1, createdAt: instant(1000) });
      await write(store, { newRuns: [early] });
      await write(store, { newRuns: [late] });
      const ids = async (query: Asked) =>
        (await store.runs({ ...query, limit: 9 })).items.map(({ id }) => id);
      expect(await ids({})).toEqual(['b', 'a']);
      expect(await ids({ owner: 'o1' })).toEqual(['a', 'b']);
      expect(await ids({ by: 'start' })).toEqual(['a', 'b']);
      expect(await ids({ owner: 'o1', by: 'slot' })).toEqual(['b', 'a']);
    });

    it('goes on where a page ended, also when its last run is gone and others were started', async () => {
      const { store } = bench();
      const done = { ...finished, outcome: 'completed' } as const;
      const random = new SeededRandom(3);
      const rows: readonly RunRow[] = Array.from({ length: 40 }, (_, i) =>
        aRun({
          id: runId(
            instant(random.integer(0, 3) === 0 ? 1000 + random.integer(0, 900) : 100_000 + i),
            `${i}`,
          ),
          owner: 'o1',
          ordinal: i,
          // Eight runs share each time.
          createdAt: instant(100_000 + 8 * Math.floor(i / 8)),
          ...done,
        }),
      );
      await write(store, { newRuns: rows });
      let ordinal = rows.length;
      for (const owner of [undefined, 'o1']) {
        for (const by of orders) {
          const query: Asked = { by, order: 'descending', ...(owner === undefined ? {} : { owner }) };
          const expected = (await every(query, 200)).map(({ id }) => id);
          const seen: string[] = [];
          let after: string | undefined;
          do {
            const page = await store.runs({ ...query, limit: 3, ...cursor(after) });
            seen.push(...page.items.map(({ id }) => id));
            after = page.next ?? undefined;
            const last = page.items.at(-1) as RunRow;
            await write(store, { removeRuns: [last.id] });
            // Newer than everything in both orders, so it is on no further page.
            const newer = instant(200_000 + ordinal);
            await write(store, {
              newRuns: [
                aRun({ id: runId(newer, `n${ordinal}`), owner: 'o1', ordinal, createdAt: newer, ...done }),
              ],
            });
            ordinal += 1;
          } while (after !== undefined);
          expect(seen, JSON.stringify(query)).toEqual(expected);
        }
      }
    });

    it('lists a backfill among the slots and at the head of the starts', async () => {
      const { store } = bench();
      const run = (slot: number, at: number, ordinal: number) =>
        aRun({ id: runId(instant(slot), `${ordinal}`), owner: 'o1', ordinal, createdAt: instant(at) });
      const [first, second, old, between, third] = [
        run(50_000, 50_000, 0),
        run(60_000, 60_001, 1),
        run(10_000, 65_000, 2),
        run(55_000, 65_000, 3),
        run(70_000, 70_000, 4),
      ];
      for (const each of [first, second, old, between, third]) await write(store, { newRuns: [each] });
      for (const owner of [{}, { owner: 'o1' }]) {
        for (const limit of [1, 2, 9]) {
          expect(await every({ ...owner, by: 'slot' }, limit)).toEqual([third, second, between, first, old]);
          expect(await every({ ...owner, by: 'start', order: 'ascending' }, limit)).toHaveLength(5);
          expect((await every({ ...owner, by: 'start' }, limit))[0]).toEqual(third);
        }
      }
    });

    it('refuses the cursor of the other order', async () => {
      const { store } = bench();
      await write(store, {
        newRuns: [0, 1, 2].map((i) => aRun({ id: `r${i}`, owner: 'o1', ordinal: i })),
      });
      for (const owner of [{}, { owner: 'o1' }]) {
        for (const by of orders) {
          const { next } = await store.runs({ ...owner, by, limit: 1 });
          const other = by === 'slot' ? 'start' : 'slot';
          await expect(
            store.runs({ ...owner, by: other, limit: 1, after: next as string }),
          ).rejects.toMatchObject({ reason: 'BAD_CURSOR' });
        }
      }
    });
  });
}
