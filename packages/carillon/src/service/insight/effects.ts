/**
 * What a change would do. The change is decided as always, in a transaction that writes nothing; the effects are read
 * from what it would have written.
 */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day } from '../../base/time.ts';
import { readDocument } from '../../engine/document.ts';
import { readStamp } from '../../engine/history.ts';
import { auto } from '../../ledger/ledger.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { Pause, ScheduleDefinition } from '../../scheduler/definition.ts';
import { Definition } from '../../scheduler/definition.ts';
import type { StopRequest } from '../../scheduler/invoker.ts';
import { stopRuns } from '../../scheduler/invoker.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { ExecutionWrite, ListedExecution, RunOutcome, RunState } from '../../store/records.ts';
import type { Writes } from '../../store/store.ts';
import { viewSlot } from '../journal-view.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { Edit } from './change-words.ts';
import { changeWords } from './change-words.ts';
import { endedBackfills } from './ended-backfills.ts';
import type { FieldChange } from './field-diff.ts';
import type { Span } from './history-material.ts';
import { pauseWords } from './pause-words.ts';
import { definitionChanges } from './stretches.ts';
import type { TimelineSlot } from './timeline.ts';
import type { Trial } from './trial.ts';

export type EffectStatus = 'running' | 'paused' | 'ended' | 'closed' | 'quarantined' | 'absent';

export interface Effects {
  /** What would happen, in plain sentences. */
  readonly text: readonly string[];
  readonly status: { readonly before: EffectStatus; readonly after: EffectStatus };
  /** The next due time. */
  readonly next: { readonly before: string | null; readonly after: string | null };
  /** The fields of the definition that would change. */
  readonly changes: readonly FieldChange[];
  /** The verdicts that would be reached at once, oldest first; at most 200 rows. */
  readonly slots: readonly TimelineSlot[];
  /** How many slots would get which verdict at once. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** The runs that would start at once. */
  readonly starts: number;
  /** Unfinished runs, which go on unless `stops` says otherwise. */
  readonly running: number;
  /** What unfinished runs would be asked to do. */
  readonly stops: 'nothing' | 'cancel' | 'terminate';
  /** Slots that the pause would pass over, up to its end or within a day. */
  readonly passedOver: SlotCountIn | null;
  /** Slots of a backfill's range, with what each already is. */
  readonly range: RangePreview | null;
  /** The coming times before and after the change; the same list when it does not touch them. */
  readonly upcoming: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** The past days with the definition before and after the change; absent unless it was asked for. */
  readonly trial?: Trial;
}

export interface SlotCountIn {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** False when there are more than were counted. */
  readonly isExact: boolean;
}

export interface RangePreview {
  readonly count: number;
  readonly isExact: boolean;
  /** The first slots of the range, at most 200, with what the ledger has of each. */
  readonly items: readonly RangeSlot[];
}

export interface RangeSlot {
  readonly at: string;
  /** The verdict; a slot with several causes has that of one with a run. Null: the ledger has none. */
  readonly verdict: Verdict | null;
  readonly runId: string | null;
  /** Absent when there is no run, or when it is no longer kept. */
  readonly run?: { readonly state: RunState; readonly outcome: RunOutcome | null };
}

export interface EffectsMaterial {
  readonly now: Instant;
  /** The schedule before the change; undefined when there is none. */
  readonly before: ListedExecution | undefined;
  readonly definition: ScheduleDefinition | undefined;
  readonly writes: Writes;
}

const mostSlots = 200;
const mostCounted = 10_000;
const upcomingTimes = 5;

