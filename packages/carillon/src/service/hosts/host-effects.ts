/**
 * What a change of a workflow would do: the state before it is compared with the one that it would have written. Pure.
 */
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import { changeWords } from '../../host/change-words.ts';
import type { Work } from '../../host/host.ts';
import type { HotState } from '../../host/hot-state.ts';
import { readHotState } from '../../host/hot-state.ts';
import type { Writes } from '../../store/store.ts';
import type { WorkEffects } from '../work-effects.ts';
import { effectsWith, eventSentences, handlerWords, runSentences } from '../work-effects.ts';
import type { EventName, StoredEvent } from './publish-effects.ts';
import { publishSentences } from './publish-effects.ts';

/** The subject of the change, where its writes do not show it: an event that exists already is not written. */
export interface HostSubject {
  readonly publishes?: readonly (Pick<EventName, 'topic'> & Partial<EventName>)[];
  readonly skips?: EventName;
}

export interface HostBefore {
  readonly now: Instant;
  /** Why it is quarantined; null when it is healthy. */
  readonly incident: string | null;
  readonly state: HotState;
  /** The stored events that the change is about. */
  readonly events: readonly StoredEvent[];
}

interface Compared extends HostBefore {
  readonly after: HotState;
  readonly writes: Writes;
}

export function hostEffectsOf(writes: Writes, before: HostBefore, subject: HostSubject = {}): WorkEffects {
  const [written] = writes.executions ?? [];
  if (written === undefined) return effectsWith(eventsText(writes, before, subject), writes);
  if (written.status === 'closed') return effectsWith(deletedText(before), writes);
  const compared = { ...before, after: readHotState(written.state), writes };
  const text = [
    ...(before.incident === null ? [] : ['The workflow leaves quarantine.']),
    ...pauseText(compared),
    ...resolvedText(compared),
    ...blockText(compared),
    ...eventsText(writes, before, subject),
    ...wakeText(compared),
    ...runSentences(writes),
    ...askedText(compared),
    ...nextText(compared),
  ];
  return effectsWith(text, writes);
}

function deletedText({ state: { host } }: HostBefore): readonly string[] {
  let pending = 0;
  for (const topic of Object.values(host.topics)) pending += topic.pending;
  const lost = pending === 1 ? '1 pending event is' : `${pending} pending events are`;
  return ['The workflow is deleted.', ...(pending === 0 ? [] : [`${lost} deleted with it.`])];
}

function pauseText({ state: { host }, after }: Compared): readonly string[] {
  const { paused, work } = after.host;
  if (paused === null) return host.paused === null ? [] : ['The workflow resumes.'];
  if (host.paused !== null) return paused.at === host.paused.at ? [] : ['The workflow stays paused.'];
  const only = 'only runs by hand start';
  if (work === null) return [`The workflow pauses: ${only}.`];
  if (work.run !== null) return [`The workflow pauses: ${attemptOf(work)} finishes, then ${only}.`];
  return [`The workflow pauses: ${only}, and ${attemptOf(work)} waits for the end of the pause.`];
}

/** What a person decided about a change whose outcome was not known. */
function resolvedText({ state: { host }, after }: Compared): readonly string[] {
  const { work } = host;
  if (work?.change?.outcome !== 'uncertain') return [];
  const what = capital(changeWords(work));
  const now = after.host.work;
  if (now === null || now.chain !== work.chain) return [`${what} counts as not made.`];
  if (now.change?.outcome === 'applied') return [`${what} counts as made.`];
  return now.change?.outcome === 'skipped' ? [`The workflow goes on without ${changeWords(work)}.`] : [];
}

function blockText({ state: { host }, after }: Compared): readonly string[] {
  if (host.block === null) return after.host.block === null ? [] : ['The workflow then waits for a person.'];
  return after.host.block === null ? ['The workflow no longer waits for a person.'] : [];
}

function eventsText(
  writes: Writes,
  before: HostBefore,
  { publishes, skips }: HostSubject,
): readonly string[] {
  if (publishes !== undefined) return publishSentences(publishes, before.events, writes);
  const { work } = before.state.host;
  const [event] = before.events;
  const isTooLate = skips !== undefined && event?.state === 'reserved' && (writes.events ?? []).length === 0;
  return isTooLate && work !== null
    ? [`Nothing changes: ${attemptOf(work)} has begun its change and will consume the event '${skips.id}'.`]
    : eventSentences(writes);
}

function wakeText({ state, after, now }: Compared): readonly string[] {
  return [...state.consumers]
    .filter(([name, { sleep }]) => {
      return sleep !== null && sleep.until > now && after.consumers.get(name)?.sleep === null;
    })
    .map(([name]) => `Consumer '${name}' wakes.`);
}

/** Requests of a person that wait. */
function askedText({ state, after }: Compared): readonly string[] {
  const { work, block } = after.host;
  const when =
    block !== null || work === null ? 'when a person has ended the block' : `after ${attemptOf(work)}`;
  return [...after.consumers]
    .filter(([name, { asked }]) => asked !== null && state.consumers.get(name)?.asked === null)
    .map(([name]) => `Consumer '${name}' starts ${when}.`);
}

/** What becomes of the workflow, and of new events, when the change starts no run. */
function nextText({ state, after, incident, writes, now }: Compared): readonly string[] {
  if ((writes.newRuns ?? []).length > 0) return [];
  const { work, paused, block } = after.host;
  const fresh = (writes.newEvents ?? []).length;
  if (fresh > 0) {
    const until = pendingUntil(after);
    return until === undefined ? [] : [`${fresh === 1 ? 'It stays' : 'They stay'} pending ${until}.`];
  }
  const goesOn = incident !== null || wasEased(state, after);
  if (!goesOn) return [];
  if (block !== null) return ['It still waits for a person.'];
  if (work?.run != null) return [`${capital(attemptOf(work))} goes on.`];
  if (paused !== null) return ['It stays paused.'];
  if (work?.retryAt != null && work.retryAt > now)
    return [`${capital(attemptOf(work))} begins at ${formatInstant(work.retryAt)}.`];
  return [dueText(after)];
}

function wasEased({ host }: HotState, { host: after }: HotState): boolean {
  const isResumed = host.paused !== null && after.paused === null;
  return isResumed || (host.block !== null && after.block === null);
}

/** Why new events are not worked on at once. */
function pendingUntil({ host: { work, paused, block } }: HotState): string | undefined {
  if (block !== null) return 'until a person has ended the block';
  if (paused !== null) return 'while the workflow is paused';
  return work === null ? undefined : `until ${attemptOf(work)} has ended`;
}

function dueText({ producers }: HotState): string {
  let first: { readonly name: string; readonly at: Instant } | undefined;
  for (const [name, { next: at }] of producers) {
    if (at !== null && (first === undefined || at < first.at)) first = { name, at };
  }
  if (first === undefined) return 'Nothing starts at once.';
  return `Nothing starts at once: producer '${first.name}' is due next, at ${formatInstant(first.at)}.`;
}

/** The run under way, or the one that follows it. */
function attemptOf(work: Work): string {
  return `the ${work.run === null ? 'next attempt' : 'run'} of ${handlerWords(work)}`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
