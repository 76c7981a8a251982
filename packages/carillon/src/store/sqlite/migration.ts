/** Brings a file up to date and writes its owner's token into it, in one transaction. */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import * as files from '../migration.ts';
import type { Connection } from './connection.ts';
import { migrationFiles } from './migration-files.ts';

export function loadMigrations(): readonly files.Migration[] {
  return files.readMigrations(migrationFiles);
}

export interface MigrateOptions {
  readonly now: Instant;
  /** The token of the process that opens the file; the fence that every batch reads. */
  readonly owner?: string;
}

export function migrate(
  connection: Connection,
  migrations: readonly files.Migration[],
  { now, owner = '' }: MigrateOptions,
): void {
  connection.exec('begin immediate');
  try {
    refuseForeignFile(connection);
    connection.exec(
      'create table if not exists migrations (version integer primary key, name text not null, checksum text not null, applied_at integer not null) strict',
    );
    const applied = connection
      .all('select version, name, checksum from migrations order by version')
      .map(([version, name, checksum]) => ({
        version: Number(version),
        name: String(name),
        checksum: String(checksum),
      }));
    for (const { version, name, sql } of files.pendingMigrations(connection.path, migrations, applied)) {
      connection.exec(sql);
      connection.run('insert into migrations values (?, ?, ?, ?)', version, name, files.checksumOf(sql), now);
    }
    connection.exec('create table if not exists meta (name text primary key, value text not null) strict');
    connection.run("insert or replace into meta values ('owner', ?)", owner);
    connection.exec('commit');
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** A file with tables of another program holds its data and is not used as a store. */
function refuseForeignFile(connection: Connection): void {
  const names = connection.all("select name from sqlite_master where type = 'table'").map(([name]) => name);
  if (names.length > 0 && !names.includes('migrations')) {
    throw new StoreError(
      'unavailable',
      `${connection.path} is a SQLite file of another program (it has a table ${JSON.stringify(names[0])}): choose another path`,
    );
  }
}
