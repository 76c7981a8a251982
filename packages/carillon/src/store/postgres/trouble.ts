/** Turns errors of the driver and the server into the store's three kinds of error. */
import { isServiceError, ServiceError } from '../../base/error.ts';
import { isConflict, isStoreError, namesTaken, StoreError, type TakenName } from '../error.ts';

/** Raised by our own `expect`: a row was not written as the commit assumed. */
const refused = 'CR001';
/** Raised by `refuse_taken`, with the names as JSON. */
const namesInUse = 'CR002';
const uniqueViolation = '23505';
/** One statement wrote one row twice: two requests of a batch wanted the same row. */
const cardinalityViolation = '21000';
const undefinedTable = '42P01';
const undefinedSchema = '3F000';
const permissionDenied = '42501';
const statementCancelled = '57014';
const notYetAccepting = '57P03';
const tooManyConnections = '53300';
const transactionAborted = '25P02';
const readOnly = '25006';
/** Errors of prepared statements behind a pooler that hands out connections per transaction. */
const unknownStatement = '26000';
const knownStatement = '42P05';

interface ServerError extends Error {
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly detail?: string;
}

/** Whether the server reported the error, as opposed to the network or our own code. */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && typeof (error as Partial<ServerError>).severity === 'string';
}

function codeOf(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined;
}

/** Codes with which the server ends a connection. Its severity text cannot be used, because it is in the server's language. */
const endsConnection = /^(08|28|3D|53|57P|58|XX|25P03|25P04)/;

/** Whether the connection can still be used: the server refused only a statement. */
export function isConnectionAlive(error: unknown): boolean {
  return isServerError(error) && !endsConnection.test(error.code);
}

/** Whether another transaction was in the way; the same work may succeed when it is repeated. */
export function isWorthRepeating(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** Whether nothing was committed and a single request may be the cause: a value that cannot be written, a row that is held. */
export function isOfOne(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError || isConflict(error)) return true;
  return isConnectionAlive(error);
}

/** Whether a statement was refused only because an earlier one had been. */
export function isConsequence(error: unknown): boolean {
  return codeOf(error) === transactionAborted;
}

/** Whether a failure to connect will pass: no server listens yet, or the server starts, stops or is full. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined)
    return code === notYetAccepting || code === tooManyConnections || code.startsWith('57P');
  const network = (error as { readonly code?: unknown })?.code;
  return network !== 'ENOTFOUND' && network !== 'ERR_MODULE_NOT_FOUND' && !isStoreError(error);
}

/** Whether an attempt to connect got no answer at all. The driver reports it only by its message. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /due to connection timeout|timeout expired|ETIMEDOUT/.test(error.message);
}

/** Whether text contains a NUL, half a surrogate pair, or another sequence that PostgreSQL refuses. */
function isUnstorable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '22021' || code === '22P05' || code === '22P02';
}

/** The error for a caller. `place` names the store. */
export function troubleOf(error: unknown, place: string): unknown {
  if (isStoreError(error) || isServiceError(error)) return error;
  if (error instanceof RangeError) return new StoreError('conflict', error.message, error);
  if (isUnstorable(error)) return unstorable(error as ServerError);
  const code = codeOf(error);
  if (code === namesInUse)
    return namesTaken(JSON.parse((error as ServerError).detail ?? '[]') as readonly TakenName[], error);
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
    message: `a text contains characters that PostgreSQL cannot store (${error.message}): leave out NUL characters and lone surrogates`,
    cause: error,
  });
}

export const readOnlyAdvice =
  'this server is a standby, or default_transaction_read_only is on, and a node must write: connect to the primary';

const poolerAdvice =
  'there is a pooler between that hands out connections per transaction: add prepare=false and listen=false to the URL of the store, or use PgBouncer 1.21 or later with max_prepared_statements, and listen=false';

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
