/** What a person can do with a workflow. Each is one transition; a refusal says why, and changes nothing. */
import { ServiceError } from '../base/error.ts';
import type { EventNeed } from '../store/store.ts';
import { changeWords } from './change-words.ts';
import type { NewMessage } from './event-lines.ts';
import { dataOf, heldBy, publish, release, skipPending } from './event-lines.ts';
import { goOn, halt } from './halting.ts';
import type { HostNode } from './host.ts';
import { change } from './host.ts';
import { noteEnd } from './phases.ts';
import { proceed } from './proceed.ts';
import { wake, wakeFor } from './waking.ts';

export interface By {
  readonly actor: string;
  readonly note: string;
}

function refuse(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'failedPrecondition', reason, message });
}

function notFound(message: string): ServiceError {
  return new ServiceError({ code: 'notFound', reason: 'NOT_FOUND', message });
}

/** A run under way finishes; nothing starts after it. */
export function pause(host: HostNode, { actor, note }: By): void {
  halt(host, { paused: { by: actor, note, at: host.now } });
}

/** Ends a pause and the block of a failed run. A change whose outcome is not known must be resolved first. */
export function resume(host: HostNode, by: By): void {
  const { block, work } = host.state;
  if (block?.kind === 'uncertain') {
    const what = work === null ? 'a change' : changeWords(work);
    throw refuse('CHANGE_UNRESOLVED', `it is not known whether ${what} happened; resolve it first`);
  }
  if (work !== null && block !== null) change(host, { work: { ...work, failures: 0, retryAt: host.now } });
  goOn(host, { paused: null, block: null }, by);
}

/** A manual run of a producer needs an idle workflow; it ignores the schedule and a pause. */
export function triggerProducer(host: HostNode, name: string): string {
  const producer = host.children('producers').get(name);
  if (producer === undefined || host.child('deployment').state.graph.producers[name] === undefined)
    throw notFound(`the workflow '${host.key.id}' has no producer '${name}'`);
  const { work } = host.state;
  if (work !== null) throw busy(host);
  producer.set({ ...producer.state, asked: host.now });
  proceed(host);
  return started(host) ?? '';
}

function busy(host: HostNode): ServiceError {
  const { work, block } = host.state;
  const doing = block === null ? 'is busy with' : 'waits for a person because of';
  return refuse(
    'BUSY',
    `the workflow '${host.key.id}' ${doing} '${work?.handler}' (run ${work?.run ?? work?.previous})`,
  );
}

/** Ends the consumer's sleep. While the workflow is busy the request waits; several are one. Returns the run, or null while it waits. */
export function triggerConsumer(host: HostNode, name: string): string | null {
  const consumer = host.children('consumers').get(name);
  if (consumer === undefined || host.child('deployment').state.graph.consumers[name] === undefined)
    throw notFound(`the workflow '${host.key.id}' has no consumer '${name}'`);
  wake(host, name, consumer, 'person');
  consumer.set({ ...consumer.state, asked: consumer.state.asked ?? host.now });
  const before = host.state.starts;
  proceed(host);
  return host.state.starts > before ? started(host) : null;
}

function started(host: HostNode): string | null {
  return host.state.work?.run ?? null;
}

/** Publishes from outside. Returns how many messages were new. */
export function publishOutside(host: HostNode, messages: readonly NewMessage[]): number {
  const { graph } = host.child('deployment').state;
  for (const { topic } of messages) {
    if (!graph.topics.includes(topic))
      throw notFound(`the workflow '${host.key.id}' has no topic '${topic}'`);
  }
  const fresh = publish(host, messages, null);
  wakeFor(host, fresh, null);
  proceed(host);
  let count = 0;
  for (const each of fresh.values()) count += each;
  return count;
}

/** `skipped`: it will not be worked on. `tooLate`: its run has made its change, so it will be consumed. */
export type Skipped = 'skipped' | 'tooLate';

export function skipNeeds(owner: string, topic: string, id: string): readonly EventNeed[] {
  return [
    { owner, topic, ids: [id] },
    { owner, topic, oldest: 2 },
  ];
}

/** A reserved event is skipped with its run, which the caller ends in the same commit. */
export function skipEvent(
  host: HostNode,
  { topic, id }: { readonly topic: string; readonly id: string },
  by: By,
): Skipped {
  const event = host.events.get(topic, id);
  if (event === undefined)
    throw notFound(`there is no event '${id}' in the topic '${topic}' of '${host.key.id}'`);
  if (event.state === 'consumed' || event.state === 'skipped')
    throw refuse('EVENT_FINAL', `the event '${id}' was ${event.state} already`);
  const { work } = host.state;
  if (event.state === 'reserved') {
    if (work?.change != null) return 'tooLate';
    release(host, heldBy(host, event.holder));
    if (work !== null) {
      noteEnd(host, work, { result: 'failed', empty: false, error: `the event '${id}' was skipped` });
      change(host, { work: null });
    }
  }
  const pending = host.events.get(topic, id) ?? event;
  skipPending(host, pending, {
    ...dataOf(event),
    skippedBy: by.actor,
    ...(by.note === '' ? {} : { note: by.note }),
  });
  proceed(host);
  return 'skipped';
}

export type Resolution =
  /** The change happened; `result` is what it returned. */
  | { readonly action: 'happened'; readonly result: unknown }
  /** It did not: the events are worked on again. */
  | { readonly action: 'didNotHappen' }
  /** Ask the other system again. */
  | { readonly action: 'tryAgain' }
  /** Go on without it: `next` gets `skipped`, and the events are not worked on again. */
  | { readonly action: 'skip' };

export const resolutions = [
  'happened',
  'didNotHappen',
  'tryAgain',
  'skip',
] as const satisfies readonly Resolution['action'][];

/** Decides about an uncertain change, while the host asks about it or after it has given up. */
export function resolve(host: HostNode, resolution: Resolution, by: By): void {
  const { work } = host.state;
  const begun = work?.change;
  if (work === null || begun == null || begun.outcome !== 'uncertain')
    throw refuse(
      'NOTHING_TO_RESOLVE',
      `no change of the workflow '${host.key.id}' is uncertain; it was settled, or there was none`,
    );
  if (work.run !== null) throw refuse('BUSY', `the run ${work.run} is under way; wait for its end`);
  const at = { retryAt: host.now, reconciles: 0, failures: 0 };
  switch (resolution.action) {
    case 'happened':
      host
        .child('data')
        .set({ ...host.child('data').state, result: JSON.stringify(resolution.result ?? null) });
      change(host, {
        work: {
          ...work,
          ...at,
          task: 'continue',
          phase: 'mutated',
          change: { ...begun, outcome: 'applied' },
        },
      });
      break;
    case 'skip':
      change(host, {
        work: {
          ...work,
          ...at,
          task: 'continue',
          phase: 'mutated',
          change: { ...begun, outcome: 'skipped' },
        },
      });
      break;
    case 'tryAgain':
      if (!begun.canReconcile)
        throw refuse('NO_RECONCILE', `${changeWords(work)} has no reconcile; say whether it happened`);
      change(host, { work: { ...work, ...at, task: 'reconcile' } });
      break;
    case 'didNotHappen':
      release(host, heldBy(host, work.holder));
      host.child('data').set({ data: null, result: null });
      change(host, { work: null });
      break;
  }
  goOn(host, { block: null }, by);
  proceed(host);
}

export function close(host: HostNode): void {
  change(host, { closed: 'deleted', work: null });
}
