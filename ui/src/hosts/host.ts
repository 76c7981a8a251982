/** The states of workflows on hosts, as the page shows them. Pure. */
import type { HostJson, HostSummaryJson } from 'carillon/client';
import { sentence } from '../parts/sentence.ts';
import { lengthText, sinceText } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';

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

export function lookOfHost({ status }: Pick<HostSummaryJson, 'status'>): Look {
  return looks[status] ?? 'notInSpec';
}

const words: Readonly<Record<string, string>> = {
  idle: 'Idle',
  retrying: 'Tried again',
  reconciling: 'Asking whether a change happened',
  paused: 'Paused',
  blocked: 'Stopped: a person must decide',
  quarantined: 'Quarantined',
  closed: 'Closed',
};

export function headOf(
  { status }: Pick<HostSummaryJson, 'status'>,
  host: Pick<HostJson, 'work' | 'consumers'> | undefined,
): string {
  if (status === 'running') return host?.work == null ? 'Running' : `${host.work.handler} is running`;
  if (status === 'idle' && host !== undefined && host.consumers.some(({ state }) => state === 'sleeping'))
    return 'Asleep';
  return words[status] ?? status;
}

export const hostChips: readonly {
  readonly name: string;
  readonly text: string;
  readonly look: Look;
  readonly isOf: (host: HostSummaryJson) => boolean;
}[] = [
  { name: 'running', text: 'Running', look: 'running', isOf: ({ status }) => status === 'running' },
  { name: 'waiting', text: 'Work waiting', look: 'buffered', isOf: ({ pending }) => pending > 0 },
  { name: 'paused', text: 'Paused', look: 'paused', isOf: ({ status }) => status === 'paused' },
  { name: 'decide', text: 'Needs a decision', look: 'failed', isOf: ({ attention }) => attention !== null },
];

/** What the change said, without what the line before it says already; as a sentence. */
export function blockText(message: string): string {
  return sentence(message.replace(/^it is not known whether the change '[^']*' happened: /, ''));
}

type Consumer = HostJson['consumers'][number];

/** Why a consumer runs or not, with every condition that would wake it. */
export function consumerText(
  consumer: Consumer,
  work: HostJson['work'],
  now: number,
  isBlocked = false,
): string {
  const { state, sleepingUntil, wakesOn, pending, subscribe } = consumer;
  if (isBlocked) return 'It is asked for, not repeated: answer above, and the workflow goes on.';
  if (state === 'running') {
    const since = work === null ? '' : ` for ${lengthText(now - Date.parse(work.since))}`;
    return `${phaseText(work?.phase)}${since}.`;
  }
  if (state === 'ready')
    return `${pending === 1 ? '1 event waits' : `${pending} events wait`}; it runs as soon as the workflow may.`;
  if (state === 'sleeping') {
    const conditions = [
      ...(wakesOn.length === 0 ? [] : [`on a new event in ${wakesOn.join(', ')}`]),
      ...(sleepingUntil === null ? [] : [sinceText(Date.parse(sleepingUntil), now)]),
      'by hand',
    ];
    return `Wakes ${conditions.join(', or ')}.`;
  }
  return `No event is pending in ${subscribe.join(', ')}.`;
}

function phaseText(phase: string | null | undefined): string {
  switch (phase) {
    case 'prepare':
      return 'Preparing: reads, and chooses its events';
    case 'mutate':
      return 'Changing the world: if it dies here, the outcome is asked for, not repeated';
    case 'next':
      return 'Passing on what it did';
    default:
      return 'Running';
  }
}

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
