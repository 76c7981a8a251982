/** Reads single-word headers and enforces their limits. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';

/** Printable ASCII, which is safe in a header, a log line and the audit. */
const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Returns undefined when the header is absent. Refuses a value that cannot be used; never shortens it. */
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
