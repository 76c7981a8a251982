/**
 * The database files that this process owns. The table belongs to the process, not to this module: two copies of the
 * library in one process must see each other, because opening a lock file a second time would drop the first lock.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const key = Symbol.for('carillon.sqlite.open-files');

function table(): Set<string> {
  const home = globalThis as { [key]?: Set<string> };
  home[key] ??= new Set();
  return home[key];
}

/** One name for a file, whichever path leads to it; a file that does not exist yet is named by its folder. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    try {
      return join(realpathSync(dirname(absolute)), basename(absolute));
    } catch {
      return absolute;
    }
  }
}

/** Enters a file; false when this process has it open already. */
export function enter(path: string): boolean {
  const files = table();
  if (files.has(path)) return false;
  files.add(path);
  return true;
}

export function leave(path: string): void {
  table().delete(path);
}
