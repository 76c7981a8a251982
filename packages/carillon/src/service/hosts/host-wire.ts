/** Views of hosts as JSON for HTTP clients: times in RFC 3339. */
import type { RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { HostEventView } from './event-view.ts';
import type { HostExplanation } from './host-explain.ts';
import { viewHostRun } from './host-run-view.ts';
import type { HostSlotView } from './host-slot-view.ts';
import type { HostDescription, HostSummary, LastRunView } from './host-view.ts';

function lastJson(last: LastRunView | null) {
  if (last === null) return null;
  return { ...last, startedAt: timeJson(last.startedAt), endedAt: timeJson(last.endedAt) };
}

export function hostSummaryJson(host: HostSummary) {
  return {
    ...host,
    oldestAt: timeJson(host.oldestAt),
    next: timeJson(host.next),
    lastRunAt: timeJson(host.lastRunAt),
    waitsForNodeSince: timeJson(host.waitsForNodeSince),
    deployedAt: timeJson(host.deployedAt),
  };
}

export function hostJson(host: HostDescription) {
  const { topics, producers, consumers, work, paused, block } = host;
  return {
    ...host,
    ...hostSummaryJson(host),
    topics: topics.map((topic) => ({ ...topic, oldestAt: timeJson(topic.oldestAt) })),
    producers: producers.map((producer) => ({
      ...producer,
      next: timeJson(producer.next),
      last: lastJson(producer.last),
    })),
    consumers: consumers.map((consumer) => ({
      ...consumer,
      sleepingSince: timeJson(consumer.sleepingSince),
      sleepingUntil: timeJson(consumer.sleepingUntil),
      last: lastJson(consumer.last),
    })),
    work: work === null ? null : { ...work, since: timeJson(work.since), retryAt: timeJson(work.retryAt) },
    paused: paused === null ? null : { ...paused, at: timeJson(paused.at) },
    block: block === null ? null : { ...block, since: timeJson(block.since) },
  };
}

export function hostEventJson(event: HostEventView) {
  return { ...event, publishedAt: timeJson(event.publishedAt), changedAt: timeJson(event.changedAt) };
}

export function hostRunJson(run: RunRow) {
  const view = viewHostRun(run);
  return {
    ...view,
    scheduledAt: timeJson(view.scheduledAt),
    createdAt: timeJson(view.createdAt),
    availableAt: timeJson(view.availableAt),
    startedAt: timeJson(view.startedAt),
    finishedAt: timeJson(view.finishedAt),
  };
}

export function hostSlotJson(slot: HostSlotView) {
  const { nominal, until, at } = slot;
  return { ...slot, nominal: timeJson(nominal), until: timeJson(until), at: timeJson(at) };
}

export function hostExplanationJson(explanation: HostExplanation) {
  return { ...explanation, at: timeJson(explanation.at) };
}

export type HostSummaryJson = ReturnType<typeof hostSummaryJson>;
export type HostJson = ReturnType<typeof hostJson>;
export type HostEventJson = ReturnType<typeof hostEventJson>;
export type HostRunJson = ReturnType<typeof hostRunJson>;
export type HostSlotJson = ReturnType<typeof hostSlotJson>;
export type HostExplanationJson = ReturnType<typeof hostExplanationJson>;