export async function effectsOf(
  { now, before, definition, writes }: EffectsMaterial,
  range: RangePreview | null,
): Promise<Effects> {
  const [written] = writes.executions ?? [];
  const after = writtenDefinition(writes) ?? definition;
  const attributes = written?.attributes ?? before?.attributes ?? {};
  const slots = [...(writes.slots ?? [])].sort((a, b) => a.nominal - b.nominal);
  const verdicts: Record<string, number> = {};
  for (const { verdict, count } of slots) verdicts[verdict] = (verdicts[verdict] ?? 0) + count;
  const known = before === undefined ? 'absent' : statusOf(before, before.attributes);
  // A change that finds nothing to do writes nothing: the schedule stays as it is.
  const status = { before: known, after: written === undefined ? known : statusOf(written, attributes) };
  const effects = {
    status,
    next: { before: nextOf(before), after: nextOf(written ?? before) },
    changes: changesOf(definition, after),
    slots: slots.slice(0, mostSlots).map(shownSlot),
    verdicts,
    starts: writes.newRuns?.length ?? 0,
    running: before?.signals.$running ?? 0,
    stops: stopsOf(written),
    passedOver: await passedOver(after, status, now),
    range,
    upcoming: {
      before: await upcoming(definition, now),
      after: status.after === 'closed' ? [] : await upcoming(after, now),
    },
  };
  const replaced =
    status.before === 'paused' && status.after === 'paused' ? pauseWords(definition, after) : [];
  const ended = status.after === 'closed' ? [] : endedBackfills(before, written);
  const pause = definition?.paused ?? null;
  const fell =
    pause !== null && status.before === 'paused' && (status.after === 'running' || status.after === 'ended')
      ? await fellInto(definition, pause, now)
      : null;
  const text = [
    ...sentences(effects, fell),
    ...(definition === undefined || after === undefined || status.after === 'closed'
      ? []
      : changeWords(editOf(effects, definition, after))),
    ...replaced,
    ...ended,
  ];
  return { text: text.length === 0 ? ['Nothing changes.'] : text, ...effects };
}

function editOf(
  effects: Omit<Effects, 'text'>,
  { spec: before }: ScheduleDefinition,
  { spec: after, seed }: ScheduleDefinition,
): Edit {
  const { status, upcoming: times } = effects;
  // The spec may name times, but without actions none of them runs.
  const upcoming = status.after === 'ended' ? { ...times, after: [] } : times;
  return { ...effects, upcoming, specs: { before, after }, seed };
}

/** The definition that the change writes; undefined when it writes none. */
export function writtenDefinition({ parts = [] }: Writes): ScheduleDefinition | undefined {
  const part = parts.findLast(({ name }) => name === Definition.name);
  return part === undefined ? undefined : readStamp(Definition, part.data);
}

function statusOf(
  row: ExecutionWrite | ListedExecution,
  attributes: NonNullable<ExecutionWrite['attributes']>,
): EffectStatus {
  if (row.status === 'closed') return 'closed';
  if (row.incident !== null) return 'quarantined';
  if (attributes.$paused === true) return 'paused';
  return row.signals.$ended === undefined ? 'running' : 'ended';
}

function nextOf(row: ExecutionWrite | undefined): string | null {
  const next = row?.status === 'open' ? row.signals.$next : undefined;
  return next === undefined ? null : timeJson(next as Instant);
}

function changesOf(before: ScheduleDefinition | undefined, after: ScheduleDefinition | undefined) {
  return before === undefined || after === undefined || before === after
    ? []
    : definitionChanges(before, after);
}

/** The request to stop runs is a task of the row that would be written. */
function stopsOf(row: ExecutionWrite | undefined): Effects['stops'] {
  const tasks = row === undefined ? [] : readDocument(row.state).t;
  const payload = tasks.find(([, , name]) => name === stopRuns.name)?.[4] as StopRequest | undefined;
  return payload?.how ?? 'nothing';
}

function shownSlot(row: Parameters<typeof viewSlot>[0]): TimelineSlot {
  const { nominal, until, count, verdict, cause, detail, runId } = viewSlot(row);
  return {
    at: timeJson(nominal),
    ...(count === 1 ? {} : { until: timeJson(until), count }),
    verdict: verdict as Verdict,
    ...(cause === auto ? {} : { cause }),
    ...(runId === null ? {} : { runId }),
    ...(detail === null ? {} : { detail }),
  };
}

async function passedOver(
  definition: ScheduleDefinition | undefined,
  status: Effects['status'],
  now: Instant,
): Promise<SlotCountIn | null> {
  if (definition === undefined || status.after !== 'paused') return null;
  return await slotsIn(definition, { from: now, to: definition.paused?.until ?? addTime(now, day) });
}

/** The slots of the pause that the change ends. */
async function fellInto(
  definition: ScheduleDefinition | undefined,
  { at: from }: Pause,
  now: Instant,
): Promise<SlotCountIn | null> {
  return definition === undefined ? null : await slotsIn(definition, { from, to: now });
}

async function slotsIn(definition: ScheduleDefinition, window: Span): Promise<SlotCountIn> {
  const { seed } = definition;
  const compiled = compiledOf(definition);
  const found = await timesBetween(compiled, { window, limit: mostCounted, seed }, new SlicedWork());
  const { from, to } = window;
  return { from: timeJson(from), to: timeJson(to), count: found.times.length, isExact: !found.truncated };
}

