/**
 * The checkpoints of a run: each is one commit under the run's lease. A checkpoint whose acknowledgement was lost is made
 * again: it finds itself done and changes nothing.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { EventRow } from '../store/records.ts';
import type { NewMessage } from './event-lines.ts';
import { finish, heldBy, publish, reserve } from './event-lines.ts';
import type { HostNode, LastRun, Phase, Work } from './host.ts';
import { change, topicOf, wakeUp } from './host.ts';
import { proceed } from './proceed.ts';
import type { RunSummary } from './run-input.ts';
import { logicFailure, RunFailure, staleRun } from './run-input.ts';
import { wakeFor } from './waking.ts';

export interface PreparedWork {
  /** Topics with at least one id; no id twice. */
  readonly reservations: readonly { readonly topic: string; readonly ids: readonly string[] }[];
  /** JSON. */
  readonly data: string | null;
  readonly wakeAt: Instant | null;
}

/** The work of a run that still holds its lease. */
export function workOf(host: HostNode, runId: string): Work {
  const { work } = host.state;
  if (work === null || work.run !== runId) throw staleRun(runId);
  return work;
}

const order: readonly Phase[] = ['pending', 'prepared', 'mutating', 'mutated'];

function isPast(work: Work, phase: Phase): boolean {
  return order.indexOf(work.phase) >= order.indexOf(phase);
}

/**
 * Stores what `prepare` chose. Every id must be pending in a topic of this workflow that the consumer subscribes to.
 */
export function prepared(host: HostNode, runId: string, { reservations, data, wakeAt }: PreparedWork): void {
  const work = workOf(host, runId);
  if (isPast(work, 'prepared')) return;
  const { graph } = host.child('deployment').state;
  const subscribed = graph.consumers[work.handler]?.subscribe ?? [];
  const events: EventRow[] = [];
  for (const { topic, ids } of reservations) {
    if (!subscribed.includes(topic))
      throw logicFailure(
        `'${work.handler}' reserved events of the topic '${topic}', which it does not subscribe to`,
      );
    for (const id of ids) events.push(pendingEvent(host, work, topic, id));
  }
  if (events.length > 0) reserve(host, events, runId);
  change(host, {
    work: {
      ...work,
      phase: 'prepared',
      holder: events.length > 0 ? runId : null,
      empty: events.length === 0,
      wakeAt,
    },
  });
  const { hasMutate = false, hasNext = false } = graph.consumers[work.handler] ?? {};
  if (hasMutate || hasNext) host.child('data').set({ data, result: null });
}

function pendingEvent(host: HostNode, { since }: Work, topic: string, id: string): EventRow {
  const event = host.events.get(topic, id);
  if (event === undefined)
    throw logicFailure(`there is no event '${id}' in the topic '${topic}' of this workflow`);
  if (event.state === 'pending') return event;
  const message = `the event '${id}' of the topic '${topic}' is ${event.state}, not pending`;
  // A person skipped it while `prepare` ran. The handler made no mistake: a fresh run chooses again.
  if (event.state === 'skipped' && event.changedAt > since)
    throw new RunFailure(message, { class: 'interrupted' });
  throw logicFailure(message);
}

/** Records a change before it is made: from here on, a crash leaves it uncertain. */
export function changeBegun(
  host: HostNode,
  runId: string,
  {
    name,
    key,
    canReconcile,
  }: { readonly name: string; readonly key: string; readonly canReconcile: boolean },
): void {
  const work = workOf(host, runId);
  if (isPast(work, 'mutating')) return;
  change(host, {
    work: { ...work, phase: 'mutating', change: { name, key, outcome: 'uncertain', canReconcile } },
  });
}

/** Records that the change happened, with its result as JSON. */
export function changeApplied(host: HostNode, runId: string, result: string): void {
  const work = workOf(host, runId);
  if (isPast(work, 'mutated') || work.change === null) return;
  change(host, { work: { ...work, phase: 'mutated', change: { ...work.change, outcome: 'applied' } } });
  host.child('data').set({ ...host.child('data').state, result });
}

export interface CommittedWork {
  readonly messages: readonly NewMessage[];
  /** The handler's next state as JSON; undefined: unchanged. */
  readonly memory: string | undefined;
}

