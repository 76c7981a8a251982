/** What is shown of a workflow on a host. Every number comes from the workflow's own row: nothing is counted. */
import type { Instant } from '../../base/time.ts';
import type { BegunChange, HostView, LastRun, Work } from '../../host/host.ts';
import { topicOf } from '../../host/host.ts';
import type { HostSettings } from '../../host/settings.ts';
import type { ProducerSchedule } from '../../host/workflow.ts';
import type { ListedExecution } from '../../store/records.ts';
import { attentionOf } from './attention.ts';

/**
 * `idle`: nothing to do. `running`: a run is under way. `retrying`: a failed run is tried again. `reconciling`: the host asks
 * whether a change happened. `paused`: by a person. `blocked`: a person must act. `quarantined`: its stored state is damaged.
 */
export type HostStatus =
  | 'idle'
  | 'running'
  | 'retrying'
  | 'reconciling'
  | 'paused'
  | 'blocked'
  | 'quarantined'
  | 'closed';

export interface LastRunView {
  readonly runId: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly outcome: 'committed' | 'failed' | 'suspended';
  readonly empty: boolean;
  readonly error: string | null;
}

export interface HostTopicView {
  readonly name: string;
  readonly pending: number;
  readonly reserved: number;
  readonly oldestAt: Instant | null;
  /** The oldest pending event is older than the host's setting. */
  readonly stale: boolean;
  readonly consumer: string | null;
  readonly publishers: readonly string[];
  /** A deployment removed the topic or its consumer; its events are kept. */
  readonly orphaned: boolean;
}

export interface HostProducerView {
  readonly name: string;
  readonly schedule: ProducerSchedule;
  readonly publishes: readonly string[];
  readonly onBusy: 'skip' | 'queueOne';
  /** `waiting`: a due time, or a person's request, waits for the present run to end. */
  readonly state: 'idle' | 'running' | 'waiting';
  /** The next due time; null while the workflow is paused or blocked. */
  readonly next: Instant | null;
  /** Due times that found the workflow busy: in all, and in a row. */
  readonly skipped: number;
  readonly skippedInARow: number;
  readonly starving: boolean;
  readonly last: LastRunView | null;
}

export interface HostConsumerView {
  readonly name: string;
  readonly subscribe: readonly string[];
  readonly publishes: readonly string[];
  readonly phases: readonly ('prepare' | 'mutate' | 'next')[];
  /** `ready`: it runs as soon as the workflow may. `running`: also between two attempts (see `work`). `idle`: no event is pending. */
  readonly state: 'idle' | 'ready' | 'running' | 'sleeping';
  /** While it sleeps: until when at the latest; an event in `wakesOn`, or a person, ends the sleep sooner. */
  readonly sleepingSince: Instant | null;
  readonly sleepingUntil: Instant | null;
  readonly wakesOn: readonly string[];
  readonly wokenBy: 'event' | 'timeout' | 'person' | null;
  /** A person asked for a run. */
  readonly asked: boolean;
  readonly pending: number;
  readonly last: LastRunView | null;
}

export interface HostWorkView {
  readonly kind: Work['kind'];
  readonly handler: string;
  /** The run under way; null between two attempts. */
  readonly runId: string | null;
  readonly previousRunId: string | null;
  /** The id of its first run. */
  readonly chain: string;
  readonly task: Work['task'];
  readonly phase: Work['phase'];
  readonly attempt: number;
  readonly since: Instant;
  readonly retryAt: Instant | null;
  readonly manual: boolean;
  readonly change: BegunChange | null;
  /** No node that knows the workflow has taken the run yet. */
  readonly waitsForNode: boolean;
}

export interface HostSummary {
  readonly namespace: string;
  readonly id: string;
  readonly status: HostStatus;
  /** What a person must do; null: nothing. */
  readonly attention: string | null;
  readonly pending: number;
  readonly reserved: number;
  readonly oldestAt: Instant | null;
  /** An event is pending for longer than the host's setting. */
  readonly stale: boolean;
  readonly next: Instant | null;
  readonly lastRunAt: Instant | null;
  readonly lastOutcome: LastRunView['outcome'] | null;
  /** Since when there is work whose run no node that knows the workflow has taken; null: no run waits for a node. */
  readonly waitsForNodeSince: Instant | null;
  /** +1 with each deployment that changed something. */
  readonly version: number;
  readonly deployedAt: Instant;
}

export interface HostDescription extends HostSummary {
  readonly topics: readonly HostTopicView[];
  readonly producers: readonly HostProducerView[];
  readonly consumers: readonly HostConsumerView[];
  readonly work: HostWorkView | null;
  readonly paused: { readonly by: string; readonly note: string; readonly at: Instant } | null;
  readonly block: {
    readonly kind: 'failed' | 'uncertain';
    readonly since: Instant;
    readonly runId: string;
    readonly message: string;
  } | null;
  readonly settings: HostSettings;
  readonly incident: string | null;
}

function viewLast(last: LastRun | null): LastRunView | null {
  if (last === null) return null;
  const { result: outcome, ...rest } = last;
  return { ...rest, outcome };
}

export function statusOf({ state }: Pick<HostView, 'state'>, incident: string | null): HostStatus {
  const { closed, work, block, paused } = state;
  if (closed !== null) return 'closed';
  if (incident !== null) return 'quarantined';
  if (block !== null) return 'blocked';
  if (work !== null && work.run !== null) return 'running';
  if (work?.task === 'reconcile') return 'reconciling';
  if (paused !== null) return 'paused';
  return work === null ? 'idle' : 'retrying';
}

