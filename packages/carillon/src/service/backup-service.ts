/**
 * Backups of a store in use. A process makes one at a time. Progress is kept in memory, because a backup that its
 * process does not finish is worthless.
 */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ServiceError } from '../base/error.ts';
import type { BackupReport, Backups, Store } from '../store/store.ts';
import { storeTrouble } from './store-trouble.ts';

export interface BackupView {
  readonly id: string;
  /** The path on the machine that makes the backup. */
  readonly path: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly pagesDone: number;
  /** Pages of the whole copy; 0 while unknown. */
  readonly pagesTotal: number;
  /** The size of the copy; null until it is done. */
  readonly bytes: number | null;
  /** Why the backup failed; null when it did not. */
  readonly error: string | null;
}

export type BackupProgress = (done: number, total: number) => void;

export interface BackupServiceOptions {
  readonly store: Store;
  readonly newId: () => string;
}

export class BackupService {
  readonly #store: Store;
  readonly #newId: () => string;
  /** The newest backup; earlier ones are finished files. */
  #latest: BackupView | null = null;

  constructor({ store, newId }: BackupServiceOptions) {
    this.#store = store;
    this.#newId = newId;
  }

  /** Makes a backup at any path of this machine and waits for it; for the program that embeds the store. */
  async make(path: string, progress: BackupProgress = () => {}): Promise<BackupReport> {
    const backups = this.#backups();
    this.#refuseSecond();
    return await this.#run(backups, { id: this.#newId(), path, progress });
  }

  /** Starts a backup at a path below the folder of the store and does not wait for it; for remote callers. */
  start(name: string): BackupView {
    const backups = this.#backups();
    this.#refuseSecond();
    const path = pathBelow(backups.folder, name);
    const id = this.#newId();
    // The view holds the result; an unhandled failure must not end the process.
    this.#run(backups, { id, path, progress: () => {} }).catch(() => {});
    return this.get(id);
  }

  get(id: string): BackupView {
    if (this.#latest?.id === id) return this.#latest;
    throw new ServiceError({
      code: 'notFound',
      reason: 'NOT_FOUND',
      message: `this process has no backup '${id}'; it remembers only the latest one`,
    });
  }

  async #run(
    backups: Backups,
    { id, path, progress }: { readonly id: string; readonly path: string; readonly progress: BackupProgress },
  ): Promise<BackupReport> {
    let view: BackupView = {
      id,
      path,
      state: 'running',
      pagesDone: 0,
      pagesTotal: 0,
      bytes: null,
      error: null,
    };
    const show = (change: Partial<BackupView>) => {
      view = { ...view, ...change };
      this.#latest = view;
    };
    show({});
    try {
      const report = await backups.copyTo(path, (pagesDone, pagesTotal) => {
        show({ pagesDone, pagesTotal });
        progress(pagesDone, pagesTotal);
      });
      show({ state: 'done', path: report.path, bytes: report.bytes, pagesDone: view.pagesTotal });
      return report;
    } catch (error) {
      const failure = storeTrouble(error) ?? ServiceError.from(error);
      show({ state: 'failed', error: failure.message });
      throw failure;
    }
  }

  #backups(): Backups {
    const { backups, capabilities, name } = this.#store;
    if (backups !== undefined) return backups;
    const { backupTool } = capabilities;
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'BACKUP_BY_DATABASE',
      message:
        backupTool === undefined
          ? `a store of the kind '${name}' has nothing that could be copied`
          : `Carillon does not copy a store of the kind '${name}': use ${backupTool}`,
    });
  }

  #refuseSecond(): void {
    if (this.#latest?.state !== 'running') return;
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'BACKUP_RUNNING',
      message: `a backup to ${this.#latest.path} is being made; wait for its end`,
    });
  }
}

/** A remote caller must not choose where on the machine files appear. */
function pathBelow(folder: string | null, name: string): string {
  if (folder === null) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'BACKUP_IN_MEMORY',
      message: 'this store is in memory and has no folder for backups',
    });
  }
  const refused = () =>
    ServiceError.invalid([
      {
        path: 'path',
        reason: 'BAD_BACKUP_PATH',
        message: `${JSON.stringify(name)} is not below the folder of the store, ${folder}`,
        fix: 'give a path below it whose folder exists, for example backup-2026-11-17.db',
      },
    ]);
  if (name === '' || name.includes('\0')) throw refused();
  const path = resolve(folder, name);
  let inside: string;
  try {
    // A symbolic link inside the folder may lead out of it.
    inside = relative(realpathSync(folder), realpathSync(dirname(path)));
  } catch {
    throw refused();
  }
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw refused();
  return path;
}
