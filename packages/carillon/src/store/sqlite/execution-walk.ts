/**
 * The part of retention that looks at each execution separately. It walks in order of creation, a limited number per call:
 * one query counts the rows of some executions, up to the number that may stay, and only
 * executions with a surplus are examined.
 */
import type { Instant } from '../../base/time.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { Retention, Swept } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import type { Tables } from './tables.ts';

/** The limits for one execution: all but the newest `keep` rows go if older than `before`; `limit` at most. */
export interface Surplus {
  readonly keep: number;
  readonly before: Instant;
  readonly limit: number;
}

/** Executions per query: with full ledgers of 10,000 rows each, counting them takes about 9 ms. */
const executionsAtOnce = 10;

/** Executions per call: at 4 to 5 µs for one that has no surplus, a quarter of a millisecond. */
const executionsPerCall = 50;

/** Counted rows after which a call ends, however few executions they belonged to. */
const rowsPerCall = 20_000;

const distantFuture = Number.MAX_SAFE_INTEGER as Instant;

/**
 * How many rows each execution has, counted only as far as needed; a limit of 0 counts nothing. Nearly all have
 * no surplus, so the query returns one row of sums that contains the few with a surplus.
 */
const countRows = `select count(*), max(row), sum(slots + runs + parts), json_group_array(
    json_array(row, incarnation, slots, runs, parts, old)
  ) filter (where slots = ?7 or runs = ?8 or parts = ?9 or old) from (
    select e.row, e.incarnation,
      (select count(*) from (select 1 from slots s where s.execution = e.row limit ?1)) as slots,
      (select count(*) from (select 1 from runs r where r.owner = e.incarnation limit ?2)) as runs,
      (select count(*) from (select 1 from parts p where p.execution = e.row limit ?3)) as parts,
      exists (select 1 from slots s where s.execution = e.row and s.nominal < ?4 and s.at < ?4) as old
    from executions e where e.row > ?5 order by e.row limit ?6)`;

interface Found {
  readonly rowId: number;
  readonly incarnation: string;
  readonly slots: number;
  readonly runs: number;
  readonly parts: number;
  readonly hasOldSlots: boolean;
}

interface Seen {
  readonly executions: number;
  /** Row id of the last execution; meaningless when there was none. */
  readonly last: number;
  /** The number of rows counted. */
  readonly rows: number;
  /** The executions with a surplus, in order of row id. */
  readonly withSurplus: readonly Found[];
}

export class ExecutionWalk {
  readonly #tables: Tables;
  readonly #count: Statement;
  readonly #retention: Retention;
  /** How many rows may stay; Infinity: all. */
  readonly #keep: { readonly slots: number; readonly runs: number; readonly parts: number };
  readonly #left: { slots: number; runs: number; parts: number };
  #swept = 0;

  constructor(connection: Connection, tables: Tables, retention: Retention) {
    const { limit, slotsPerExecution, runsPerOwner, partsPerName } = retention;
    this.#tables = tables;
    this.#count = connection.statement(countRows);
    this.#retention = retention;
    this.#keep = {
      slots: Math.max(1, slotsPerExecution ?? Number.POSITIVE_INFINITY),
      runs: Math.max(0, runsPerOwner ?? Number.POSITIVE_INFINITY),
      parts: Math.max(1, partsPerName ?? Number.POSITIVE_INFINITY),
    };
    this.#left = { slots: limit, runs: limit, parts: limit };
  }

  static isAskedFor(retention: Retention): boolean {
    const { slotsBefore, slotsPerExecution, runsPerOwner, partsPerName } = retention;
    return [slotsBefore, slotsPerExecution, runsPerOwner, partsPerName].some((each) => each !== undefined);
  }

  /** One piece of the walk. */
  run(): Swept {
    const { after, limit } = this.#retention;
    const mayWalk = Math.min(limit, executionsPerCall);
    let last = after === undefined ? 0 : (decodeCursor(after, ['number'])[0] as number);
    let walked = 0;
    let counted = 0;
    while (walked < mayWalk && counted < rowsPerCall) {
      const wanted = Math.min(executionsAtOnce, mayWalk - walked);
      const seen = this.#look(last, wanted);
      for (const execution of seen.withSurplus) {
        // The limit was reached at this execution: the next call begins with it.
        if (!this.#sweepOne(execution)) return this.#pausedBefore(execution.rowId);
      }
      if (seen.executions < wanted) return { rows: this.#swept, next: null };
      last = seen.last;
      walked += seen.executions;
      counted += seen.rows;
    }
    return this.#pausedBefore(last + 1);
  }

  #pausedBefore(rowId: number): Swept {
    return { rows: this.#swept, next: encodeCursor([rowId - 1]) };
  }

  #look(after: number, limit: number): Seen {
    const { slots, runs, parts } = this.#keep;
    const countUpTo = [slots, runs, parts].map((keep) => (Number.isFinite(keep) ? keep + 1 : 0));
    const surplusAt = countUpTo.map((count) => (count === 0 ? -1 : count));
    const before = this.#retention.slotsBefore ?? Number.MIN_SAFE_INTEGER;
    const row = this.#count.get(...countUpTo, before, after, limit, ...surplusAt);
    const [executions, last, rows, found] = row as readonly [number, number, number, string];
    return { executions, last, rows, withSurplus: (JSON.parse(found) as SqlRow[]).map(foundOf) };
  }

  /** False when there may be more to remove from this execution. */
  #sweepOne({ rowId, incarnation, slots, runs, parts, hasOldSlots }: Found): boolean {
    const { slotsBefore, countedBefore: before = distantFuture } = this.#retention;
    const left = this.#left;
    const take = (kind: keyof typeof left, work: (limit: number) => number): boolean => {
      const limit = left[kind];
      if (limit <= 0) return false;
      const taken = work(limit);
      left[kind] -= taken;
      this.#swept += taken;
      return taken < limit;
    };
    const keep = this.#keep;
    const done = [
      !hasOldSlots ||
        slotsBefore === undefined ||
        take('slots', (limit) => this.#tables.slots.sweepOld(rowId, slotsBefore, limit)),
      slots <= keep.slots ||
        take('slots', (limit) => this.#tables.slots.trim(rowId, { keep: keep.slots, before, limit })),
      runs <= keep.runs ||
        take('runs', (limit) => this.#tables.runs.trim(incarnation, { keep: keep.runs, before, limit })),
      parts <= keep.parts || take('parts', (limit) => this.#tables.parts.trim(rowId, keep.parts, limit)),
    ];
    return done.every((each) => each);
  }
}

function foundOf(row: SqlRow): Found {
  return {
    rowId: row[0] as number,
    incarnation: row[1] as string,
    slots: row[2] as number,
    runs: row[3] as number,
    parts: row[4] as number,
    hasOldSlots: row[5] === 1,
  };
}
