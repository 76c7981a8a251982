/** Words in headers, with their limits. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';

/** Printable ASCII: what may stand in a header, a log line and an audit without harm. */
const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Absent when it is absent; what cannot be used is refused, never shortened. */
export function readWord(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && printable.test(value)) return value;
  throw badHeader(name, 'BAD_HEADER', 'must be 1 to 255 printable characters');
}

export function badHeader(name: string, reason: string, message: string): ServiceError {
  return new ServiceError({
    code: 'invalidArgument',
    reason,
    message: `${name}: ${message}`,
    problems: [{ path: name, reason, message }],
  });
}
