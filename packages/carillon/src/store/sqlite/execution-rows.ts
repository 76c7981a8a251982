/** Reads and writes executions and their attributes. Every method runs inside the caller's transaction. */
import type { Instant } from '../../base/time.ts';
import { executionColumns, executionOf, listedOf } from '../columns.ts';
import { StoreError } from '../error.ts';
import type { Attributes, ExecutionKey, ExecutionRow, ExecutionWrite, ListedExecution } from '../records.ts';
import type { Selection } from '../store.ts';
import type { Connection } from './connection.ts';
import { boundLimit } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';

const columns = executionColumns.map((column) => `e.${column}`).join(', ');

/** Reads executions with their attributes; a listing adds its conditions. */
export const listedFrom = `select ${columns}, a.data from executions e left join attributes a on a.execution = e.row`;

const isKey = 'e.namespace = ? and e.archetype = ? and e.id = ?';

type DueSelection = Extract<Selection, { readonly kind: 'due' }>;

/** Walks the index of wake times and skips the other archetypes, which are few: nodes mostly know every archetype. */
const isOfArchetypes = 'and e.archetype in (select value from json_each(?))';

function dueQuery(among: string): string {
  return `select ${columns} from executions e where e.status = 0 and e.incident is null and e.wake_at <= ? ${among}
    order by e.wake_at, e.row ${boundLimit}`;
}

export class ExecutionRows {
  readonly #connection: Connection;
  readonly #due: Statement;
  readonly #dueOf: Statement;
  readonly #update: Statement;
  readonly #updateInPlace: Statement;
  /** Row ids seen in this transaction, so that writing back needs no second search. */
  readonly #rowIds = new Map<string, number>();
  /** The wake times of open rows that were read in this transaction and are not quarantined. */
  readonly #wakeTimes = new Map<number, Instant | null>();