async function upcoming(
  definition: ScheduleDefinition | undefined,
  now: Instant,
): Promise<readonly string[]> {
  if (definition === undefined) return [];
  const work = new SlicedWork({ units: 200_000 });
  const walk = compiledOf(definition).walk(now, { seed: definition.seed });
  const times: string[] = [];
  while (times.length < upcomingTimes) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind !== 'found') break;
    times.push(timeJson(found.nominal));
  }
  return times;
}

function sentences(effects: Omit<Effects, 'text'>, fell: SlotCountIn | null): readonly string[] {
  const { status, starts, stops, running, verdicts, passedOver: over, range } = effects;
  const text: string[] = [];
  if (status.before !== status.after) text.push(stateSentence(status));
  else if (over !== null) text.push('It stays paused.');
  if (fell !== null) text.push(fellText(fell));
  if (status.before === 'quarantined') text.push(...releasedSentences(effects));
  if (starts > 0) text.push(`${runs(starts)} ${starts === 1 ? 'starts' : 'start'} at once.`);
  for (const [verdict, count] of Object.entries(verdicts)) {
    if (!isStart(verdict)) text.push(`${slotsText(count)} ${outcomeWords(verdict, count)}.`);
  }
  const decided = Object.values(verdicts).reduce((sum, each) => sum + each, 0);
  // A long backlog is decided in several steps, of which the change takes the first.
  if (fell !== null && decided < fell.count)
    text.push(
      `${slotsText(fell.count - decided)} ${fell.count - decided === 1 ? 'is' : 'are'} decided after that.`,
    );
  if (stops !== 'nothing')
    text.push(`${runs(running)} ${stops === 'cancel' ? 'asked to stop' : 'terminated'}.`);
  if (over !== null) {
    const length = roughDuration(Date.parse(over.to) - Date.parse(over.from));
    text.push(
      `${over.isExact ? '' : 'More than '}${slotsText(over.count)} will be passed over within ${length}.`,
    );
  }
  if (range !== null)
    text.push(`The range has ${range.isExact ? '' : 'more than '}${slotsText(range.count)}.`);
  if (status.after === 'closed' && running > 0)
    text.push(`${runs(running)} ${running === 1 ? 'goes' : 'go'} on.`);
  return text;
}

function fellText({ count, isExact }: SlotCountIn): string {
  if (count === 0) return 'No slot fell into the pause.';
  return `${isExact ? '' : 'More than '}${slotsText(count)} fell into the pause.`;
}

function stateSentence({ before, after }: Effects['status']): string {
  if (before === 'absent') return 'The schedule is created.';
  if (after === 'closed') return 'The schedule is closed.';
  if (before === 'quarantined') return 'The schedule leaves quarantine.';
  if (after === 'paused') return 'The schedule pauses.';
  if (before === 'paused') return 'The schedule resumes.';
  return `The schedule becomes ${after}.`;
}

/** What a schedule does once it has left quarantine. */
function releasedSentences({ status, starts, next }: Omit<Effects, 'text'>): readonly string[] {
  if (status.after === 'paused') return ['It is paused.'];
  if (status.after !== 'running' || starts > 0 || next.after === null) return [];
  return [`Nothing starts at once: it is due next at ${next.after}.`];
}

/** What becomes of slots at once: for one, and for several. */
const outcomes: Readonly<Record<string, readonly [one: string, several: string]>> = {
  skippedOverlap: [
    'is skipped: the run before is still going (overlap policy)',
    'are skipped: the run before is still going (overlap policy)',
  ],
  buffered: ['waits for its turn', 'wait for their turn'],
  bufferFull: ['is skipped: the queue is full', 'are skipped: the queue is full'],
  coalesced: ['is merged into a later one', 'are merged into a later one'],
  limitReached: ['is skipped: no actions are left', 'are skipped: no actions are left'],
  missedWindow: ['is too old to run', 'are too old to run'],
  alreadyStarted: ['had run already', 'had run already'],
  paused: ['of the pause does not run', 'of the pause do not run'],
  cancelled: ['is cancelled', 'are cancelled'],
};

function outcomeWords(verdict: string, count: number): string {
  const [one, several] = outcomes[verdict] ?? [`becomes ${verdict}`, `become ${verdict}`];
  return count === 1 ? one : several;
}

function isStart(verdict: string): boolean {
  return verdict === 'started' || verdict === 'startedLate';
}

function runs(count: number): string {
  return count === 1 ? '1 run' : `${countText(count)} runs`;
}

function slotsText(count: number): string {
  return count === 1 ? '1 slot' : `${countText(count)} slots`;
}
