/** Statements on the lines of runs. They are removed with their run (`run-rows.ts`). */
import { logColumns } from '../columns.ts';
import { logPosition } from '../log-page.ts';
import type { LogRow } from '../records.ts';
import type { AttemptRef, LogQuery } from '../store.ts';
import { bigArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { rowCount, Terms } from './terms.ts';

export class LogRows {
  readonly #logs: string;

  constructor(schema: string) {
    this.#logs = `${schema}.run_logs`;
  }

  add(rows: readonly LogRow[]): Statement {
    return {
      name: 'add-logs',
      text: `insert into ${this.#logs} (${logColumns.join(', ')})
        select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) on conflict do nothing`,
      values: [
        textArray(rows.map(({ runId }) => runId)),
        bigArray(rows.map(({ attempt }) => attempt)),
        textArray(rows.map(({ lease }) => lease)),
        bigArray(rows.map(({ place }) => place)),
        bigArray(rows.map(({ at }) => at)),
        textArray(rows.map(({ text }) => text)),
      ],
    };
  }

  drop(of: readonly { readonly runId: string; readonly beforeAttempt: number }[]): Statement {
    return {
      name: 'drop-logs',
      text: `delete from ${this.#logs} l using unnest($1::text[], $2::bigint[]) as i(run_id, attempt)
        where l.run_id = i.run_id and l.attempt < i.attempt`,
      values: [
        textArray(of.map(({ runId }) => runId)),
        bigArray(of.map(({ beforeAttempt }) => beforeAttempt)),
      ],
    };
  }

  page({ runId, attempt, after, limit }: LogQuery): Statement {
    const terms = new Terms();
    terms.add('run_id = ?', runId);
    if (attempt !== undefined) terms.add('attempt = ?', attempt);
    if (after !== undefined) terms.add('(attempt, lease, place) > (?, ?, ?)', ...logPosition(after));
    return {
      text: `select ${logColumns.join(', ')} from ${this.#logs} ${terms.where()}
        order by attempt, lease, place limit ${rowCount(limit + 1)}`,
      values: terms.values,
    };
  }

  last(of: readonly AttemptRef[]): Statement {
    return {
      name: 'last-lines',
      text: `select l.* from unnest($1::text[], $2::bigint[]) as i(run_id, attempt) cross join lateral (
          select ${logColumns.join(', ')} from ${this.#logs} where run_id = i.run_id and attempt = i.attempt
          order by lease desc, place desc limit 1
        ) l`,
      values: [textArray(of.map(({ runId }) => runId)), bigArray(of.map(({ attempt }) => attempt))],
    };
  }
}
