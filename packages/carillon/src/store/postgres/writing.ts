/**
 * Turns the writes of a transaction into statements. Closing, removing and finishing come before inserting under the same name,
 * and executions before their rows.
 */
import type { ExecutionKey, RunRow } from '../records.ts';
import type { Writes } from '../store.ts';
import type { Session } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import type { RowLocation, RowLocations } from './row-locations.ts';
import type { Tables } from './tables.ts';

export interface SentWrites {
  readonly sent: readonly Promise<unknown>[];
  /** The keys of removed executions, by incarnation. */
  readonly removed: Promise<ReadonlyMap<string, ExecutionKey>>;
}

const none: ReadonlyMap<string, ExecutionKey> = new Map();

/** Sends everything without waiting; a statement that cannot write what was decided fails, and so does the commit. */
export function sendWrites(
  session: Session,
  tables: Tables,
  writes: Writes,
  locations: RowLocations,
): SentWrites {
  const { remove = [] } = writes;
  // A removed execution has no location any more: rows written for it must not find one.
  for (const incarnation of remove) locations.delete(incarnation);
  const removed =
    remove.length === 0
      ? Promise.resolve(none)
      : session.send(tables.executions.remove(remove)).then((rows) => new Map(rows.map(keyOf)));
  const sent = statementsOf(tables, writes, locations).map((statement) => session.send(statement));
  return { sent: [removed, ...sent], removed };
}

function statementsOf(
  { executions, parts, slots, runs, logs, events, journals }: Tables,
  writes: Writes,
  locations: ReadonlyMap<string, RowLocation>,
): readonly Statement[] {
  const statements: Statement[] = [];
  const when = <T>(rows: readonly T[] | undefined, make: (rows: readonly T[]) => Statement) => {
    if (rows !== undefined && rows.length > 0) statements.push(make(rows));
  };
  const old = writes.executions?.filter((write) => write.version !== 1);
  when(old, (rows) => executions.replace(rows, locations));
  when(
    old?.filter((write) => write.attributes !== undefined),
    (rows) => executions.describe(rows, locations),
  );
  when(
    writes.executions?.filter((write) => write.version === 1),
    (rows) => executions.insert(rows),
  );
  when(writes.dropParts, (refs) => parts.drop(refs, locations));
  when(writes.parts, (rows) => parts.add(rows, locations));
  when(writes.slots, (rows) => slots.put(rows, locations));
  when(writes.runs?.filter(isOpen), (rows) => runs.replace(rows));
  when(writes.runs?.filter(isDone), (rows) => runs.finish(rows));
  when(writes.newRuns?.filter(isOpen), (rows) => runs.insert(rows));
  when(writes.newRuns?.filter(isDone), (rows) => runs.insertFinished(rows));
  when(writes.newRuns?.filter(isOpen), (rows) => runs.refuseFinished(rows));
  when(writes.removeRuns, (ids) => runs.remove(ids));
  when(writes.dropLogs, (rows) => logs.drop(rows));
  when(writes.logs, (rows) => logs.add(rows));
  when(writes.audit, (rows) => journals.addAudit(rows));
  when(writes.newEvents, (rows) => events.add(rows, locations));
  when(writes.events, (rows) => events.replace(rows, locations));
  return statements;
}

function isOpen({ state }: RunRow): boolean {
  return state !== 'done';
}

function isDone({ state }: RunRow): boolean {
  return state === 'done';
}

/** Joins the writes of several requests. */
export function joinWrites(all: readonly Writes[]): Writes {
  const [first] = all;
  if (all.length === 1 && first !== undefined) return first;
  const joined: { [name: string]: unknown[] } = {};
  for (const writes of all) {
    for (const [name, rows] of Object.entries(writes)) {
      if (rows === undefined) continue;
      joined[name] ??= [];
      for (const row of rows as readonly unknown[]) joined[name].push(row);
    }
  }
  return joined as Writes;
}

function keyOf([incarnation, namespace, archetype, id]: SqlRow): [string, ExecutionKey] {
  return [
    incarnation as string,
    { namespace: namespace as string, archetype: archetype as string, id: id as string },
  ];
}
