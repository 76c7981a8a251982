/** Reads and writes the cold parts of executions. */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { PartRef, PartRow } from '../records.ts';
import type { Connection } from './connection.ts';
import type { Statement } from './driver.ts';
import type { ExecutionRows } from './execution-rows.ts';

export class PartRows {
  readonly #connection: Connection;
  readonly #executions: ExecutionRows;
  readonly #update: Statement;

  constructor(connection: Connection, executions: ExecutionRows) {
    this.#connection = connection;
    this.#executions = executions;
    this.#update = connection.statement(
      'update or ignore parts set stamp = ?, data = ?, at = ? where execution = ? and name = ? and stamp = ?',
    );
  }

  get(ref: PartRef): PartRow | undefined {
    const rowId = this.#executions.findRowId(ref.incarnation);
    if (rowId === undefined) return undefined;
    const row = this.#connection.get(
      'select data, at from parts where execution = ? and name = ? and stamp = ?',
      rowId,
      ref.name,
      ref.stamp,
    );
    if (row === undefined) return undefined;
    const { incarnation, name, stamp } = ref;
    return { incarnation, name, stamp, data: row[0] as string, at: row[1] as Instant };
  }

  history(incarnation: string, name: string): readonly PartRow[] {
    const rowId = this.#executions.findRowId(incarnation);
    if (rowId === undefined) return [];
    return this.#connection
      .all('select stamp, data, at from parts where execution = ? and name = ? order by stamp', rowId, name)
      .map(([stamp, data, at]) => ({
        incarnation,
        name,
        stamp: stamp as number,
        data: data as string,
        at: at as Instant,
      }));
  }

  add(part: PartRow): void {
    const added = this.#connection.run(
      'insert into parts values (?, ?, ?, ?, ?) on conflict do nothing',
      this.#executions.rowId(part.incarnation),
      part.name,
      part.stamp,
      part.data,
      part.at,
    );
    if (added === 1) return;
    throw new StoreError('conflict', `part ${part.name}@${part.stamp} of ${part.incarnation} exists already`);
  }

  /** Writes a part in the place of the one before it: one statement instead of two, and the row stays where it is. */
  replace(before: PartRef, { incarnation, name, stamp, data, at }: PartRow): void {
    const rowId = this.#executions.rowId(incarnation);
    const changed = this.#update.run(stamp, data, at, rowId, name, before.stamp);
    // The part before was removed by retention, or the execution is new.
    if (changed === 0) this.add({ incarnation, name, stamp, data, at });
  }

  drop(ref: PartRef): void {
    const rowId = this.#executions.findRowId(ref.incarnation);
    if (rowId === undefined) return;
    this.#connection.run(
      'delete from parts where execution = ? and name = ? and stamp = ?',
      rowId,
      ref.name,
      ref.stamp,
    );
  }

  /** Removes all but the newest `keep` stamps of each part of one execution, oldest first. */
  trim(rowId: number, keep: number, limit: number): number {
    const names = this.#connection.all(
      'select name from parts where execution = ? group by name having count(*) > ?',
      rowId,
      keep,
    );
    let dropped = 0;
    for (const [name] of names) {
      dropped += this.#connection.run(
        `delete from parts where rowid in
         (select rowid from parts where execution = ?1 and name = ?2 and stamp <
           (select stamp from parts where execution = ?1 and name = ?2 order by stamp desc limit 1 offset ?3)
          order by stamp limit ?4)`,
        rowId,
        name as string,
        keep - 1,
        limit - dropped,
      );
    }
    return dropped;
  }
}
