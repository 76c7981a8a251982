/** What the walk over the audit knows, request by request. */
import { expect, test } from 'vitest';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { day, hour } from '../../../packages/carillon/src/base/time.ts';
import type { PastBounds } from '../../../packages/carillon/src/service/insight/past-changes.ts';
import { PastChanges } from '../../../packages/carillon/src/service/insight/past-changes.ts';
import { MemoryStore } from '../../../packages/carillon/src/store/memory/index.ts';
import type { AuditRow } from '../../../packages/carillon/src/store/records.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';
import { anAudit, write } from '../../store/store-fixture.ts';

const start = Date.UTC(2026, 10, 2) as Instant;
const at = (hours: number) => (start + hours * hour) as Instant;
const namespace = 'default';

interface Said {
  readonly paused?: { readonly at: Instant; readonly by: string; readonly note: string } | null;
  readonly excludes?: string;
  readonly note?: string;
}

const definition = ({ paused = null, excludes, note = '' }: Said) =>
  JSON.stringify({
    spec: {
      cron: [{ text: '0 9 * * *' }],
      ...(excludes === undefined ? {} : { exclude: { dates: [excludes] } }),
    },
    paused,
    note,
    seed: 'default-one',
  });

const edit = (hours: number, before: Said, after: Said, id = 'one'): AuditRow =>
  anAudit({
    namespace,
    target: `schedule/${id}`,
    at: at(hours),
    before: definition(before),
    after: definition(after),
  });
/** Changes the date of the exclusion. */
const move = (hours: number, id = 'one') =>
  edit(hours, { excludes: `before ${hours}` }, { excludes: `after ${hours}` }, id);
const resume = (hours: number) =>
  edit(hours, { paused: { at: at(hours - 1), by: 'Mara', note: '' } }, { paused: null });

async function stage(given: Partial<PastBounds> = {}, auditKeptMs = Number.POSITIVE_INFINITY) {
  const store = new MemoryStore({ clock: new VirtualClock(start) });
  const bounds = { rowsPerRequest: 1000, kept: 1000, text: 1_000_000, ...given };
  const past = new PastChanges({ store, auditKeptMs, bounds });
  return {
    add: async (...rows: readonly AuditRow[]) => await write(store, { audit: rows }),
    ask: async (from: number, now: number) => {
      const known = await past.since({ namespace, from: at(from), now: at(now) });
      const inHours = (instant: Instant) => (instant - start) / hour;
      return {
        pauses: known.pauses.map(({ to }) => inHours(to)).sort((a, b) => a - b),
        changes: [...known.changes.values()].flat().map((change) => inHours(change.at)),
        texts: [...known.changes.values()].flat().map(({ before }) => before.text),
        knownFrom: known.knownFrom === null ? null : inHours(known.knownFrom),
      };
    },
  };
}

test('only edits that change a spec with exclusions before or after them are kept', async () => {
  const { add, ask } = await stage();
  await add(
    edit(1, {}, { excludes: 'a' }),
    edit(2, { excludes: 'a' }, { excludes: 'a', note: 'other' }),
    edit(3, { excludes: 'a' }, {}),
    edit(4, {}, { note: 'other' }),
    { ...move(5), target: 'host/one' },
    { ...move(6), before: null },
  );
  const { changes, texts, knownFrom } = await ask(0, 10);
  expect(changes).toEqual([3, 1]);
  expect(texts.map((text) => text.includes('exclude'))).toEqual([true, false]);
  expect(knownFrom).toBeNull();
  expect((await ask(2, 10)).changes).toEqual([3]);
});

test('what is written after the first request is read by the next', async () => {
  const { add, ask } = await stage();
  expect(await ask(0, 0)).toMatchObject({ changes: [], knownFrom: null });
  await add(move(1), resume(1));
  expect(await ask(0, 1)).toMatchObject({ changes: [1], pauses: [1] });
  await add(move(2), resume(3));
  expect(await ask(0, 3)).toMatchObject({ changes: [2, 1], pauses: [1, 3] });
});

