/**
 * The lines of runs: one sorted set per run, whose members sort as the lines do. A member holds the whole line, so a line that
 * is written again is the same member. Removed with the run (`forgetRun` in `shared.lua`).
 */

import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { LogPosition } from '../log-page.ts';
import { logPage, logPosition } from '../log-page.ts';
import type { LogRow } from '../records.ts';
import type { AttemptRef, LogQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import { divider, escapeText, unescapeText } from './text.ts';

/** Digits of numbers that have to sort as texts. */
const width = 10;

export function logMember({ attempt, lease, place, at, text }: LogRow): string {
  return `${positionText([attempt, lease, place])}${divider}${at}${divider}${escapeText(text)}`;
}

/** A text that sorts before every line of this attempt. */
export function attemptText(attempt: number): string {
  return String(attempt).padStart(width, '0');
}

function positionText([attempt, lease, place]: LogPosition): string {
  return [attemptText(attempt), escapeText(lease), attemptText(place)].join(divider);
}

export async function pageOfLogs(connection: Connection, query: LogQuery): Promise<Page<LogRow>> {
  const { runId, attempt, after, limit } = query;
  // A member continues with a divider after its position, so \u0001 is after all that begin with it.
  const from =
    after !== undefined
      ? `(${positionText(logPosition(after))}\u0001`
      : attempt !== undefined
        ? `[${attemptText(attempt)}`
        : '-';
  const to = attempt === undefined ? '+' : `(${attemptText(attempt + 1)}`;
  const members = await connection.call((client, key) =>
    client.zrangebylex(key(`log:${runId}`), from, to, 'LIMIT', 0, limit + 1),
  );
  return logPage(
    members.map((member) => logOf(runId, member)),
    limit,
  );
}

/** Sent together: the client writes them in one go and the answers come in one. */
export async function lastLines(
  connection: Connection,
  of: readonly AttemptRef[],
): Promise<readonly LogRow[]> {
  const found = await connection.call((client, key) =>
    Promise.all(
      of.map(async ({ runId, attempt }) => {
        const [from, to] = [`[${attemptText(attempt)}`, `(${attemptText(attempt + 1)}`];
        const [member] = await client.zrevrangebylex(key(`log:${runId}`), to, from, 'LIMIT', 0, 1);
        return member === undefined ? undefined : logOf(runId, member);
      }),
    ),
  );
  return found.filter((line) => line !== undefined);
}

function logOf(runId: string, member: string): LogRow {
  const [attempt, lease, place, at, text, ...rest] = member.split(divider);
  if (lease === undefined || text === undefined || rest.length > 0)
    throw new StoreError('corrupt', `a line of run ${runId} is not what was written`);
  return {
    runId,
    attempt: Number(attempt),
    lease: unescapeText(lease),
    place: Number(place),
    at: Number(at) as Instant,
    text: unescapeText(text),
  };
}
