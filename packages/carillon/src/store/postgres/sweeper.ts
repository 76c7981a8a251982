/**
 * Retention, in small transactions. Several nodes may sweep at once: rows that another node holds or has removed are skipped
 * and not counted.
 */
import type { Instant } from '../../base/time.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { Retention, Swept } from '../store.ts';
import type { Connections } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import { RunPartitions } from './run-partitions.ts';
import type { Tables } from './tables.ts';

/** Executions walked over per call, in one query that stops counting at the number that may stay. */
const executionsPerCall = 50;
const distantFuture = Number.MAX_SAFE_INTEGER as Instant;

type Kind = 'slots' | 'runs' | 'parts';

interface Found {
  readonly row: number;
  readonly incarnation: string;
  readonly has: Readonly<Record<Kind, boolean>>;
  readonly hasOldSlots: boolean;
}

export class Sweeper {
  readonly #connections: Connections;
  readonly #tables: Tables;
  readonly #partitions: RunPartitions;

  constructor(connections: Connections, tables: Tables) {
    this.#connections = connections;
    this.#partitions = new RunPartitions(connections, tables.schema);
    this.#tables = tables;
  }

  async sweep(retention: Retention): Promise<Swept> {
    const { limit, closedBefore, runsFinishedBefore, finishedRuns, eventsBefore, auditBefore } = retention;
    const { runs, events, journals } = this.#tables;
    let rows = 0;
    let next: string | null = null;
    if (closedBefore !== undefined) rows += await this.#sweepClosed(closedBefore, limit);
    if (needsWalk(retention)) {
      const walked = await this.#walk(retention);
      rows += walked.rows;
      next = walked.next;
    }
    if (runsFinishedBefore !== undefined) {
      rows += await this.#partitions.drop(runsFinishedBefore);
      rows += await this.#count(runs.sweep(runsFinishedBefore, limit));
    }
    if (finishedRuns !== undefined) rows += await this.#count(runs.forget(finishedRuns));
    if (eventsBefore !== undefined) rows += await this.#count(events.sweep(eventsBefore, limit));
    if (auditBefore !== undefined) rows += await this.#count(journals.sweep(auditBefore, limit));
    return { rows, next };
  }

