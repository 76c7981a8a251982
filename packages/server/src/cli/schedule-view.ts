/** The output of the `schedule` commands. */

import type { OccurrenceJson, ScheduleJson, SummaryJson } from 'carillon/client';
import type { Instant } from 'carillon/internal/base';
import { formatDuration } from 'carillon/internal/base';
import { clean, factsText, paintWith, sinceText, tableText, whenText } from 'carillon/internal/cli';

export interface ListView {
  readonly now: Instant;
  readonly hasMore: boolean;
  readonly colored: boolean;
  /** Whether only some of the schedules were asked for. */
  readonly isNarrowed: boolean;
  /** The server, when the command line named one: the suggested command names it too. */
  readonly server: string | undefined;
}

export function listText(items: readonly SummaryJson[], view: ListView): string {
  const { now, hasMore, colored, isNarrowed, server } = view;
  if (items.length === 0) {
    if (isNarrowed) return 'No schedule matches.\n';
    const there = server === undefined ? '' : ` --server ${server}`;
    return `No schedules. Make one: carillon schedule create hello --every 1m${there} --command -- date\n`;
  }
  const rows = items.map((each) => [
    each.id,
    each.failures > 0 && each.status === 'running' ? `failing (${each.failures})` : each.status,
    each.next === null ? '-' : sinceText(each.next, now),
    String(each.counters.actions),
    String(each.runningCount),
    short(each.words),
  ]);
  const table = tableText(['ID', 'STATUS', 'NEXT', 'STARTED', 'RUNNING', 'WHEN'], rows, colored);
  return hasMore ? `${table}There are more; see them with -n or a filter.\n` : table;
}

/** Longest text in a table cell, so that a row stays on one line. */
const longest = 60;

function short(words: string): string {
  return words.length <= longest ? words : `${words.slice(0, longest - 1)}…`;
}

export interface DescribeView {
  readonly now: Instant;
  /** The action in one line. */
  readonly what: string;
  readonly colored: boolean;
}

export function describeText(schedule: ScheduleJson, { now, what, colored }: DescribeView): string {
  const color = paintWith(colored);
  const { paused, policy, counters, remaining } = schedule;
  const skipped = counters.overlapSkipped + counters.missedCatchupWindow + counters.bufferDropped;
  const facts = factsText(
    [
      ['when', schedule.words],
      ['status', paused === null ? schedule.status : pausedText(paused, now)],
      ['incident', schedule.incident ?? ''],
      ['shown in part', schedule.unreadable ?? ''],
      ['next', whenText(schedule.next, now)],
      [
        'closes',
        schedule.closesAt === null
          ? ''
          : `${whenText(schedule.closesAt, now)}, because it has no work left (idleClose)`,
      ],
      ['what', what],
      ['overlap', `${policy.overlap}${policy.limit === 1 ? '' : `, up to ${policy.limit} at once`}`],
      ['catch-up', `${formatDuration(policy.catchupWindowMs)}, missed: ${policy.missed}`],
      [
        'started',
        `${counters.actions}${skipped === 0 ? '' : ` (and ${skipped} that were not: ${lossText(counters)})`}`,
      ],
      ['failures', schedule.failures === 0 ? '' : `${schedule.failures} in a row`],
      ['remaining', remaining === null ? '' : String(remaining)],
      ['owner', schedule.owner],
      ['tags', schedule.tags.join(', ')],
      ['description', schedule.description],
      ['created', whenText(schedule.createdAt, now)],
      ['changed', whenText(schedule.updatedAt, now)],
      ['token', String(schedule.token)],
    ],
    colored,
  );
  const starts = [...schedule.waiting, ...schedule.running, ...schedule.recent].map((start) => [
    start.nominal,
    start.outcome ?? start.state,
    start.cause,
    tookText(start.startedAt, start.finishedAt, now),
    start.runId ?? '',
  ]);
  const recent =
    starts.length === 0 ? '' : `\n${tableText(['SLOT', 'STATE', 'CAUSE', 'AGE', 'RUN'], starts, colored)}`;
  const filling = schedule.backfills.map((each) => [
    each.id,
    each.from,
    each.to,
    `${each.handed} of ${each.total ?? 'many'}`,
  ]);
  const backfills =
    filling.length === 0 ? '' : `\n${tableText(['BACKFILL', 'FROM', 'TO', 'HANDED OUT'], filling, colored)}`;
  const coming = schedule.future.slice(0, 5).map((each) => each.actual);
  const future =
    coming.length === 0
      ? ''
      : `\n${color.dim(paused === null ? 'coming' : 'would come')}  ${coming.join('  ')}\n`;
  return `${color.bold(clean(schedule.id))}\n${facts}${recent}${backfills}${future}`;
}

function pausedText(paused: NonNullable<ScheduleJson['paused']>, now: Instant): string {
  const until = paused.until === null ? '' : ` until ${paused.until}`;
  const note = paused.note === '' ? '' : `: "${paused.note}"`;
  return `paused by ${paused.by === '' ? 'an unnamed caller' : paused.by} ${sinceText(paused.at, now)}${until}${note}`;
}

function lossText(counters: ScheduleJson['counters']): string {
  const parts = [
    [counters.overlapSkipped, 'overlapped'],
    [counters.missedCatchupWindow, 'missed'],
    [counters.bufferDropped, 'crowded out'],
  ] as const;
  return parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
}

function tookText(startedAt: string | null, finishedAt: string | null, now: Instant): string {
  return sinceText(finishedAt ?? startedAt, now);
}

function endText(truncated: boolean, gaveUpAt: string | undefined): string {
  if (gaveUpAt !== undefined) {
    return `The search cost too much and ended at ${gaveUpAt}; later slots are not shown.\n`;
  }
  return truncated ? 'There are more than these.\n' : '';
}

export function previewText(
  {
    items,
    truncated,
    gaveUpAt,
  }: { readonly items: readonly OccurrenceJson[]; readonly truncated: boolean; readonly gaveUpAt?: string },
  colored: boolean,
): string {
  if (items.length === 0) {
    return gaveUpAt === undefined ? 'No slot lies in that range.\n' : endText(truncated, gaveUpAt);
  }
  const jittered = items.some(({ nominal, actual }) => nominal !== actual);
  const titles = jittered ? ['SLOT', 'WITH JITTER'] : ['SLOT'];
  const rows = items.map(({ nominal, actual }) => (jittered ? [nominal, actual] : [nominal]));
  const more = endText(truncated, gaveUpAt);
  return `${tableText(titles, rows, colored)}${items.length} slots would run.\n${more}`;
}
