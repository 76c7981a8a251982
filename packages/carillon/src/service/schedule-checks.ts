/** Checks of requests about schedules; each problem names its field and what to write instead. */
import { ServiceError } from '../base/error.ts';
import type { BackfillRequest } from '../scheduler/changes.ts';
import { bytesOf, longestId, longestNamespace } from './limits.ts';
import type { ScheduleName } from './schedule-reads.ts';

/** A NUL or a lone surrogate: stores would cut it off or replace it, and two names would become one. */
const unstorable = /\0|\p{Surrogate}/u;

export function checkName({ namespace, id }: ScheduleName): void {
  const problems = [];
  for (const [path, name] of Object.entries({ id, namespace })) {
    if (!unstorable.test(name)) continue;
    problems.push({
      path,
      reason: path === 'id' ? 'BAD_ID' : 'BAD_NAMESPACE',
      message: `${JSON.stringify(name)} contains a NUL character or a lone surrogate`,
      fix: 'leave it out',
    });
  }
  const length = bytesOf(id);
  if (length === 0 || length > longestId) {
    problems.push({
      path: 'id',
      reason: 'BAD_ID',
      message: `an id must have 1 to ${longestId} bytes; this one has ${length}`,
      fix: 'write a short name such as nightly-report',
    });
  }
  if (namespace === '' || namespace.length > longestNamespace) {
    problems.push({
      path: 'namespace',
      reason: 'BAD_NAMESPACE',
      message: `a namespace must have 1 to ${longestNamespace} characters`,
      fix: 'write a short name such as default',
    });
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
}

export function checkRange({ from, to, ratePerMinute }: BackfillRequest): void {
  const problems = [];
  if (!(from <= to))
    problems.push({
      path: 'to',
      reason: 'BEFORE_FROM',
      message: 'the range ends before it begins',
      fix: 'write a time that is not before from',
    });
  if (ratePerMinute !== undefined && !(Number.isSafeInteger(ratePerMinute) && ratePerMinute >= 1)) {
    problems.push({
      path: 'ratePerMinute',
      reason: 'TOO_SMALL',
      message: 'the rate must be a whole number of at least 1 per minute',
      fix: 'write 1 or more, or leave it out',
    });
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
}

export function checkWord(path: string, given: string | undefined, words: readonly string[]): void {
  if (given === undefined || words.includes(given)) return;
  const fix = `write one of ${words.join(', ')}`;
  throw ServiceError.invalid([{ path, reason: 'UNKNOWN_VALUE', message: `'${given}' is not known`, fix }]);
}

/** Checks the queue, because the queue decides which workers do the work. It applies to every door. */
export function demandQueue(queue: string, { barred = [] }: { readonly barred?: readonly string[] }): void {
  if (!barred.includes(queue)) return;
  throw new ServiceError({
    code: 'permissionDenied',
    reason: 'COMMAND_TOKEN_MISSING',
    message:
      "commands need the token that 'carillon dev' printed at its start: send it as Carillon-Command-Token, or use the command line as the user who started the server",
  });
}
