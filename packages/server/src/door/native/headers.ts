/** What the door reads from headers, each with its limits. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';
import type { Operation, Precondition } from './operation.ts';

export const namespaceHeader = 'carillon-namespace';

/** Printable ASCII: what may stand in a header, a log line and an audit without harm. */
const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Absent when it is absent; what cannot be used is refused, never shortened. */
export function readWord(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && printable.test(value)) return value;
  throw refusal(name, 'BAD_HEADER', 'must be 1 to 255 printable characters');
}

export function readPrecondition(headers: IncomingHttpHeaders, operation: Operation): Precondition {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  if (operation.isConditional === undefined) {
    // Doing it all the same would be the harm that the condition was to prevent.
    if (match !== undefined && operation.method !== 'GET') {
      throw refusal('if-match', 'CONDITION_NOT_SUPPORTED', 'only changes of one schedule heed it');
    }
    return {};
  }
  if (none !== undefined && operation.isConditional === 'match') {
    throw refusal('if-none-match', 'CONDITION_NOT_SUPPORTED', 'only PUT of a schedule heeds it');
  }
  if (match !== undefined && none !== undefined) {
    throw refusal('if-match', 'BAD_HEADER', 'cannot stand together with if-none-match');
  }
  if (none !== undefined) {
    if (none.trim() === '*') return { isNew: true };
    throw refusal('if-none-match', 'BAD_HEADER', 'only * is understood: create, do not replace');
  }
  if (match === undefined) return {};
  if (match.trim() === '*') return { match: 'any' };
  const token = /^(?:W\/)?"(\d{1,15})"$|^(\d{1,15})$/.exec(match.trim());
  if (token === null) throw refusal('if-match', 'BAD_HEADER', 'write the ETag as it was received, e.g. "7"');
  return { match: Number(token[1] ?? token[2]) };
}

function refusal(path: string, reason: string, message: string): ServiceError {
  const problem = { path, reason, message };
  return new ServiceError({
    code: 'invalidArgument',
    reason,
    message: `${path}: ${message}`,
    problems: [problem],
  });
}
