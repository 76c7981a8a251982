/**
 * What a change would do, told before it is done. The change itself is decided as always, in a transaction that
 * writes nothing; the effects are read from what it would have written.
 */
import { roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day } from '../../base/time.ts';
import { readDocument } from '../../engine/document.ts';
import { readStamp } from '../../engine/history.ts';
import { auto } from '../../ledger/ledger.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { Definition } from '../../scheduler/definition.ts';
import type { StopRequest } from '../../scheduler/invoker.ts';
import { stopRuns } from '../../scheduler/invoker.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { ExecutionWrite, ListedExecution } from '../../store/records.ts';
import type { Writes } from '../../store/store.ts';
import { viewSlot } from '../journal-view.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { FieldChange } from './field-diff.ts';
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
  /** The first slots of the range, at most 200, with the verdict that the ledger has of each. */
  readonly items: readonly {
    readonly at: string;
    readonly verdict: Verdict | null;
    readonly runId: string | null;
  }[];
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
  const status = {
    before: before === undefined ? ('absent' as const) : statusOf(before, before.attributes),
    after: written === undefined ? ('absent' as const) : statusOf(written, attributes),
  };
  const effects = {
    status,
    next: { before: nextOf(before), after: nextOf(written) },
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
  return { text: sentences(effects), ...effects };
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
  const to = definition.paused?.until ?? addTime(now, day);
  const window = { from: now, to };
  const { seed } = definition;
  const found = await timesBetween(
    compiledOf(definition),
    { window, limit: mostCounted, seed },
    new SlicedWork(),
  );
  return { from: timeJson(now), to: timeJson(to), count: found.times.length, isExact: !found.truncated };
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

function sentences(effects: Omit<Effects, 'text'>): readonly string[] {
  const { status, starts, stops, running, verdicts, passedOver: over, changes, range } = effects;
  const text: string[] = [];
  if (status.before !== status.after) text.push(stateSentence(status));
  if (starts > 0) text.push(`${runs(starts)} ${starts === 1 ? 'starts' : 'start'} at once.`);
  for (const [verdict, count] of Object.entries(verdicts)) {
    if (!isStart(verdict)) text.push(`${slotsText(count)} ${count === 1 ? 'becomes' : 'become'} ${verdict}.`);
  }
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
  if (changes.length > 0) text.push(`Changes ${changes.map(({ path }) => path).join(', ')}.`);
  if (status.after === 'closed' && running > 0)
    text.push(`${runs(running)} ${running === 1 ? 'goes' : 'go'} on.`);
  return text.length === 0 ? ['Nothing changes.'] : text;
}

function stateSentence({ before, after }: Effects['status']): string {
  if (before === 'absent') return 'The schedule is created.';
  if (after === 'closed') return 'The schedule is closed.';
  if (after === 'paused') return 'The schedule pauses.';
  if (before === 'paused') return 'The schedule resumes.';
  return `The schedule becomes ${after}.`;
}

function isStart(verdict: string): boolean {
  return verdict === 'started' || verdict === 'startedLate';
}

function runs(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}

function slotsText(count: number): string {
  return count === 1 ? '1 slot' : `${count} slots`;
}
