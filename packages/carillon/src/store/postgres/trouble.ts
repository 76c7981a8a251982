/** Turns what the driver and the server say into the store's three kinds of trouble. */
import { isServiceError, ServiceError } from '../../base/error.ts';
import { isStoreError, StoreError } from '../error.ts';

/** Raised by our own `expect`: something was not written as the commit assumed. */
const refused = 'CR001';
const uniqueViolation = '23505';
/** One statement wrote one row twice: two requests of a batch wanted the same one. */
const cardinalityViolation = '21000';
const undefinedTable = '42P01';
const undefinedSchema = '3F000';
const permissionDenied = '42501';
const statementCancelled = '57014';
const notYetAccepting = '57P03';
const tooManyConnections = '53300';
const transactionAborted = '25P02';
const readOnly = '25006';
/** What a pooler that hands out connections per transaction makes of prepared statements. */
const unknownStatement = '26000';
const knownStatement = '42P05';

interface ServerError extends Error {
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly detail?: string;
}

/** An error the server reported, as opposed to one of the network or of ours. */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && typeof (error as Partial<ServerError>).severity === 'string';
}

function codeOf(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined;
}

/** Codes with which the server ends a connection. Its word for how bad it is comes in the server's language. */
const endsConnection = /^(08|28|3D|53|57P|58|XX|25P03|25P04)/;

/** The connection is still good: the server refused a statement, and only that. */
export function isConnectionAlive(error: unknown): boolean {
  return isServerError(error) && !endsConnection.test(error.code);
}

/** Somebody else's transaction stood in the way; the same work may well succeed when done again. */
export function isWorthRepeating(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** Nothing was committed, and only one of several requests may be to blame: a value that cannot be written, a row that is held. */
export function isOfOne(error: unknown): boolean {
  return isConnectionAlive(error) || error instanceof RangeError || error instanceof TypeError;
}

/** A statement was only refused because one before it had been. */
export function isAftermath(error: unknown): boolean {
  return codeOf(error) === transactionAborted;
}

/** A failure to connect that will pass: nobody listens yet, or the server starts, stops or is full. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined)
    return code === notYetAccepting || code === tooManyConnections || code.startsWith('57P');
  const network = (error as { readonly code?: unknown })?.code;
  return network !== 'ENOTFOUND' && network !== 'ERR_MODULE_NOT_FOUND' && !isStoreError(error);
}

/** An attempt to connect that got neither a yes nor a no. The driver tells it by its message only. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /due to connection timeout|timeout expired|ETIMEDOUT/.test(error.message);
}

/** A NUL, half a surrogate pair, or what else is no text to PostgreSQL. */
function isUnstorable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '22021' || code === '22P05' || code === '22P02';
}

/** The error to hand to a caller. `place` names the store. */
export function troubleOf(error: unknown, place: string): unknown {
  if (isStoreError(error) || isServiceError(error)) return error;
  if (error instanceof RangeError) return new StoreError('conflict', error.message, error);
  if (isUnstorable(error)) return unstorable(error as ServerError);
  const code = codeOf(error);
  if (code === refused || code === uniqueViolation || code === cardinalityViolation) {
    const { message, detail } = error as ServerError;
    return new StoreError(
      'conflict',
      code === refused ? message : `exists already: ${detail ?? message}`,
      error,
    );
  }
  if (code === 'XX001' || code === 'XX002') {
    return new StoreError('corrupt', `${place}: ${reasonOf(error)}; restore it from a backup`, error);
  }
  return new StoreError('unavailable', `${place}: ${reasonOf(error)}${adviceFor(code)}`, error);
}

function unstorable(error: ServerError): ServiceError {
  return new ServiceError({
    code: 'invalidArgument',
    reason: 'TEXT_NOT_STORABLE',
    message: `a text holds what PostgreSQL cannot store (${error.message}): leave out NUL characters and lone surrogates`,
    cause: error,
  });
}

export const readOnlyAdvice =
  'this server is a standby, or default_transaction_read_only is on, and a node must write: connect to the primary';

const poolerAdvice =
  'a pooler that hands out connections per transaction lies in between: add prepare=false and listen=false to the URL of the store, or use PgBouncer 1.21 or later with max_prepared_statements, and listen=false';

function adviceFor(code: string | undefined): string {
  if (code === undefinedTable || code === undefinedSchema) return ' (call migrate() before anything else)';
  if (code === permissionDenied) return ' (docs/postgresql.md lists the privileges a node needs)';
  if (code === statementCancelled) return ' (see statementTimeoutMs)';
  if (code === readOnly) return ` (${readOnlyAdvice})`;
  if (code === unknownStatement || code === knownStatement) return ` (${poolerAdvice})`;
  if (code === tooManyConnections) return ' (lower poolSize, or raise max_connections)';
  return '';
}

/** Node reports several addresses that all refused as one error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
