/** Which file is behind a path: the device and the inode, because a file that replaced another has the same name. */
import { closeSync, openSync, statSync } from 'node:fs';

export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** The identity of the file, or null when there is none. */
export function identityOf(path: string): FileIdentity | null {
  // Exact numbers: inodes of some file systems do not fit into a double.
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : { device: stat.dev, inode: stat.ino };
}

export function isSameFile(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.inode === other.inode && one.device === other.device;
}

/**
 * Makes an empty file that only its owner may read, unless there is a file already. SQLite gives the log and its index
 * the mode of the database. Never called for a file that this process has open: closing it would drop SQLite's locks.
 */
export function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}
