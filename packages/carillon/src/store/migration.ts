/**
 * Migrations of SQL stores: numbered files, each applied once, with its checksum kept. A released file is never edited;
 * what must change goes into the next number.
 */
import { createHash } from 'node:crypto';
import { StoreError } from './error.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const fileName = /^(\d{4})-(.+)\.sql$/;

/** The migrations among these files, in order. */
export function readMigrations(files: Readonly<Record<string, string>>): readonly Migration[] {
  const migrations: Migration[] = [];
  for (const file of Object.keys(files).sort()) {
    const [, number, name] = fileName.exec(file) ?? [];
    const sql = files[file];
    if (number === undefined || name === undefined || sql === undefined) continue;
    migrations.push({ version: Number(number), name, sql });
  }
  return migrations;
}

/** The migrations still to apply; throws when an applied one differs from the known one. `place` names the store in messages. */
export function pendingMigrations(
  place: string,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  for (const each of applied) checkApplied(place, migrations, each);
  return migrations.filter(({ version }) => applied.every((each) => each.version !== version));
}

function checkApplied(place: string, migrations: readonly Migration[], applied: AppliedMigration): void {
  const known = migrations.find(({ version }) => version === applied.version);
  if (known === undefined) {
    throw new StoreError(
      'unavailable',
      `${place} was written by a newer version of Carillon (schema ${applied.version} ${applied.name}, ` +
        `this version knows up to ${migrations.at(-1)?.version ?? 0}): upgrade Carillon, or restore a backup made before the upgrade`,
    );
  }
  if (checksumOf(known.sql) !== applied.checksum) {
    throw new StoreError(
      'corrupt',
      `${place}: migration ${applied.version} (${applied.name}) is not the one that was applied to this store: ` +
        'it was edited after its release; install an unmodified version of Carillon',
    );
  }
}

export function checksumOf(sql: string): string {
  // Line endings may be rewritten by a checkout on Windows; the statements are the same.
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}
