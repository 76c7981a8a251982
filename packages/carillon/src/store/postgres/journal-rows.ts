/** Statements on the audit, a table that only grows at its end. */
import { decodeCursor } from '../cursor.ts';
import type { AuditRow } from '../records.ts';
import type { AuditQuery } from '../store.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { rowCount, Terms } from './terms.ts';

/** How many of the oldest rows are examined for their age: more than one, because clocks jump. */
const examinedAtMost = 20;

export class JournalRows {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  addAudit(rows: readonly AuditRow[]): Statement {
    const texts = (pick: (row: AuditRow) => string | null) => textArray(rows.map(pick));
    return {
      name: 'add-audit',
      text: `insert into ${this.#schema}.audit (namespace, target, at, actor, door, action, note, before, after)
        select i.namespace, i.target, i.at, i.actor, i.door, i.action, i.note, i.before, i.after
        from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
          $9::text[]) with ordinality as i(namespace, target, at, actor, door, action, note, before, after, place)
        order by i.place`,
      values: [
        texts((row) => row.namespace),
        texts((row) => row.target),
        bigArray(rows.map((row) => row.at)),
        texts((row) => row.actor),
        texts((row) => row.door),
        texts((row) => row.action),
        texts((row) => row.note),
        texts((row) => row.before),
        texts((row) => row.after),
      ],
    };
  }

  audit({ namespace, target, after, limit }: AuditQuery): Statement {
    const terms = new Terms();
    if (namespace !== undefined) terms.add('namespace = ?', namespace);
    if (target !== undefined) terms.add('target = ?', target);
    if (after !== undefined) terms.add('sequence < ?', decodeCursor(after, ['number'])[0]);
    return {
      text: `select sequence, namespace, target, at, actor, door, action, note, before, after from ${this.#schema}.audit
        ${terms.where()} order by sequence desc limit ${rowCount(limit + 1)}`,
      values: terms.values,
    };
  }

  /** Examines the oldest `limit` rows, which are in order of time except for jumps of a clock. */
  sweep(before: number, limit: number): Statement {
    const name = `${this.#schema}.audit`;
    return {
      name: 'sweep-audit',
      text: `with gone as (
          delete from ${name} where at < $1 and sequence in (select sequence from ${name} order by sequence limit $2)
            and exists (select 1 from (select at from ${name} order by sequence limit ${examinedAtMost}) o where o.at < $1)
          returning 1
        ) select count(*) from gone`,
      values: [before, limit],
    };
  }
}
