/** What became of the due times of producers, and the ledger they are written to. */
import type { SearchDetail } from '../ledger/find-slots.ts';
import type { Judged as AnyJudged, LedgerNode } from '../ledger/ledger.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { HostNode, ProducerNode } from './host.ts';

export const hostVerdicts = [
  'started',
  'startedLate',
  /** It waits for the present run to end; the final verdict replaces this one. */
  'buffered',
  /** Another run of the workflow was under way. */
  'workflowBusy',
  /** The workflow was paused, or stopped until a person acts. */
  'paused',
  /** Another due time of the producer runs for it. */
  'coalesced',
  /** A deployment changed or removed the producer's schedule before it started. */
  'superseded',
] as const;

export type HostVerdict = (typeof hostVerdicts)[number];

export interface HostVerdictDetail extends SearchDetail {
  readonly lateByMs?: number;
  readonly handler?: string;
}

export type Judged = AnyJudged<HostVerdict, HostVerdictDetail>;

const ledger = new Ledger<HostVerdict, HostVerdictDetail>(['workflowBusy', 'paused', 'coalesced']);

/** The cause of a producer's own due times. */
export function causeOf(producer: string): string {
  return `producer/${producer}`;
}

/** The cause of a run that a person asked for. */
export function manualCause(producer: string, number: number): string {
  return `manual/${producer}/${number}`;
}

export function recordFresh(
  host: HostNode,
  name: string,
  producer: ProducerNode,
  judged: readonly Judged[],
): void {
  ledger.recordFresh(nodeOf(host, name, producer), judged);
}

/** Replaces the row of one due time. */
export function recordFinal(host: HostNode, name: string, producer: ProducerNode, judged: Judged): void {
  ledger.recordFinal(nodeOf(host, name, producer), judged);
}

function nodeOf(
  host: HostNode,
  name: string,
  producer: ProducerNode,
): LedgerNode<HostVerdict, HostVerdictDetail> {
  return {
    now: host.now,
    ownCause: causeOf(name),
    stretch: producer.state.stretch,
    setStretch: (stretch) => producer.set({ ...producer.state, stretch }),
    recordSlot: (slot) => host.recordSlot(slot),
    report: ({ verdict, nominal, count }) => {
      host.report({ type: 'producerSlot', producer: name, verdict, nominal, count });
    },
  };
}