  constructor(connection: Connection) {
    this.#connection = connection;
    // Rows due at one moment come in row order, so that rows close on the disk are written together.
    this.#due = connection.statement(dueQuery(''));
    this.#dueOf = connection.statement(dueQuery(isOfArchetypes));
    // `status <= ?`: closed (1) never becomes open (0) again.
    this.#update = connection.statement(
      `update executions set version = ?, status = ?, wake_at = ?, state = ?, signals = ?, incident = ?, closed_at = ?
       where row = ? and version = ? and status <= ?`,
    );
    // SQLite writes every index of a column that is named here, also when its value stays: the end of a run changes none of them.
    this.#updateInPlace = connection.statement(
      'update executions set version = ?, state = ?, signals = ? where row = ? and version = ?',
    );
  }

  /** Forgets row ids of an earlier transaction, which may have been rolled back. */
  begin(): void {
    this.#rowIds.clear();
    this.#wakeTimes.clear();
  }

  due(now: Instant, { limit, archetypes }: DueSelection): readonly ExecutionRow[] {
    const found =
      archetypes === undefined
        ? this.#due.all(now, limit)
        : this.#dueOf.all(now, JSON.stringify(archetypes), limit);
    return found.map((row) => this.#seen(row));
  }

  nextDue(archetypes: readonly string[] | undefined): Instant | null {
    // Without archetypes there is no row, and the statement would find that only after a walk over all rows.
    if (archetypes?.length === 0) return null;
    const among = archetypes === undefined ? '' : isOfArchetypes;
    const values = archetypes === undefined ? [] : [JSON.stringify(archetypes)];
    const row = this.#connection.get(
      `select e.wake_at from executions e where e.status = 0 and e.incident is null and e.wake_at is not null ${among}
       order by e.wake_at limit 1`,
      ...values,
    );
    return (row?.[0] ?? null) as Instant | null;
  }

  newest(key: ExecutionKey): ExecutionRow | undefined {
    const row = this.#connection.get(
      `select ${columns} from executions e where ${isKey} order by e.row desc limit 1`,
      key.namespace,
      key.archetype,
      key.id,
    );
    return row === undefined ? undefined : this.#seen(row);
  }

  get(incarnation: string): ExecutionRow | undefined {
    const row = this.#connection.get(
      `select ${columns} from executions e where e.incarnation = ?`,
      incarnation,
    );
    return row === undefined ? undefined : this.#seen(row);
  }

  /** Reads the existing ones, in the order asked for. */
  getAll(incarnations: readonly string[]): readonly ExecutionRow[] {
    const [only] = incarnations;
    if (incarnations.length === 1 && only !== undefined) {
      const row = this.get(only);
      return row === undefined ? [] : [row];
    }
    const found = new Map<string, ExecutionRow>();
    const rows = this.#connection.all(
      `select ${columns} from executions e where e.incarnation in (select value from json_each(?))`,
      JSON.stringify(incarnations),
    );
    for (const row of rows) found.set(row[4] as string, this.#seen(row));
    return incarnations.map((incarnation) => found.get(incarnation)).filter((row) => row !== undefined);
  }

  listedNewest(key: ExecutionKey): ListedExecution | undefined {
    const row = this.#connection.get(
      `${listedFrom} where ${isKey} order by e.row desc limit 1`,
      key.namespace,
      key.archetype,
      key.id,
    );
    return row === undefined ? undefined : listedOf(row);
  }

  listed(incarnation: string): ListedExecution | undefined {
    const row = this.#connection.get(`${listedFrom} where e.incarnation = ?`, incarnation);
    return row === undefined ? undefined : listedOf(row);
  }

  /** The row id of an execution that must exist. */
  rowId(incarnation: string): number {
    const known = this.findRowId(incarnation);
    if (known === undefined) throw new StoreError('conflict', `execution ${incarnation} is not stored`);
    return known;
  }

  findRowId(incarnation: string): number | undefined {
    const known = this.#rowIds.get(incarnation);
    if (known !== undefined) return known;
    const row = this.#connection.get('select row from executions where incarnation = ?', incarnation);
    if (row === undefined) return undefined;
    this.#rowIds.set(incarnation, row[0] as number);
    return row[0] as number;
  }

  insert(write: ExecutionWrite): void {
    const { key, incarnation } = write;
    if (this.findRowId(incarnation) !== undefined) {
      throw new StoreError('conflict', `incarnation ${incarnation} exists already`);
    }
    if (this.newest(key)?.status === 'open') {
      throw new StoreError(
        'conflict',
        `${key.archetype} ${JSON.stringify(key.id)} in namespace ${JSON.stringify(key.namespace)} is open already`,
      );
    }
    const inserted = this.#connection.get(
      `insert into executions (namespace, archetype, id, incarnation, version, status, wake_at, state, signals, incident, created_at, closed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning row`,
      key.namespace,
      key.archetype,
      key.id,
      incarnation,
      write.version,
      write.status === 'open' ? 0 : 1,
      write.wakeAt,
      write.state,
      JSON.stringify(write.signals),
      write.incident,
      write.createdAt,
      write.closedAt,
    );
    const rowId = inserted?.[0] as number;
    this.#rowIds.set(incarnation, rowId);
    this.#writeAttributes(rowId, write.attributes ?? {});
  }

  replace(write: ExecutionWrite): void {
    const rowId = this.rowId(write.incarnation);
    const changed = this.#isInPlace(rowId, write)
      ? this.#updateInPlace.run(
          write.version,
          write.state,
          JSON.stringify(write.signals),
          rowId,
          write.version - 1,
        )
      : this.#replaceWhole(rowId, write);
    if (changed !== 1) {
      throw new StoreError(
        'conflict',
        `execution ${write.incarnation} is no longer at version ${write.version - 1}, or was closed meanwhile`,
      );
    }
    if (write.attributes !== undefined) this.#writeAttributes(rowId, write.attributes);
  }

  /** Whether the row, as this transaction read it, stays in every index at its place. */
  #isInPlace(rowId: number, { status, wakeAt, incident, closedAt }: ExecutionWrite): boolean {
    if (status === 'closed' || incident !== null || closedAt !== null) return false;
    return this.#wakeTimes.get(rowId) === wakeAt;
  }

  #replaceWhole(rowId: number, write: ExecutionWrite): number {
    this.#wakeTimes.delete(rowId);
    const status = write.status === 'open' ? 0 : 1;
    return this.#update.run(
      write.version,
      status,
      write.wakeAt,
      write.state,
      JSON.stringify(write.signals),
      write.incident,
      write.closedAt,
      rowId,
      write.version - 1,
      status,
    );
  }

  /** Removes the execution with its attributes and parts; returns its key. Slots are removed separately. */
  remove(incarnation: string): ExecutionKey | undefined {
    const row = this.get(incarnation);
    if (row === undefined) return undefined;
    const rowId = this.rowId(incarnation);
    this.#connection.run('delete from executions where row = ?', rowId);
    this.#connection.run('delete from attributes where execution = ?', rowId);
    this.#connection.run('delete from parts where execution = ?', rowId);
    this.#rowIds.delete(incarnation);
    return row.key;
  }

  /** Row ids and incarnations of executions that were closed before a time, oldest first. */
  closedBefore(
    before: Instant,
    limit: number,
  ): readonly { readonly rowId: number; readonly incarnation: string }[] {
    return this.#connection
      .all(
        'select row, incarnation from executions where status = 1 and closed_at < ? order by closed_at limit ?',
        before,
        limit,
      )
      .map(([rowId, incarnation]) => ({ rowId: rowId as number, incarnation: incarnation as string }));
  }

  #writeAttributes(rowId: number, attributes: Attributes): void {
    this.#connection.run(
      'insert or replace into attributes values (?, ?)',
      rowId,
      JSON.stringify(attributes),
    );
  }

  #seen(row: SqlRow): ExecutionRow {
    const rowId = row[0] as number;
    this.#rowIds.set(row[4] as string, rowId);
    const execution = executionOf(row);
    if (execution.status === 'open' && execution.incident === null)
      this.#wakeTimes.set(rowId, execution.wakeAt);
    return execution;
  }
}
