/**
 * What a change of runs would do, read from what the change would have written. `hosts/host-effects.ts` says the same
 * of a change of a workflow, in the same form. Pure.
 */
import { countText } from '../base/count-text.ts';
import { formatInstant } from '../base/time.ts';
import { hostArchetype } from '../host/library.ts';
import { hostQueue } from '../host/proceed.ts';
import type { RunInput } from '../host/run-input.ts';
import { inputOf } from '../host/run-input.ts';
import type { EventRow, EventState, RunRow } from '../store/records.ts';
import type { Writes } from '../store/store.ts';

export interface WorkEffects {
  /** What would happen, in plain sentences. */
  readonly text: readonly string[];
  /** The runs that it would touch; at most 200. */
  readonly runs: readonly {
    readonly id: string;
    readonly name: string;
    /** The producer or the consumer, for a run of a workflow. */
    readonly producer?: string;
    readonly consumer?: string;
    /** `queued`: a new run. `asked`: its worker is asked to stop. `ended`: it ends at once. `forgotten`: it is removed. */
    readonly becomes: 'queued' | 'asked' | 'ended' | 'forgotten';
  }[];
  /** The events of workflows that it would touch; at most 200. */
  readonly events: readonly { readonly topic: string; readonly id: string; readonly becomes: EventState }[];
}

const mostShown = 200;

export function workEffectsOf(writes: Writes): WorkEffects {
  return effectsWith([...runSentences(writes), ...eventSentences(writes), ...blockSentences(writes)], writes);
}

/** The sentences, and the runs and events that the change would write. */
export function effectsWith(text: readonly string[], writes: Writes): WorkEffects {
  return {
    text: text.length === 0 ? ['Nothing changes.'] : text,
    runs: touchedRuns(writes).slice(0, mostShown),
    events: movedEvents(writes).slice(0, mostShown),
  };
}

function touchedRuns({ newRuns = [], runs = [], removeRuns = [] }: Writes): WorkEffects['runs'] {
  return [
    ...newRuns.map((run) => ({ ...namesOf(run), becomes: 'queued' as const })),
    ...stopping(runs).map((run) => ({ ...namesOf(run), becomes: stopOf(run) })),
    ...removeRuns.map((id) => ({ id, name: '', becomes: 'forgotten' as const })),
  ];
}

function movedEvents({ newEvents = [], events = [] }: Writes): WorkEffects['events'] {
  return [...newEvents, ...events].map(({ topic, id, state }) => ({ topic, id, becomes: state }));
}

function stopping(runs: readonly RunRow[]): readonly RunRow[] {
  return runs.filter(({ state, cancel }) => state === 'done' || cancel !== 'none');
}

function stopOf({ state }: RunRow): 'ended' | 'asked' {
  return state === 'done' ? 'ended' : 'asked';
}

/** What a run of a workflow was started with; undefined for any other run, also one that was put on that queue by hand. */
function hostInputOf(run: RunRow): RunInput | undefined {
  return run.queue === hostQueue && run.owner !== null ? inputOf(run) : undefined;
}

function namesOf(run: RunRow): Omit<WorkEffects['runs'][number], 'becomes'> {
  const { id, name } = run;
  const input = hostInputOf(run);
  return input === undefined ? { id, name } : { id, name, [input.kind]: input.handler };
}

/** `consumer 'book'`. */
export function handlerWords({ kind, handler }: Pick<RunInput, 'kind' | 'handler'>): string {
  return `${kind} '${handler}'`;
}

export function runSentences({ newRuns = [], runs = [], removeRuns = [] }: Writes): readonly string[] {
  return [
    ...newRuns.slice(0, mostShown).map(queuedSentence),
    ...stopping(runs).slice(0, mostShown).map(stopSentence),
    ...removeRuns.slice(0, mostShown).map((id) => `Run ${id} is forgotten, with its log.`),
  ];
}

function queuedSentence(run: RunRow): string {
  const input = hostInputOf(run);
  const what = input === undefined ? `'${run.name}'` : handlerWords(input);
  const since = run.availableAt > run.createdAt ? `, not before ${formatInstant(run.availableAt)}` : '';
  return `A run of ${what} is queued${since}${taskWords(input)}.`;
}

/** What a run that takes up earlier work does. */
function taskWords(input: RunInput | undefined): string {
  switch (input?.task) {
    case 'reconcile':
      return '; it only asks whether the change happened';
    case 'continue':
      return '; it goes on after the change';
    default:
      return '';
  }
}

function stopSentence(run: RunRow): string {
  const input = hostInputOf(run);
  const which = `${run.id}${input === undefined ? '' : ` of ${handlerWords(input)}`}`;
  return stopOf(run) === 'ended'
    ? `Run ${which} ends at once.`
    : `The worker of run ${which} is asked to stop.`;
}

/** A workflow whose run ends in the middle of its work may need a person. */
function blockSentences({ executions = [], runs = [] }: Writes): readonly string[] {
  const ended = new Set(runs.filter(({ state }) => state === 'done').map(({ owner }) => owner));
  return executions
    .filter(({ key, incarnation, signals }) => {
      return key.archetype === hostArchetype && ended.has(incarnation) && signals.$blocked === 1;
    })
    .map(({ key }) => `The workflow '${key.id}' then waits for a person.`);
}

export function eventSentences({ newEvents = [], events = [] }: Writes): readonly string[] {
  const text = counted(newEvents).map(
    ([topic, count]) => `${several(count, 'is', 'are')} published to '${topic}'.`,
  );
  for (const { topic, id, state } of events.slice(0, mostShown))
    if (state === 'skipped') text.push(`The event '${id}' of '${topic}' is set aside for good.`);
  for (const [topic, count] of counted(events.filter(({ state }) => state === 'pending')))
    text.push(`${several(count, 'is', 'are')} pending again in '${topic}'.`);
  for (const [topic, count] of counted(events.filter(({ state }) => state === 'consumed')))
    text.push(`${several(count, 'counts', 'count')} as consumed in '${topic}'.`);
  return text;
}

/** How many of these events each topic has. */
function counted(events: readonly EventRow[]): readonly (readonly [topic: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { topic } of events) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return [...counts];
}

/** `1 event is`, `2 events are`. */
export function several(count: number, one: string, more: string): string {
  return count === 1 ? `1 event ${one}` : `${countText(count)} events ${more}`;
}
