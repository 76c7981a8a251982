/** Turns errors of the driver into the store's three kinds of error. */
import { StoreError } from '../error.ts';

/** Primary result codes of SQLite that we tell apart. */
const busy = 5;
const readOnly = 8;
const inputOutput = 10;
const corrupt = 11;
const cannotOpen = 14;
const constraint = 19;
const notADatabase = 26;

/**
 * SQLite's messages for these codes (`sqlite3_errstr`). The driver for Node 20 omits the code where a statement fails while its
 * rows are being read, and has only the message.
 */
const words: ReadonlyMap<string, number> = new Map([
  ['database is locked', busy],
  ['attempt to write a readonly database', readOnly],
  ['disk I/O error', inputOutput],
  ['database disk image is malformed', corrupt],
  ['unable to open database file', cannotOpen],
  ['constraint failed', constraint],
  ['file is not a database', notADatabase],
]);

/** SQLite's primary result code, or undefined when the error is not the database's. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  if (typeof code !== 'string' || !code.includes('SQLITE')) return undefined;
  return words.get(error.message) ?? 1;
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === busy;
}

/** Whether the file is not a database, or a damaged one. */
export function isDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === corrupt || code === notADatabase;
}

/** Whether the index of the log, which connections share in memory, could not be made. */
export function isWithoutSharedMemory(error: unknown): boolean {
  const code = resultCode(error);
  return code === cannotOpen || code === inputOutput || code === readOnly;
}

/** Whether an error concerns the database as a whole, so that everything in the open transaction is in doubt. */
export function isDatabaseTrouble(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && code !== constraint;
}

/** The error for a caller. Errors that are not the database's (a decider's own) pass unchanged. */
export function troubleOf(error: unknown, path: string): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const reason = (error as Error).message;
  if (code === constraint) return new StoreError('conflict', `${path}: ${reason}`, error);
  if (isDamaged(error)) {
    return new StoreError(
      'corrupt',
      `${path} is damaged or not a SQLite file (${reason}); restore it from a backup`,
      error,
    );
  }
  return new StoreError('unavailable', `${path}: ${reason}`, error);
}
