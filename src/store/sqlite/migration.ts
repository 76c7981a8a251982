/**
 * Brings a file up to date: numbered SQL files, each applied once in one transaction, with its checksum kept.
 * A released file is never edited; what must change goes into the next number.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { Connection } from './connection.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const folder = new URL('./migrations/', import.meta.url);
const fileName = /^(\d{4})-(.+)\.sql$/;

export function loadMigrations(): readonly Migration[] {
  const migrations: Migration[] = [];
  for (const file of readdirSync(folder).sort()) {
    const [, number, name] = fileName.exec(file) ?? [];
    if (number === undefined || name === undefined) continue;
    migrations.push({ version: Number(number), name, sql: readFileSync(new URL(file, folder), 'utf8') });
  }
  return migrations;
}

export function migrate(connection: Connection, migrations: readonly Migration[], now: Instant): void {
  connection.exec('begin immediate');
  try {
    refuseForeignFile(connection);
    connection.exec(
      'create table if not exists migrations (version integer primary key, name text not null, checksum text not null, applied_at integer not null) strict',
    );
    const applied = connection.all('select version, name, checksum from migrations order by version');
    for (const [version, name, checksum] of applied) {
      checkApplied(connection.path, migrations, {
        version: Number(version),
        name: String(name),
        checksum: String(checksum),
      });
    }
    for (const { version, name, sql } of migrations) {
      if (applied.some(([done]) => done === version)) continue;
      connection.exec(sql);
      connection.run('insert into migrations values (?, ?, ?, ?)', version, name, checksumOf(sql), now);
    }
    connection.exec('commit');
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

function checkApplied(path: string, migrations: readonly Migration[], applied: Applied): void {
  const known = migrations.find(({ version }) => version === applied.version);
  if (known === undefined) {
    throw new StoreError(
      'unavailable',
      `${path} was written by a newer version of Carillon (schema ${applied.version} ${applied.name}, ` +
        `this version knows up to ${migrations.at(-1)?.version ?? 0}): upgrade Carillon, or restore a backup made before the upgrade`,
    );
  }
  if (checksumOf(known.sql) !== applied.checksum) {
    throw new StoreError(
      'corrupt',
      `${path}: migration ${applied.version} (${applied.name}) is not the one that was applied to this file: ` +
        'it was edited after its release; install an unmodified version of Carillon',
    );
  }
}

/** A file that has tables but none of ours is somebody's data, not a store to be filled. */
function refuseForeignFile(connection: Connection): void {
  const names = connection.all("select name from sqlite_master where type = 'table'").map(([name]) => name);
  if (names.length > 0 && !names.includes('migrations')) {
    throw new StoreError(
      'unavailable',
      `${connection.path} is a SQLite file of another program (it has a table ${JSON.stringify(names[0])}): choose another path`,
    );
  }
}

function checksumOf(sql: string): string {
  // Line endings may be rewritten by a checkout on Windows; the statements are the same.
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
