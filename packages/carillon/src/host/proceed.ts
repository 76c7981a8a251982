/**
 * Decides what a workflow does next. Called whenever something may have changed that: an event came, a run ended, a due time or a
 * timeout was reached, a person acted. It starts at most one run, because one run at a time is what a workflow does.
 */
import type { Instant } from '../base/time.ts';
import { lateAfter } from '../ledger/era.ts';
import { newRun } from '../runs/run.ts';
import { runId } from '../runs/run-id.ts';
import type { HostNode, HostState, ProducerNode, Work } from './host.ts';
import { change, isHalted, retryWork, topicOf } from './host.ts';
import type { RunInput } from './run-input.ts';
import { causeOf, manualCause, recordFinal } from './verdict.ts';

/** The queue of all runs of hosts. */
export const hostQueue = 'hosts';

/** The name of a workflow's runs: it says everything that a node must know to carry out one. */
export function runName(namespace: string, workflow: string): string {
  return `${namespace}/${workflow}`;
}

export function proceed(host: HostNode): void {
  const { state, now } = host;
  if (state.closed !== null) return;
  const { work } = state;
  if (work === null) {
    startNext(host);
    return;
  }
  if (work.run !== null || state.block !== null) return;
  // Finding out what became of a change is not a scheduled run: a pause does not delay it.
  if (state.paused !== null && work.task !== 'reconcile') return;
  if (work.retryAt !== null && work.retryAt > now) host.schedule(retryWork, null, work.retryAt);
  else attempt(host, work);
}

interface Candidate {
  readonly kind: Work['kind'];
  readonly handler: string;
  readonly manual: boolean;
  /** Consumers by their oldest pending event, producers by their due time; then by name. */
  readonly since: number;
}

/** Consumers come before producers; of several, the one whose oldest event, or due time, is oldest. */
function startNext(host: HostNode): void {
  const chosen = first(readyConsumers(host)) ?? first(readyProducers(host));
  if (chosen === undefined) return;
  if (chosen.kind === 'consumer') startConsumer(host, chosen);
  else startProducer(host, chosen);
}

function first(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const each of candidates) {
    const isBefore =
      best === undefined ||
      each.since < best.since ||
      (each.since === best.since && each.handler < best.handler);
    if (isBefore) best = each;
  }
  return best;
}

function readyConsumers(host: HostNode): readonly Candidate[] {
  const halted = isHalted(host.state);
  const { consumers } = host.child('deployment').state.graph;
  const found: Candidate[] = [];
  for (const [handler, { state }] of host.children('consumers')) {
    const graph = consumers[handler];
    if (graph === undefined) continue;
    const manual = state.asked !== null;
    const oldest = oldestPending(host.state, graph.subscribe);
    const isAsleep = state.sleep !== null && state.sleep.until > host.now;
    if (!manual && (halted || isAsleep || oldest === undefined)) continue;
    // A request without a pending event comes after all work that waits.
    const since = oldest ?? Number.MAX_SAFE_INTEGER;
    found.push({ kind: 'consumer', handler, manual, since });
  }
  return found;
}

/** The sequence of the oldest pending event of these topics: sequences of a workflow are one order. */
export function oldestPending(state: HostState, topics: readonly string[]): number | undefined {
  let oldest: number | undefined;
  for (const name of topics) {
    const topic = topicOf(state, name);
    if (topic.pending > 0 && (oldest === undefined || topic.oldest < oldest)) oldest = topic.oldest;
  }
  return oldest;
}

function readyProducers(host: HostNode): readonly Candidate[] {
  const halted = isHalted(host.state);
  const found: Candidate[] = [];
  for (const [handler, { state }] of host.children('producers')) {
    if (state.asked !== null) found.push({ kind: 'producer', handler, manual: true, since: state.asked });
    else if (state.queued !== null && !halted)
      found.push({ kind: 'producer', handler, manual: false, since: state.queued });
  }
  return found;
}

