/** The preconditions that this door reads from headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { badHeader } from '../headers.ts';
import type { Operation, Precondition } from './operation.ts';

export const namespaceHeader = 'carillon-namespace';

const doorHeader = 'carillon-door';

/** Carillon's own programs that call this door and name themselves in a header. All other callers are the door `rest`. */
const doors: ReadonlySet<unknown> = new Set(['cli', 'page']);

/** The door that the audit shows for a change. The caller names it, and it is not verified. */
export function readDoor(headers: IncomingHttpHeaders): string {
  const said = headers[doorHeader];
  return doors.has(said) ? String(said) : 'rest';
}

/** The note of a change, percent-encoded, for requests whose body is the schedule itself. */
export function readNote(headers: IncomingHttpHeaders): string | undefined {
  const word = headers[noteHeader];
  if (word === undefined) return undefined;
  const note = decoded(word);
  if (note !== undefined && note.length <= longestNote) return note;
  throw badHeader(
    noteHeader,
    'BAD_HEADER',
    `must be percent-encoded text of at most ${longestNote} characters, as encodeURIComponent writes it`,
  );
}

const noteHeader = 'carillon-note';
const longestNote = 1000;

function decoded(word: string | readonly string[]): string | undefined {
  try {
    return typeof word === 'string' ? decodeURIComponent(word) : undefined;
  } catch {
    return undefined;
  }
}

export function readPrecondition(headers: IncomingHttpHeaders, operation: Operation): Precondition {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  if (operation.isConditional === undefined) {
    // An operation that ignored the condition would cause the harm that the condition should prevent.
    if (match !== undefined && operation.method !== 'GET') {
      throw badHeader('if-match', 'CONDITION_NOT_SUPPORTED', 'only changes of one schedule support it');
    }
    return {};
  }
  if (none !== undefined && operation.isConditional === 'match') {
    throw badHeader('if-none-match', 'CONDITION_NOT_SUPPORTED', 'only PUT of a schedule supports it');
  }
  if (match !== undefined && none !== undefined) {
    throw badHeader('if-match', 'BAD_HEADER', 'cannot stand together with if-none-match');
  }
  if (none !== undefined) {
    if (none.trim() === '*') return { isNew: true };
    throw badHeader('if-none-match', 'BAD_HEADER', 'only * is understood: create, do not replace');
  }
  if (match === undefined) return {};
  if (match.trim() === '*') return { match: 'any' };
  const token = /^(?:W\/)?"(\d{1,15})"$|^(\d{1,15})$/.exec(match.trim());
  if (token === null)
    throw badHeader('if-match', 'BAD_HEADER', 'write the ETag as it was received, e.g. "7"');
  return { match: Number(token[1] ?? token[2]) };
}
