/**
 * The SQLite driver: Node's own where it has one without a flag (22.13 and later), otherwise
 * `@carillon/sqlite-node20`, which brings the same API for Node 20. Both are synchronous.
 */
import { missingDriver } from '../../base/missing-driver.ts';
import { packageFile, requirePackage } from '../../base/optional-package.ts';
import { anonymous } from './parameters.ts';

export type SqlValue = string | number | null;

/** A prepared statement whose rows are arrays of columns. */
export interface Statement {
  /** Returns how many rows changed. */
  run(...values: SqlValue[]): number;
  all(...values: SqlValue[]): readonly SqlRow[];
  get(...values: SqlValue[]): SqlRow | undefined;
}

export type SqlRow = readonly SqlValue[];

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Copies the whole database to a file, off this thread; absent in Node 22.13 to 22.15. */
  readonly backup?: (path: string, options: BackupSteps) => Promise<void>;
  close(): void;
}

export interface BackupSteps {
  readonly pagesPerStep: number;
  readonly progress: (done: number, total: number) => void;
}

/** The part of `DatabaseSync` that we use; Node 20's types do not know the module. */
interface DriverStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  all(...values: SqlValue[]): readonly unknown[];
  get(...values: SqlValue[]): unknown;
  setReturnArrays?(on: boolean): void;
}

interface DriverDatabase {
  exec(sql: string): void;
  prepare(sql: string): DriverStatement;
  close(): void;
}

interface Driver {
  readonly DatabaseSync: new (path: string) => DriverDatabase;
  readonly backup?: (
    source: DriverDatabase,
    path: string,
    options: {
      readonly rate: number;
      readonly progress: (at: { readonly totalPages: number; readonly remainingPages: number }) => void;
    },
  ) => Promise<unknown>;
}

let loaded: Driver | undefined;

export function openDatabase(path: string): Database {
  loaded ??= builtinDriver() ?? packagedDriver();
  const { backup } = loaded;
  const database = new loaded.DatabaseSync(path);
  return {
    ...(backup === undefined
      ? {}
      : {
          backup: async (to: string, { pagesPerStep, progress }: BackupSteps) => {
            await backup(database, to, {
              rate: pagesPerStep,
              progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
            });
          },
        }),
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const { text, places } = anonymous(sql);
      const statement = statementOf(database.prepare(text));
      return places === undefined ? statement : ordered(statement, places);
    },
    close: () => database.close(),
  };
}

/** The statement with its values in the order in which its text names them. */
function ordered({ run, all, get }: Statement, places: readonly number[]): Statement {
  const sorted = (values: readonly SqlValue[]) => places.map((place) => values[place] as SqlValue);
  return {
    run: (...values) => run(...sorted(values)),
    all: (...values) => all(...sorted(values)),
    get: (...values) => get(...sorted(values)),
  };
}

function statementOf(statement: DriverStatement): Statement {
  const run = (...values: SqlValue[]) => Number(statement.run(...values).changes);
  if (statement.setReturnArrays !== undefined) {
    statement.setReturnArrays(true);
    return {
      run,
      all: (...values) => statement.all(...values) as readonly SqlRow[],
      get: (...values) => statement.get(...values) as SqlRow | undefined,
    };
  }
  // Node 22.13 to 22.15: rows are objects with the columns in order.
  const columns = (row: unknown): SqlRow => Object.values(row as Record<string, SqlValue>);
  return {
    run,
    all: (...values) => statement.all(...values).map(columns),
    get: (...values) => {
      const row = statement.get(...values);
      return row === undefined ? undefined : columns(row);
    },
  };
}

/**
 * Loading `node:sqlite` prints that it is experimental. Users did not choose it and can do nothing about it, so
 * that one warning is dropped; the load is synchronous, so no other warning can be printed meanwhile.
 */
function builtinDriver(): Driver | undefined {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    const load = process.getBuiltinModule as ((id: string) => unknown) | undefined;
    return load?.('node:sqlite') as Driver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The path of the packaged driver, for another thread; null where Node has its own. */
export function driverFile(): string | null {
  return builtinDriver() === undefined ? packageFile(packagedName) : null;
}

const packagedName = '@carillon/sqlite-node20';

/** `load` is a parameter for tests, which need it to simulate an absent package. */
export function packagedDriver(load: (name: string) => unknown = requirePackage): Driver {
  try {
    return load(packagedName) as Driver;
  } catch (error) {
    throw missingDriver(error, 'the SQLite store on Node older than 22.13', packagedName);
  }
}