export function summarizeHost(
  host: HostView,
  { incident }: ListedExecution,
  { waitsForNode }: { readonly waitsForNode: boolean },
): HostSummary {
  const { state, key } = host;
  const { version, at: deployedAt, settings } = host.child('deployment').state;
  let pending = 0;
  let reserved = 0;
  let oldestAt: Instant | null = null;
  for (const name in state.topics) {
    const topic = topicOf(state, name);
    pending += topic.pending;
    reserved += topic.reserved;
    if (topic.pending > 0 && (oldestAt === null || topic.oldestAt < oldestAt)) oldestAt = topic.oldestAt;
  }
  let next: Instant | null = null;
  let last: LastRun | null = null;
  for (const [, { state: each }] of host.children('producers')) {
    if (each.next !== null && (next === null || each.next < next)) next = each.next;
    last = later(last, each.last);
  }
  for (const [, { state: each }] of host.children('consumers')) last = later(last, each.last);
  return {
    namespace: key.namespace,
    id: key.id,
    status: statusOf(host, incident),
    attention: attentionOf(host, incident),
    pending,
    reserved,
    oldestAt,
    stale: oldestAt !== null && host.now - oldestAt > settings.staleAfterMs,
    next,
    lastRunAt: last?.endedAt ?? null,
    lastOutcome: last?.result ?? null,
    waitsForNodeSince: waitsForNode ? (state.work?.since ?? null) : null,
    version,
    deployedAt,
  };
}

function later(a: LastRun | null, b: LastRun | null): LastRun | null {
  if (a === null || b === null) return a ?? b;
  return b.endedAt > a.endedAt ? b : a;
}

export function describeHost(
  host: HostView,
  row: ListedExecution,
  surroundings: { readonly waitsForNode: boolean },
): HostDescription {
  const { paused, block } = host.state;
  return {
    ...summarizeHost(host, row, surroundings),
    topics: topicsOf(host),
    producers: producersOf(host),
    consumers: consumersOf(host),
    work: workOf(host, surroundings.waitsForNode),
    paused,
    block,
    settings: host.child('deployment').state.settings,
    incident: row.incident,
  };
}

function topicsOf(host: HostView): readonly HostTopicView[] {
  const { graph, settings } = host.child('deployment').state;
  return Object.keys(host.state.topics).map((name) => {
    const { pending, reserved, oldestAt } = topicOf(host.state, name);
    const consumer = Object.keys(graph.consumers).find((id) => graph.consumers[id]?.subscribe.includes(name));
    const publishers = [...Object.entries(graph.producers), ...Object.entries(graph.consumers)]
      .filter(([, { publishes }]) => publishes.includes(name))
      .map(([id]) => id);
    return {
      name,
      pending,
      reserved,
      oldestAt: pending === 0 ? null : oldestAt,
      stale: pending > 0 && host.now - oldestAt > settings.staleAfterMs,
      consumer: consumer ?? null,
      publishers,
      orphaned: consumer === undefined,
    };
  });
}

function producersOf(host: HostView): readonly HostProducerView[] {
  const { graph, settings } = host.child('deployment').state;
  const { work } = host.state;
  const views: HostProducerView[] = [];
  for (const [name, { state }] of host.children('producers')) {
    const declared = graph.producers[name];
    if (declared === undefined) continue;
    const isRunning = work?.kind === 'producer' && work.handler === name;
    const isWaiting = state.queued !== null || state.asked !== null;
    const { skipped, skippedInARow, next } = state;
    views.push({
      name,
      ...declared,
      state: isRunning ? 'running' : isWaiting ? 'waiting' : 'idle',
      next,
      skipped,
      skippedInARow,
      starving: skippedInARow >= settings.starvingAfter,
      last: viewLast(state.last),
    });
  }
  return views;
}

function consumersOf(host: HostView): readonly HostConsumerView[] {
  const { graph } = host.child('deployment').state;
  const { work } = host.state;
  const views: HostConsumerView[] = [];
  for (const [name, { state }] of host.children('consumers')) {
    const declared = graph.consumers[name];
    if (declared === undefined) continue;
    const { subscribe, publishes, hasMutate, hasNext } = declared;
    const pending = subscribe.reduce((sum, topic) => sum + topicOf(host.state, topic).pending, 0);
    // A sleep that is over without a pending event left nothing to wake for.
    const sleep = state.sleep !== null && state.sleep.until > host.now ? state.sleep : null;
    const isRunning = work?.kind === 'consumer' && work.handler === name;
    views.push({
      name,
      subscribe,
      publishes,
      phases: [
        'prepare',
        ...(hasMutate ? (['mutate'] as const) : []),
        ...(hasNext ? (['next'] as const) : []),
      ],
      state: isRunning
        ? 'running'
        : sleep !== null
          ? 'sleeping'
          : pending > 0 || state.asked !== null
            ? 'ready'
            : 'idle',
      sleepingSince: sleep?.since ?? null,
      sleepingUntil: sleep?.until ?? null,
      wakesOn: sleep === null ? [] : subscribe,
      wokenBy: state.wokenBy,
      asked: state.asked !== null,
      pending,
      last: viewLast(state.last),
    });
  }
  return views;
}

function workOf(host: HostView, waitsForNode: boolean): HostWorkView | null {
  const { work } = host.state;
  if (work === null) return null;
  const { kind, handler, run, previous, chain, task, phase, failures, reconciles } = work;
  const { since, retryAt, manual, change } = work;
  return {
    kind,
    handler,
    runId: run,
    previousRunId: previous,
    chain,
    task,
    phase,
    attempt: failures + reconciles + 1,
    since,
    retryAt,
    manual,
    change,
    waitsForNode,
  };
}