/** The end of a run: events, publications, state, and what the workflow does next, in one commit. */
export function committed(host: HostNode, runId: string, { messages, memory }: CommittedWork): RunSummary {
  const work = workOf(host, runId);
  const held = heldBy(host, work.holder);
  const outcome = work.change?.outcome;
  if (held.length > 0) finish(host, held, outcome === 'skipped' ? 'skipped' : 'consumed');
  if (memory !== undefined) memoryOf(host, work).set({ json: memory });
  const subscribed = work.kind === 'consumer' ? subscriptionsOf(host, work.handler) : [];
  // Judged before this run's own publications: they must not keep awake a consumer that found nothing to do.
  const hasNewEvents = subscribed.some((topic) => topicOf(host.state, topic).last > work.seen);
  change(host, { work: null });
  if (work.empty && !hasNewEvents) sleep(host, work);
  const fresh = publish(host, messages, runId);
  wakeFor(host, fresh, work.empty ? work.handler : null);
  if (work.empty && !hasNewEvents) shortenSleep(host, work, fresh);
  noteEnd(host, work, { result: 'committed', empty: work.empty, error: null });
  host.report({
    type: 'hostRunEnded',
    kind: work.kind,
    handler: work.handler,
    runId,
    result: 'committed',
    empty: work.empty,
    durationMs: host.now - work.since,
  });
  proceed(host);
  return {
    phase: 'committed',
    empty: work.empty,
    reserved: idsByTopic(held),
    published: Object.fromEntries(fresh),
    change: outcome === undefined || outcome === 'uncertain' ? 'none' : outcome,
  };
}

function subscriptionsOf(host: HostNode, consumer: string): readonly string[] {
  return host.child('deployment').state.graph.consumers[consumer]?.subscribe ?? [];
}

export function memoryOf(host: HostNode, { kind, handler }: Pick<Work, 'kind' | 'handler'>) {
  const node =
    kind === 'producer' ? host.children('producers').get(handler) : host.children('consumers').get(handler);
  if (node === undefined) throw logicFailure(`the ${kind} '${handler}' is no longer in the workflow`);
  return node.child('memory');
}

/** Sleeps until the host's timeout, or until `prepare` asked to be called, if that is earlier. */
function sleep(host: HostNode, { handler, wakeAt }: Work): void {
  const consumer = host.children('consumers').get(handler);
  if (consumer === undefined) return;
  const { sleepTimeoutMs, shortestWakeMs } = host.child('deployment').state.settings;
  const timeout = addTime(host.now, sleepTimeoutMs);
  const asked = wakeAt === null ? timeout : (Math.max(wakeAt, host.now + shortestWakeMs) as Instant);
  const until = Math.min(timeout, asked) as Instant;
  consumer.set({ ...consumer.state, sleep: { since: host.now, until }, wokenBy: null });
  host.report({ type: 'consumerSlept', consumer: handler, until });
  planWake(host, handler);
}

/** A run that found nothing to do, but fed its own topic, is not called again at once. */
function shortenSleep(host: HostNode, { handler }: Work, fresh: ReadonlyMap<string, number>): void {
  const consumer = host.children('consumers').get(handler);
  const own = subscriptionsOf(host, handler).some((topic) => fresh.has(topic));
  if (consumer === undefined || !own || consumer.state.sleep === null) return;
  const { selfFedMs } = host.child('deployment').state.settings;
  const { since, until } = consumer.state.sleep;
  const earlier = Math.min(until, host.now + selfFedMs) as Instant;
  consumer.set({ ...consumer.state, sleep: { since, until: earlier } });
  planWake(host, handler);
}

/** Without a pending event a timeout would wake for nothing: the next event ends the sleep anyway. */
function planWake(host: HostNode, handler: string): void {
  const consumer = host.children('consumers').get(handler);
  const { sleep } = consumer?.state ?? { sleep: null };
  if (consumer === undefined || sleep === null) return;
  const hasPending = subscriptionsOf(host, handler).some((topic) => topicOf(host.state, topic).pending > 0);
  if (hasPending) consumer.schedule(wakeUp, null, sleep.until);
}

/** Keeps how the last run of a handler ended. */
export function noteEnd(
  host: HostNode,
  work: Work,
  { result, empty, error }: Pick<LastRun, 'result' | 'empty' | 'error'>,
): void {
  const last: LastRun = {
    runId: work.run ?? work.chain,
    startedAt: work.since,
    endedAt: host.now,
    result,
    empty,
    error,
  };
  if (work.kind === 'producer') {
    const producer = host.children('producers').get(work.handler);
    producer?.set({ ...producer.state, last });
  } else {
    const consumer = host.children('consumers').get(work.handler);
    consumer?.set({ ...consumer.state, last });
  }
}

function idsByTopic(events: readonly EventRow[]): Readonly<Record<string, readonly string[]>> {
  const ids: Record<string, string[]> = {};
  for (const { topic, id } of events) {
    ids[topic] ??= [];
    ids[topic].push(id);
  }
  return ids;
}
