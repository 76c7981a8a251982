/** The states of workflows on hosts, as the page shows them. Pure. */
import type { HostJson, HostSlotJson, HostSummaryJson } from 'carillon/client';
import { sentence } from '../parts/sentence.ts';
import type { StripAnswer } from '../strip/strip.ts';
import { lookOfSlot } from '../strip/strip.ts';
import { countText, lengthText, plural, sinceText } from '../time/text.ts';
import { placeOf } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { wordOf } from '../verdict/verdict.ts';

const looks: Readonly<Record<HostSummaryJson['status'], Look>> = {
  idle: 'notYet',
  running: 'running',
  retrying: 'buffered',
  reconciling: 'due',
  paused: 'paused',
  blocked: 'failed',
  quarantined: 'quarantined',
  closed: 'afterEnd',
};

type Status = Pick<HostSummaryJson, 'status' | 'waitsForNodeSince'>;

export function lookOfHost(summary: Status, now: number): Look {
  return hasUntakenRun(summary, now) ? 'untaken' : (looks[summary.status] ?? 'notInSpec');
}

/** A run that waits longer than this has no node that knows it; before that, a node may be about to take it. */
const untakenAfterMs = 5000;

export function hasUntakenRun({ status, waitsForNodeSince: since }: Status, now: number): boolean {
  return status === 'running' && since !== null && now - Date.parse(since) > untakenAfterMs;
}

const words: Readonly<Record<string, string>> = {
  idle: 'Idle',
  retrying: 'Waits for another try',
  reconciling: 'Asking whether a change happened',
  paused: 'Paused',
  blocked: 'Stopped: a person must decide',
  quarantined: 'Quarantined',
  closed: 'Closed',
};

export function headOf(
  summary: Status,
  host: Pick<HostJson, 'work' | 'block'> | undefined,
  now: number,
): string {
  const { status } = summary;
  if (hasUntakenRun(summary, now)) return 'Waits for a node that knows it';
  if (status === 'running')
    return host?.work == null
      ? 'Running'
      : `${host.work.handler} is running, ${lengthText(now - Date.parse(host.work.since))}`;
  if (status === 'blocked' && host?.block?.kind === 'failed') return 'Stopped: a run failed for good';
  if (status === 'blocked' && host?.block?.kind === 'uncertain') return 'Stopped: outcome unknown';
  return words[status] ?? status;
}

/** The order of cards: a person must decide, something waits too long, a run is under way, something waits, idle. */
function rankOf({ status, attention, stale, pending }: HostSummaryJson): number {
  if (attention !== null || status === 'blocked' || status === 'quarantined') return 0;
  if (stale) return 1;
  if (status === 'running' || status === 'reconciling' || status === 'retrying') return 2;
  if (pending > 0) return 3;
  return status === 'paused' ? 4 : 5;
}

/** Worst first; of equals, the one whose event waits longest, then by name. */
export function worstFirst(hosts: readonly HostSummaryJson[]): readonly HostSummaryJson[] {
  const oldest = ({ oldestAt }: HostSummaryJson) =>
    oldestAt === null ? Number.POSITIVE_INFINITY : Date.parse(oldestAt);
  return [...hosts].sort((a, b) => {
    const [one, other] = [oldest(a), oldest(b)];
    return rankOf(a) - rankOf(b) || (one === other ? 0 : one - other) || (a.id < b.id ? -1 : 1);
  });
}

export const hostChips: readonly {
  readonly name: string;
  readonly text: string;
  readonly look: Look;
  readonly isOf: (host: HostSummaryJson, now: number) => boolean;
}[] = [
  { name: 'decide', text: 'Needs a decision', look: 'failed', isOf: ({ attention }) => attention !== null },
  { name: 'old', text: 'Waits too long', look: 'overdue', isOf: ({ stale }) => stale },
  { name: 'node', text: 'Waits for a node', look: 'untaken', isOf: hasUntakenRun },
  {
    name: 'running',
    text: 'Running',
    look: 'running',
    isOf: (host, now) => host.status === 'running' && !hasUntakenRun(host, now),
  },
  { name: 'waiting', text: 'Work waiting', look: 'buffered', isOf: ({ pending }) => pending > 0 },
  { name: 'idle', text: 'Idle', look: 'notYet', isOf: ({ status }) => status === 'idle' },
  { name: 'paused', text: 'Paused', look: 'paused', isOf: ({ status }) => status === 'paused' },
];