test('a long audit is read in parts, and each answer says how far', async () => {
  const { add, ask } = await stage({ rowsPerRequest: 2 });
  await add(...[1, 2, 3, 4, 5].map((hours) => move(hours)));
  expect(await ask(0, 6)).toMatchObject({ changes: [5, 4], knownFrom: 4 });
  expect(await ask(0, 7)).toMatchObject({ changes: [5, 4, 3, 2], knownFrom: 2 });
  expect(await ask(3, 8)).toMatchObject({ changes: [5, 4, 3], knownFrom: null });
  expect(await ask(0, 9)).toMatchObject({ changes: [5, 4, 3, 2, 1], knownFrom: null });
});

test('more new rows than one request reads leave no gap', async () => {
  const { add, ask } = await stage({ rowsPerRequest: 10 });
  await add(move(1), resume(2));
  expect(await ask(0, 3)).toMatchObject({ knownFrom: null });
  const fresh = Array.from({ length: 25 }, (_, place) => 10 + place);
  await add(...fresh.map((hours) => move(hours)));
  expect((await ask(0, 40)).knownFrom).toBe(15);
  const { changes, pauses, knownFrom } = await ask(0, 41);
  expect(changes).toEqual([...fresh].reverse().concat(1));
  expect({ pauses, knownFrom }).toEqual({ pauses: [2], knownFrom: null });
});

test('requests at the same time know as much as one after the other', async () => {
  const { add, ask } = await stage({ rowsPerRequest: 500 });
  await add(move(0));
  await ask(0, 0);
  await add(...Array.from({ length: 400 }, (_, place) => move(1 + place)));
  const answers = await Promise.all([ask(0, 500), ask(0, 500), ask(100, 500)]);
  expect(answers.map(({ changes }) => changes.length)).toEqual([401, 401, 301]);
  expect(answers.map(({ knownFrom }) => knownFrom)).toEqual([null, null, null]);
});

test('the oldest are forgotten first, and the answer says so', async () => {
  const { add, ask } = await stage({ kept: 3 });
  await add(...[1, 2, 3, 4, 5].flatMap((hours) => [move(hours), resume(hours + 0.5)]));
  const first = await ask(0, 6);
  expect(first).toMatchObject({ changes: [5, 4, 3], pauses: [3.5, 4.5, 5.5], knownFrom: 2.5 });
  expect(await ask(0, 6)).toEqual(first);
  expect(await ask(3, 6)).toMatchObject({ changes: [5, 4, 3], knownFrom: null });
  await add(move(6));
  expect(await ask(0, 6)).toMatchObject({ changes: [6, 5, 4], knownFrom: 3 });
});

test('different specs are kept up to a size, equal ones count once', async () => {
  const { spec } = JSON.parse(definition({ excludes: 'before 1' }));
  const text = 3 * JSON.stringify(spec).length;
  const { add, ask } = await stage({ text });
  await add(...[1, 2, 3, 4, 5].map((hours) => move(hours)));
  expect(await ask(0, 6)).toMatchObject({ changes: [5, 4, 3], knownFrom: 2 });
  const other = await stage({ text });
  const ids = Array.from({ length: 50 }, (_, place) => `job-${place}`);
  await other.add(...ids.map((id) => edit(1, { excludes: 'a' }, { excludes: 'b' }, id)));
  expect((await other.ask(0, 2)).changes).toHaveLength(50);
});

test('what retention may have removed is not known', async () => {
  const { add, ask } = await stage({}, 10 * day);
  await add(move(1));
  expect(await ask(0, 9 * 24)).toMatchObject({ changes: [1], knownFrom: null });
  expect((await ask(0, 12 * 24)).knownFrom).toBe(2 * 24);
  expect((await ask(3 * 24, 12 * 24)).knownFrom).toBeNull();
});
