/** Statements on the slot ledger. */
import { slotColumns } from '../columns.ts';
import { decodeCursor } from '../cursor.ts';
import type { SlotRow } from '../records.ts';
import type { SlotQuery } from '../store.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { locationArrays, type RowLocation, rowOf } from './row-locations.ts';
import { rowCount, Terms } from './terms.ts';

const columns = slotColumns.map((column) => `s.${column}`).join(', ');

export class SlotRows {
  readonly #schema: string;
  readonly #slots: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.#slots = `${schema}.slots`;
  }

  put(slots: readonly SlotRow[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'put-slots',
      text: `with put as (
          insert into ${this.#slots} (execution, ${slotColumns.join(', ')})
          select * from (
            select ${rowOf(this.#schema)} as execution, i.nominal, i.cause, i.until, i.count, i.verdict, i.at, i.run_id, i.detail
            from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
              $8::bigint[], $9::text[], $10::text[])
              as i(row, incarnation, nominal, cause, until, count, verdict, at, run_id, detail) offset 0
          ) i where i.execution is not null
          on conflict (execution, nominal, cause) do update set until = excluded.until, count = excluded.count,
            verdict = excluded.verdict, at = excluded.at, run_id = excluded.run_id, detail = excluded.detail
          returning 1
        ) select ${this.#schema}.expect(count(*), $11, 'the execution of a slot is not stored') from put`,
      values: [
        ...locationArrays(slots, locations),
        bigArray(slots.map((slot) => slot.nominal)),
        textArray(slots.map((slot) => slot.cause)),
        bigArray(slots.map((slot) => slot.until)),
        bigArray(slots.map((slot) => slot.count)),
        textArray(slots.map((slot) => slot.verdict)),
        bigArray(slots.map((slot) => slot.at)),
        textArray(slots.map((slot) => slot.runId)),
        textArray(slots.map((slot) => slot.detail)),
        slots.length,
      ],
    };
  }

  page(query: SlotQuery): Statement {
    const order = query.order === 'descending' ? 'desc' : 'asc';
    const terms = new Terms();
    // Every branch repeats the condition, because each begins with its own index.
    const branch = (...more: readonly (readonly [term: string, ...values: unknown[]])[]) => {
      const own = conditionOf(query, this.#schema);
      const texts = [...own, ...more].map(([term, ...values]) => terms.text(term, ...values));
      return `select ${columns} from ${this.#slots} s where ${texts.join(' and ')}`;
    };
    const { from } = query;
    // Slots that begin in the range, and the few stretches that began before it and reach into it.
    const sql =
      from === undefined
        ? branch()
        : `${branch(['s.nominal >= ?', from])} union all ${branch(
            ['s.until > s.nominal'],
            ['s.until >= ?', from],
            ['s.nominal < ?', from],
          )}`;
    return {
      text: `select * from (${sql}) s order by nominal ${order}, cause ${order} limit ${rowCount(query.limit + 1)}`,
      values: terms.values,
    };
  }

  /** Removes slots of one execution, at most `limit`, oldest first; returns how many were removed and whether any is left. */
  sweepExecution(row: number, limit: number): Statement {
    return {
      name: 'sweep-execution',
      text: `with gone as (
          delete from ${this.#slots} where execution = $1 and (nominal, cause) in (
            select nominal, cause from ${this.#slots} where execution = $1 order by nominal, cause limit $2)
          returning 1
        ) select (select count(*) from gone),
          (select count(*) from (select 1 from ${this.#slots} where execution = $1 limit $2 + 1) s)`,
      values: [row, limit],
    };
  }

  /**
   * Removes verdicts of one execution that were reached before a time, at most `limit`. A verdict is never reached
   * before its nominal time, so the index is walked only to that time.
   */
  sweepOld(row: number, before: number, limit: number): Statement {
    return {
      name: 'sweep-old-slots',
      text: `with gone as (
          delete from ${this.#slots} where execution = $1 and (nominal, cause) in (
            select nominal, cause from ${this.#slots} where execution = $1 and nominal < $2 and at < $2
            order by nominal, cause limit $3)
          returning 1
        ) select count(*) from gone`,
      values: [row, before, limit],
    };
  }

  /**
   * Removes all but the newest `keep` rows of one execution, oldest first. Examines no more than `limit` of
   * them, so rows that must stay can delay the removal of others for a while, but never block the store.
   */
  trim(row: number, keep: number, before: number, limit: number): Statement {
    return {
      name: 'trim-slots',
      text: `with edge as materialized (
          select nominal, cause from ${this.#slots} where execution = $1 order by nominal desc, cause desc
          limit 1 offset $2
        ), gone as (
          delete from ${this.#slots} where execution = $1 and (nominal, cause) in (
            select nominal, cause from (
              select s.nominal, s.cause, s.at from ${this.#slots} s, edge
              where s.execution = $1 and (s.nominal, s.cause) < (edge.nominal, edge.cause)
                and (s.until = s.nominal or s.until < edge.nominal)
              order by s.nominal, s.cause limit $4) old
            where at < $3)
          returning 1
        ) select count(*) from gone`,
      values: [row, keep - 1, before, limit],
    };
  }
}

function conditionOf(query: SlotQuery, schema: string): (readonly [term: string, ...values: unknown[]])[] {
  const terms: (readonly [string, ...unknown[]])[] = [
    [`s.execution = (select row from ${schema}.executions where incarnation = ?)`, query.incarnation],
  ];
  if (query.cause !== undefined) terms.push(['s.cause = ?', query.cause]);
  if (query.verdicts !== undefined) terms.push(['s.verdict = any(?::text[])', textArray(query.verdicts)]);
  if (query.to !== undefined) terms.push(['s.nominal <= ?', query.to]);
  if (query.after !== undefined) {
    const [nominal, cause] = decodeCursor(query.after, ['number', 'string']);
    terms.push([`(s.nominal, s.cause) ${query.order === 'descending' ? '<' : '>'} (?, ?)`, nominal, cause]);
  }
  return terms;
}