/** The message of the change as a sentence, without what the line before it says already. */
export function blockText(message: string): string {
  return sentence(message.replace(/^it is not known whether the change '[^']*' happened: /, ''));
}

type Consumer = HostJson['consumers'][number];

interface ConsumerContext {
  /** Whether the outcome of its change is unknown. */
  readonly isBlocked?: boolean;
  /** Whether no node that knows the workflow has taken its run. */
  readonly isUntaken?: boolean;
  /** The consumers that would run, the next first. */
  readonly line?: readonly string[];
  /** What keeps the workflow from starting anything. */
  readonly halt?: 'paused' | 'failed' | 'uncertain' | undefined;
}

/** When a consumer whose events wait will run, and why then. */
function readyText(
  { name, pending, asked }: Consumer,
  line: readonly string[],
  halt: ConsumerContext['halt'],
) {
  const waits = pending === 0 && asked ? 'A person asked for a run' : eventsWait(pending);
  if (halt === 'paused') return `${waits}; it runs when the workflow is resumed.`;
  if (halt === 'failed') return `${waits}; it runs when the workflow is resumed.`;
  if (halt === 'uncertain') return `${waits}; it runs when the question is answered.`;
  const place = line.indexOf(name);
  if (place > 0) return `${waits}; it runs after ${line[place - 1]}, whose oldest event is older.`;
  if (line.length > 1) return `${waits}; the oldest came before any of the others’.`;
  return `${waits}; it runs as soon as the workflow may.`;
}

function eventsWait(pending: number): string {
  return pending === 1 ? '1 event waits' : `${countText(pending)} events wait`;
}

/** Why a consumer runs or not, with every condition that would wake it. */
export function consumerText(
  consumer: Consumer,
  work: HostJson['work'],
  now: number,
  { isBlocked = false, isUntaken = false, line = [], halt }: ConsumerContext = {},
): string {
  const { state, sleepingUntil, wakesOn, pending, subscribe } = consumer;
  if (isBlocked) return 'It is not repeated: say below what happened, and the workflow goes on.';
  if (isUntaken) return 'Its run waits for a node that knows this workflow.';
  if (state === 'running') return workText(work, now);
  if (state === 'ready') return readyText(consumer, line, halt);
  if (state === 'sleeping') {
    const conditions = [
      ...(wakesOn.length === 0 ? [] : [`on a new event in ${wakesOn.join(', ')}`]),
      ...(sleepingUntil === null ? [] : [sinceText(Date.parse(sleepingUntil), now)]),
      'by hand',
    ];
    const waits = pending === 0 ? '' : ` ${eventsWait(pending)}.`;
    return `Wakes ${conditions.join(', or ')}.${waits}`;
  }
  return `No event is pending in ${subscribe.join(', ')}.`;
}

const phases = {
  pending: 'Preparing',
  prepared: 'Changing',
  mutating: 'Changing',
  mutated: 'Passing on',
} as const;

/** The phase of the run under way, in one word. */
export function phaseWord(work: HostJson['work']): string {
  if (work === null) return 'Running';
  if (work.runId === null) return 'Tries again';
  return work.task === 'reconcile' ? 'Asking' : phases[work.phase];
}

/** What a run under way does, or when the next attempt comes. */
function workText(work: HostJson['work'], now: number): string {
  if (work === null) return 'Running.';
  if (work.runId === null) {
    const retry = work.retryAt === null ? now : Date.parse(work.retryAt);
    return retry <= now
      ? 'The next attempt begins at once.'
      : `The next attempt begins ${sinceText(retry, now)}.`;
  }
  const since = `for ${lengthText(now - Date.parse(work.since))}`;
  if (work.task === 'reconcile') return `Asks whether its change happened, ${since}.`;
  switch (work.phase) {
    case 'pending':
      return `Phase 1 of 3, ${since}: reads, and chooses its events.`;
    case 'prepared':
    case 'mutating':
      return `Phase 2 of 3, ${since}: changes the world. If it dies here, the outcome is asked for, not repeated.`;
    case 'mutated':
      return `Phase 3 of 3, ${since}: passes on what it did.`;
    default:
      return `Running ${since}.`;
  }
}

/** The consumers that would run, by their oldest event. */
export function lineOf({ topics, consumers }: Pick<HostJson, 'topics' | 'consumers'>): readonly string[] {
  const oldest = (subscribe: readonly string[]) =>
    Math.min(
      ...topics
        .filter(({ name, oldestAt }) => subscribe.includes(name) && oldestAt !== null)
        .map(({ oldestAt }) => Date.parse(oldestAt ?? '')),
    );
  return consumers
    .filter(({ state }) => state === 'ready')
    .map(({ name, subscribe }) => ({ name, since: oldest(subscribe) }))
    .sort((a, b) => (a.since === b.since ? 0 : a.since - b.since) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/** The next handler when the present run ends: consumers by their oldest event, then producers that wait. */
export function nextInLine(host: Pick<HostJson, 'topics' | 'consumers' | 'producers'>): string | undefined {
  const names = [
    ...lineOf(host),
    ...host.producers
      .filter(({ state }) => state === 'waiting')
      .map(
        ({ name, skippedInARow }) =>
          `producer ${name}${skippedInARow === 0 ? '' : ` (skipped ${plural(skippedInARow, 'time')} while busy)`}`,
      ),
  ];
  return names.length === 0 ? undefined : `Next in line: ${names.join(', then ')}`;
}

/** The schedule in words, such as `Every 5 min` or `0,30 * * * *, New York`. */
export function scheduleText(schedule: HostJson['producers'][number]['schedule']): string {
  if ('cron' in schedule)
    return `${schedule.cron}${schedule.timezone === undefined ? ', UTC' : `, ${placeOf(schedule.timezone)}`}`;
  return `Every ${spelled(String(schedule.interval))}`;
}

const units: Readonly<Record<string, string>> = { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'days' };

/** A duration as the page writes it: `1h30m` as `1 h 30 min`. */
function spelled(duration: string): string {
  if (/^\d+$/.test(duration)) return lengthText(Number(duration));
  return duration
    .replace(/(\d+)(ms|s|m|h|d)(?=\d|$)/g, (_, count, unit) => ` ${count} ${units[unit]}`)
    .trim();
}

/** A topic in words, such as `2 taken by this run, oldest 3 min ago` or `empty`. */
export function topicText({ pending, reserved, oldestAt, stale, orphaned }: Topic, now: number): string {
  const parts = [
    ...(reserved === 0 ? [] : [`${countText(reserved)} taken by a run`]),
    ...(oldestAt === null || pending === 0
      ? []
      : [`oldest ${sinceText(Date.parse(oldestAt), now)}${stale ? ', too long' : ''}`]),
    ...(orphaned ? ['no consumer is left, its events are kept'] : []),
  ];
  return parts.length === 0 ? 'empty' : parts.join(' · ');
}

type Topic = HostJson['topics'][number];

/** How a run ended, in words. */
export const outcomeWords = {
  committed: 'done',
  failed: 'failed',
  suspended: 'stopped without an answer',
} as const satisfies Record<NonNullable<HostSummaryJson['lastOutcome']>, string>;

/** How full a topic is, as up to twenty steps. */
export function depthOf({
  pending,
  reserved,
}: {
  readonly pending: number;
  readonly reserved: number;
}): readonly ('taken' | 'waiting' | 'free')[] {
  const taken = Math.min(20, reserved);
  const waiting = Math.min(20 - taken, pending);
  return Array.from({ length: 20 }, (_, place) =>
    place < taken ? 'taken' : place < taken + waiting ? 'waiting' : 'free',
  );
}

/** A due time as a slot of the strip. */
function placeOfDue({ nominal, verdict, count, run }: HostSlotJson): StripAnswer['slots'][number] {
  if (run === null) return { at: nominal, verdict, count };
  const { id, state, outcome, tookMs, untaken } = run;
  return {
    at: nominal,
    verdict,
    count,
    run: {
      id,
      state,
      untaken,
      ...(outcome === null ? {} : { outcome }),
      ...(tookMs === null || outcome === null ? {} : { tookMs }),
    },
  };
}

/** The last due times of a producer, which come newest first; a bar is as high as its run took against the longest. */
export function stripOfDue(slots: readonly HostSlotJson[]): StripAnswer {
  const lengths = slots.flatMap(({ run }) => (run?.tookMs == null ? [] : [run.tookMs]));
  return {
    slots: [...slots].reverse().map(placeOfDue),
    p50Ms: null,
    p95Ms: lengths.length === 0 ? null : Math.max(...lengths),
  };
}

export function lookOfDue(slot: HostSlotJson): Look {
  return lookOfSlot(placeOfDue(slot));
}

/** A due time in words, such as `Workflow was busy, 6 times`. */
export function dueText(slot: HostSlotJson): string {
  return `${wordOf(lookOfDue(slot))}${slot.count > 1 ? `, ${countText(slot.count)} times` : ''}`;
}

/** The explanation without its time, which the row shows already. */
export function withoutTime(text: string): string {
  return text.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z: /, '');
}

const longestPayload = 400;

export function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload) ?? 'nothing';
  return text.length > longestPayload ? `${text.slice(0, longestPayload)}…` : text;
}