  /** An execution is removed after the last of its slots and events, which count against the limit like any others. */
  async #sweepClosed(before: Instant, limit: number): Promise<number> {
    const { executions, slots, events, schema } = this.#tables;
    const [closed = []] = await this.#connections.read({
      name: 'closed-before',
      text: `select row, incarnation from ${schema}.executions where status = 1 and closed_at < $1
        order by closed_at, row limit $2`,
      values: [before, limit],
    });
    let swept = 0;
    const empty: string[] = [];
    for (const [row, incarnation] of closed) {
      const left = limit - swept;
      const [ofSlots = [], ofEvents = []] = await this.#connections.read(
        slots.sweepExecution(row as number, left),
        events.sweepExecution(row as number, left),
      );
      const [slotsGone, hadSlots] = ofSlots[0] as [number, number];
      const [eventsGone, hadEvents] = ofEvents[0] as [number, number];
      swept += slotsGone + eventsGone;
      if (hadSlots > slotsGone || hadEvents > eventsGone) break;
      empty.push(incarnation as string);
    }
    if (empty.length === 0) return swept;
    const [removed = []] = await this.#connections.read(executions.remove(empty));
    return swept + removed.length;
  }

  /** One piece of the walk over the executions, in order of creation. */
  async #walk(retention: Retention): Promise<Swept> {
    const { after, limit, slotsBefore, countedBefore: before = distantFuture } = retention;
    const keep = keptOf(retention);
    const left: Record<Kind, number> = { slots: limit, runs: limit, parts: limit };
    const { slots, runs, parts } = this.#tables;
    const wanted = Math.min(limit, executionsPerCall);
    const from = after === undefined ? 0 : (decodeCursor(after, ['number'])[0] as number);
    const [seen = []] = await this.#connections.read(this.#look(retention, from, wanted));
    let swept = 0;
    /** False when there may be more to remove. */
    const take = async (kind: Kind, statement: (limit: number) => Statement): Promise<boolean> => {
      if (left[kind] <= 0) return false;
      const mostTaken = left[kind];
      const taken = await this.#count(statement(mostTaken));
      left[kind] -= taken;
      swept += taken;
      return taken < mostTaken;
    };
    for (const { row, incarnation, has, hasOldSlots } of seen.map(foundOf)) {
      let isDone = true;
      if (hasOldSlots && slotsBefore !== undefined)
        isDone = (await take('slots', (most) => slots.sweepOld(row, slotsBefore, most))) && isDone;
      if (has.slots)
        isDone = (await take('slots', (most) => slots.trim(row, keep.slots, before, most))) && isDone;
      if (has.runs)
        isDone = (await take('runs', (most) => runs.trim(incarnation, keep.runs, before, most))) && isDone;
      if (has.parts) isDone = (await take('parts', (most) => parts.trim(row, keep.parts, most))) && isDone;
      // The limit was reached at this execution: the next call begins with it.
      if (!isDone) return { rows: swept, next: encodeCursor([row - 1]) };
    }
    const last = seen.at(-1)?.[0] as number | undefined;
    const isEnd = last === undefined || seen.length < wanted;
    return { rows: swept, next: isEnd ? null : encodeCursor([last]) };
  }

  #look(retention: Retention, after: number, limit: number): Statement {
    const { schema } = this.#tables;
    const { slots, runs, parts } = keptOf(retention);
    const countUpTo = [slots, runs, parts].map((count) => (Number.isFinite(count) ? count + 1 : null));
    const surplus = (table: string, condition: string, parameter: string) =>
      `coalesce((select count(*) from (select 1 from ${schema}.${table} t where ${condition} limit ${parameter}) t) = ${parameter}, false)`;
    return {
      name: 'walk',
      text: `select e.row, e.incarnation,
          ${surplus('slots', 't.execution = e.row', 'coalesce($3::bigint, 0)')} and $3::bigint is not null,
          ${surplus('runs', 't.owner = e.incarnation', 'coalesce($4::bigint, 0)')} and $4::bigint is not null,
          ${surplus('parts', 't.execution = e.row', 'coalesce($5::bigint, 0)')} and $5::bigint is not null,
          $6::bigint is not null and exists
            (select 1 from ${schema}.slots s where s.execution = e.row and s.nominal < $6 and s.at < $6)
        from (select row, incarnation from ${schema}.executions where row > $1 order by row limit $2) e order by e.row`,
      values: [after, limit, ...countUpTo, retention.slotsBefore ?? null],
    };
  }

  async #count(statement: Statement): Promise<number> {
    const [rows] = await this.#connections.read(statement);
    return rows?.[0]?.[0] as number;
  }
}

function needsWalk({ slotsBefore, slotsPerExecution, runsPerOwner, partsPerName }: Retention): boolean {
  return [slotsBefore, slotsPerExecution, runsPerOwner, partsPerName].some((each) => each !== undefined);
}

/** How many rows of each execution may stay; Infinity: all. The newest slot and part always stay. */
function keptOf({
  slotsPerExecution,
  runsPerOwner,
  partsPerName,
}: Retention): Readonly<Record<Kind, number>> {
  return {
    slots: Math.max(1, slotsPerExecution ?? Number.POSITIVE_INFINITY),
    runs: Math.max(0, runsPerOwner ?? Number.POSITIVE_INFINITY),
    parts: Math.max(1, partsPerName ?? Number.POSITIVE_INFINITY),
  };
}

function foundOf([row, incarnation, slots, runs, parts, old]: SqlRow): Found {
  return {
    row: row as number,
    incarnation: incarnation as string,
    has: { slots: slots === true, runs: runs === true, parts: parts === true },
    hasOldSlots: old === true,
  };
}
