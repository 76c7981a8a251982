/**
 * Turns the schedule of a producer into due times: each gets its verdict, and the one that finds the workflow idle starts a
 * run. A due time that finds it busy is skipped, or waits if the producer says so; one that is due in the very moment another
 * run begins waits too, because the workflow was idle when it was due.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { DueSlot, FoundSlots } from '../ledger/find-slots.ts';
import { findSlots } from '../ledger/find-slots.ts';
import type { CompiledSpec } from '../spec/index.ts';
import { budgetOf, compileSpec, unitsPerTurn } from '../spec/index.ts';
import { specOf } from './graph.ts';
import type { HostNode, ProducerNode, ProducerState } from './host.ts';
import { dueTimes, isHalted } from './host.ts';
import { proceed, startDue, startVerdict } from './proceed.ts';
import type { Judged } from './verdict.ts';
import { causeOf, recordFinal, recordFresh } from './verdict.ts';
import type { ProducerSchedule } from './workflow.ts';

/** A pass over this many due times takes a few milliseconds. */
const slotsPerPass = 5000;

/** Work after which a search without a result is given up. */
const mostUnits = 20_000_000;

/** Due times missed while no node ran are one run, however long ago they were. */
const windowMs = Number.MAX_SAFE_INTEGER;

/** Equal specs share one compiled object. */
export function compiledOf({ text, anchor }: Pick<ProducerState, 'text' | 'anchor'>): CompiledSpec {
  return compileSpec(specOf(JSON.parse(text) as ProducerSchedule, anchor));
}

export function judgeDueTimes(host: HostNode, name: string, producer: ProducerNode): void {
  const isDeployed = host.child('deployment').state.graph.producers[name] !== undefined;
  if (isHalted(host.state) || !isDeployed) {
    // A halted workflow has no wake time; its due times get their verdicts when it goes on. A removed producer has none.
    if (producer.state.next !== null) producer.set({ ...producer.state, next: null });
    return;
  }
  const found = find(host, producer);
  const { cursor, pass, next, more } = found;
  const eras = more ? producer.state.eras : producer.state.eras.filter(({ until }) => until > host.now);
  producer.set({ ...producer.state, cursor, pass, next, eras });
  const cause = causeOf(name);
  const judged: Judged[] = found.judged.map((each) => ({ ...each, cause }) as Judged);
  for (const slot of found.due)
    judged.push({ cause, nominal: slot.nominal, ...decide(host, name, producer, slot) });
  if (judged.length > 0) recordFresh(host, name, producer, judged);
  if (pass !== null && pass.spent >= mostUnits)
    throw new Error(
      `no due time of the producer '${name}' was found; change its schedule: ${producer.state.text}`,
    );
  if (more) producer.schedule(dueTimes, null, addTime(host.now, 1));
  else if (next !== null) producer.schedule(dueTimes, null, next);
}

function find(host: HostNode, producer: ProducerNode): FoundSlots {
  const { cursor, pass, eras } = producer.state;
  const budget = budgetOf(host.work.left);
  const found = findSlots({
    compiled: compiledOf(producer.state),
    seed: '',
    cursor,
    pass,
    now: host.now,
    eras,
    windowMs,
    missed: 'latest',
    most: { slots: slotsPerPass, starts: 1, room: 1, buffer: 1 },
    budget,
  });
  host.work.left = Math.max(0, budget.left);
  return found;
}

function decide(
  host: HostNode,
  name: string,
  producer: ProducerNode,
  { nominal }: DueSlot,
): Omit<Judged, 'nominal' | 'cause'> {
  // Work that waits comes first; it may have become ready in this very moment.
  if (host.state.work === null) proceed(host);
  const { work } = host.state;
  const { onBusy } = host.child('deployment').state.graph.producers[name] ?? { onBusy: 'skip' };
  if (work === null) {
    producer.set({ ...producer.state, skippedInARow: 0 });
    const runId = startDue(host, name, nominal);
    return { runId, ...startVerdict(host.now - nominal, false) };
  }
  const { queued } = producer.state;
  // At most one due time waits: the earliest.
  if (queued !== null) return { verdict: 'coalesced', detail: { ranAs: queued } };
  if (onBusy === 'queueOne' || work.since === host.now) {
    producer.set({ ...producer.state, queued: nominal, skippedInARow: 0 });
    return { verdict: 'buffered', runId: work.run ?? work.chain };
  }
  const skippedInARow = producer.state.skippedInARow + 1;
  producer.set({ ...producer.state, skipped: producer.state.skipped + 1, skippedInARow });
  if (skippedInARow === host.child('deployment').state.settings.starvingAfter)
    host.report({ type: 'producerStarving', producer: name, skippedInARow });
  return {
    verdict: 'workflowBusy',
    runId: work.run ?? work.previous ?? work.chain,
    detail: { handler: work.handler },
  };
}

/** Due times that wait for a run get their last verdict when the producer goes or its schedule changes. */
export function supersede(host: HostNode, name: string, producer: ProducerNode): void {
  const { queued } = producer.state;
  if (queued === null) return;
  recordFinal(host, name, producer, { nominal: queued, cause: causeOf(name), verdict: 'superseded' });
  producer.set({ ...producer.state, queued: null });
}

/** The next due time after a given one, for views; null when the search is too long or there is none. */
export function nextAfter(state: Pick<ProducerState, 'text' | 'anchor'>, after: Instant): Instant | null {
  const found = compiledOf(state).search(after, { budget: budgetOf(unitsPerTurn) });
  return found.kind === 'found' ? found.nominal : null;
}