function startConsumer(host: HostNode, { handler, manual }: Candidate): void {
  const consumer = host.children('consumers').get(handler);
  if (consumer === undefined) return;
  const { state } = consumer;
  const wokenBy = manual ? 'person' : state.sleep === null ? state.wokenBy : 'timeout';
  if (state.asked !== null || state.sleep !== null)
    consumer.set({ ...state, asked: null, sleep: null, wokenBy });
  beginWork(host, { kind: 'consumer', handler, manual, nominal: null });
}

function startProducer(host: HostNode, { handler, manual }: Candidate): void {
  const producer = host.children('producers').get(handler);
  if (producer === undefined) return;
  const { state } = producer;
  const at = (manual ? state.asked : state.queued) as Instant;
  producer.set(manual ? { ...state, asked: null } : { ...state, queued: null });
  const id = beginWork(host, { kind: 'producer', handler, manual, nominal: at });
  recordStart(host, handler, producer, { nominal: at, manual, id });
}

/** Starts a producer whose due time found the workflow idle; the caller writes the verdict. */
export function startDue(host: HostNode, handler: string, nominal: Instant): string {
  return beginWork(host, { kind: 'producer', handler, manual: false, nominal });
}

function recordStart(
  host: HostNode,
  handler: string,
  producer: ProducerNode,
  start: { readonly nominal: Instant; readonly manual: boolean; readonly id: string },
): void {
  const { nominal, manual, id } = start;
  const cause = manual ? manualCause(handler, host.state.causes) : causeOf(handler);
  if (manual) change(host, { causes: host.state.causes + 1 });
  recordFinal(host, handler, producer, {
    nominal,
    cause,
    runId: id,
    ...startVerdict(host.now - nominal, manual),
  });
}

export function startVerdict(lateByMs: number, manual: boolean) {
  if (manual || lateByMs <= lateAfter) return { verdict: 'started' as const };
  return { verdict: 'startedLate' as const, detail: { lateByMs } };
}

/** The first attempt of a new work. Returns the id of its run. */
function beginWork(host: HostNode, of: Pick<Work, 'kind' | 'handler' | 'manual' | 'nominal'>): string {
  const id = nextRunId(host);
  const { kind, handler, manual, nominal } = of;
  const work: Work = {
    kind,
    handler,
    chain: id,
    run: null,
    previous: null,
    task: 'run',
    phase: 'pending',
    failures: 0,
    reconciles: 0,
    holder: null,
    change: null,
    nominal,
    manual,
    seen: 0,
    since: host.now,
    retryAt: null,
    empty: false,
    wakeAt: null,
  };
  return attempt(host, work, id);
}

function nextRunId({ now, incarnation, state }: HostNode): string {
  return runId(now, `${incarnation}/${state.starts}`);
}

/** Starts the next run of a work. */
function attempt(host: HostNode, work: Work, id = nextRunId(host)): string {
  const { now, key, incarnation, state } = host;
  const { kind, handler, chain, task, previous, holder, manual, nominal } = work;
  const input: RunInput = {
    workflow: key.id,
    kind,
    handler,
    task,
    attempt: work.failures + work.reconciles + 1,
    ...(previous === null ? {} : { retryOf: previous }),
    ...(holder === null ? {} : { holder }),
  };
  host.startRun(
    newRun({
      id,
      alias: chain,
      owner: incarnation,
      ordinal: state.starts,
      namespace: key.namespace,
      queue: hostQueue,
      name: runName(key.namespace, key.id),
      now,
      input,
      options: {
        // The workflow decides about the next attempt, and a crash is one of its decisions.
        retry: { attempts: 1 },
        takeovers: 0,
        ...(nominal === null ? {} : { nominal }),
        cause: kind === 'producer' ? causeOf(handler) : `consumer/${handler}`,
        workflowId: `${key.id}/${handler}`,
      },
    }),
  );
  const fresh =
    task === 'run' ? { phase: 'pending' as const, empty: false, wakeAt: null, seen: state.sequence } : {};
  change(host, {
    starts: state.starts + 1,
    work: { ...work, ...fresh, run: id, since: now, retryAt: null },
  });
  host.report({ type: 'hostRunStarted', kind, handler, runId: id, task, manual });
  return id;
}
