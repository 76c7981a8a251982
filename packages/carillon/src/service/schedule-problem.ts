/** What is wrong with the shape of an input, in our words: where, which rule, and what to write instead. */
import type { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { shapeWords } from '../base/shape-words.ts';
import { missedPolicies, overlapPolicies } from '../scheduler/definition.ts';

export function problemOf(issue: z.core.$ZodIssue): Problem {
  const path = issue.path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
  if (issue.code === 'unrecognized_keys') {
    return {
      path: path === '' ? (issue.keys[0] ?? '') : `${path}.${issue.keys[0]}`,
      reason: 'UNKNOWN_FIELD',
      message: `unknown field ${issue.keys.map((key) => `'${key}'`).join(', ')}`,
      fix: 'remove it, or check its spelling',
    };
  }
  const field = issue.path.filter((part) => typeof part === 'string').join('.');
  const fix = fixes[field] ?? fixes[String(issue.path[0])] ?? 'see the documentation of this field';
  // `custom` is the checker's word for a rule of ours.
  const reason = issue.code === 'custom' ? 'INVALID' : issue.code.toUpperCase();
  return { path, reason, message: shapeWords(issue), fix };
}

const durationFix = "write '90s', '15m', '1h30m', '2d' or a number of milliseconds";
const instantFix = "write RFC 3339 with an offset, e.g. '2026-03-01T09:00:00Z', or milliseconds since 1970";

/** What to write instead, by field. */
const fixes: Readonly<Record<string, string>> = {
  cron: "write a cron text, e.g. '0 9 * * 1-5', or a list of them",
  dialect: 'write unix, temporal or spring',
  every: durationFix,
  offset: durationFix,
  at: instantFix,
  rrule: "write an RFC 5545 rule, e.g. 'FREQ=DAILY;BYHOUR=9'",
  spec: 'write an object as in carillon/spec',
  zone: 'write an IANA name such as Europe/Berlin',
  dst: 'write e.g. { gap: "shift", fold: "first" }',
  'dst.gap': 'write skip, shift or gapEnd',
  'dst.fold': 'write first, last or both',
  startAt: instantFix,
  endAt: instantFix,
  jitter: durationFix,
  excludeDates: "write a list of local days, e.g. ['2026-12-25']",
  run: 'write the name of a handler, or what handle() returned',
  http: "write e.g. { url: 'https://example.com/hook' }",
  'http.method': 'write POST, PUT, PATCH, GET or DELETE',
  'http.timeout': durationFix,
  command: "write e.g. { argv: ['backup', '--all'] }",
  'command.timeout': durationFix,
  bullmq: "write e.g. { queue: 'mail', name: 'digest' }",
  'bullmq.opts.removeOnComplete': 'write e.g. { age: 86400 }: seconds for which finished jobs are kept',
  queue: "write a name of 1 to 1000 characters that does not begin with '@'",
  priority: 'write high, normal, low or a whole number',
  workflowId: 'write at most 900 characters',
  retry: "write e.g. { attempts: 3, initial: '1s', longest: '1m', coefficient: 2 }",
  'retry.attempts': 'write a whole number of at least 1',
  'retry.initial': durationFix,
  'retry.longest': durationFix,
  'retry.coefficient': 'write a number from 1 to 100',
  attemptTimeout: durationFix,
  timeout: durationFix,
  overlap: `write one of ${overlapPolicies.join(', ')}`,
  limit: 'write a whole number from 1 to 10000',
  catchup: durationFix,
  missed: `write one of ${missedPolicies.join(', ')}`,
  missedLimit: 'write a whole number from 1 to 1000',
  pauseAfterFailures: 'write a whole number; 0 means never',
  remaining: 'write a whole number of at least 0, or null for no limit',
  keepOriginalId: 'write true or false',
  idleClose: durationFix,
  paused: 'write true, false, or the reason of the pause',
  note: 'write at most 1000 characters',
  description: 'write at most 10000 characters',
  owner: 'write at most 255 characters',
  tags: 'write a list of at most 100 texts of 1 to 255 characters',
  memo: 'write an object of plain data',
  attributes: "write names that do not begin with '$', with texts, numbers, true/false or lists of texts",
};
