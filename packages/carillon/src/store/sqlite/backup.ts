/**
 * A copy of a database in use: the state at one moment, whole, in one file.
 *
 * The copy is read through a connection of its own that holds a read transaction, so that commits go on meanwhile and
 * neither disturb the copy nor make it start again. The driver copies a hundred pages at a time on another thread. The
 * copy is written to `<path>.part` and becomes `<path>` after a check, so that a file of that name is always a good backup.
 * The log cannot be moved into the main file before the copy is done, so it grows by the commits made meanwhile.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from '../../base/error.ts';
import { StoreError } from '../error.ts';
import type { BackupReport } from '../store.ts';
import type { Connection } from './connection.ts';
import type { BackupSteps, Database } from './driver.ts';
import { openDatabase } from './driver.ts';
import { makePrivate } from './file-identity.ts';
import { realPath } from './open-files.ts';
import { runInThread } from './thread.ts';

const pagesPerStep = 100;

/** Suffixes of files that SQLite or this store keep beside a database; a copy under such a name would be mistaken for one of them. */
const reserved = /-(wal|shm|journal|owner)$|\.part$/;

export interface BackUpOptions {
  readonly connection: Connection;
  readonly target: string;
  readonly progress: (done: number, total: number) => void;
}

export async function backUp({ connection, target, progress }: BackUpOptions): Promise<BackupReport> {
  const path = realPath(target);
  refuseBadTarget(path);
  const part = `${path}.part`;
  rmSync(part, { force: true });
  makePrivate(part);
  try {
    await copyAll(connection, part, { pagesPerStep, progress });
    await finish(part);
    renameSync(part, path);
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${part}${suffix}`, { force: true });
    throw error;
  }
  return { path, bytes: statSync(path).size };
}

function refuseBadTarget(path: string): void {
  if (reserved.test(path)) {
    throw refusal('BAD_BACKUP_NAME', `${path}: names that end so belong to SQLite; choose another`);
  }
  if (existsSync(path)) {
    throw refusal('BACKUP_EXISTS', `${path} is there already: choose another name, or remove it first`);
  }
  if (!existsSync(dirname(path))) {
    throw refusal('NO_FOLDER', `${path}: there is no folder ${dirname(path)}; make it first`);
  }
}

async function copyAll(connection: Connection, part: string, steps: BackupSteps): Promise<void> {
  if (!connection.isShareable) {
    // In memory, or in exclusive mode: no other connection can see the data, and commits wait for the copy.
    await copyPages(connection.driver, part, steps);
    return;
  }
  const source = openDatabase(connection.path);
  try {
    source.exec('begin; select count(*) from sqlite_master');
    if (source.backup === undefined) await copyInOneGo(connection.path, part, steps);
    else await copyPages(source, part, steps);
    source.exec('rollback');
  } finally {
    source.close();
  }
}

async function copyPages(source: Database, part: string, steps: BackupSteps): Promise<void> {
  if (source.backup === undefined) {
    throw new StoreError(
      'unavailable',
      'this version of Node cannot copy a database in memory: use 22.16 or later',
    );
  }
  await source.backup(part, steps);
}

/** Node 22.13 to 22.15 cannot copy in steps; another thread writes the whole file, and no progress is reported. */
export async function copyInOneGo(
  path: string,
  part: string,
  { progress }: Pick<BackupSteps, 'progress'>,
): Promise<void> {
  rmSync(part);
  await runInThread(path, `vacuum into '${part.replaceAll("'", "''")}'`);
  chmodSync(part, 0o600);
  progress(1, 1);
}

/** Finishes the copy: without an owner, one file, checked, and synced to the disk. */
async function finish(part: string): Promise<void> {
  const [row] = await runInThread(
    part,
    "update meta set value = '' where name = 'owner'",
    'pragma journal_mode = delete',
    'pragma quick_check(1)',
  );
  if (row?.[0] !== 'ok') {
    throw new StoreError(
      'corrupt',
      `the copy at ${part} is damaged (${String(row?.[0])}), and so may be the database`,
    );
  }
  const file = openSync(part, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function refusal(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'failedPrecondition', reason, message });
}
