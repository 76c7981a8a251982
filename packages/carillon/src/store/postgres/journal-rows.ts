/** Statements on append-only tables: events and audit. */
import { decodeCursor } from '../cursor.ts';
import type { AuditRow, EventRow } from '../records.ts';
import type { AuditQuery, EventQuery } from '../store.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { rowCount, Terms } from './terms.ts';

/** How many of the oldest rows are examined for their age: more than one, because clocks jump. */
const glance = 20;

export class JournalRows {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /**
   * Readers follow a topic by its numbers, so a number must not become visible after a higher one. A transaction that appends to
   * a topic locks it until its commit; this statement comes last, so that the lock is held briefly.
   */
  holdTopics(events: readonly EventRow[]): Statement {
    const topics = [...new Set(events.map((event) => event.topic))];
    return {
      name: 'hold-topics',
      text: `select pg_advisory_xact_lock(hashtextextended('${this.#schema}.events', h.hash)) from
        (select distinct hashtextextended(t.topic, 0) as hash from unnest($1::text[]) as t(topic) order by 1) h`,
      values: [textArray(topics)],
    };
  }

  addEvents(events: readonly EventRow[]): Statement {
    return {
      name: 'add-events',
      text: `insert into ${this.#schema}.events (topic, key, at, data)
        select i.topic, i.key, i.at, i.data from unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
          with ordinality as i(topic, key, at, data, place) order by i.place`,
      values: [
        textArray(events.map((event) => event.topic)),
        textArray(events.map((event) => event.key)),
        bigArray(events.map((event) => event.at)),
        textArray(events.map((event) => event.data)),
      ],
    };
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

  events({ topic, afterSequence, limit }: EventQuery): Statement {
    return {
      name: 'events',
      text: `select sequence, key, at, data from ${this.#schema}.events where topic = $1 and sequence > $2
        order by sequence limit $3`,
      values: [topic, afterSequence, limit],
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
  sweep(table: 'events' | 'audit', before: number, limit: number): Statement {
    const name = `${this.#schema}.${table}`;
    return {
      name: `sweep-${table}`,
      text: `with gone as (
          delete from ${name} where at < $1 and sequence in (select sequence from ${name} order by sequence limit $2)
            and exists (select 1 from (select at from ${name} order by sequence limit ${glance}) o where o.at < $1)
          returning 1
        ) select count(*) from gone`,
      values: [before, limit],
    };
  }
}
