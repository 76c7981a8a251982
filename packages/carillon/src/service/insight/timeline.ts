/**
 * The slots of a schedule in a range of time, past and future: verdicts from the ledger with their runs, times that wait
 * for a verdict, times that the spec rules out, and projections.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import { optionsOf } from '../../runs/run.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { RunOutcome, RunRow, RunState, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { viewSlot } from '../journal-view.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { Durations } from './durations.ts';
import { durationsOf } from './durations.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf, versionSpans } from './history-material.ts';
import type { RuledOutAnswer } from './ruled-out.ts';
import { ruledOutIn } from './ruled-out.ts';

export interface TimelineSlot {
  /** The nominal time; the first one of a stretch. */
  readonly at: string;
  /** The last nominal time of a stretch; absent for a single slot. */
  readonly until?: string;
  /** The number of slots of a stretch; absent: one. */
  readonly count?: number;
  /**
   * `due` and `overdue` wait for their verdict; a slot of a pause that goes on is `paused` and has no `decidedAt` yet.
   */
  readonly verdict: Verdict | 'due' | 'overdue';
  /** Absent: `auto`, the schedule's own. */
  readonly cause?: string;
  readonly decidedAt?: string;
  /** The run that the slot started. */
  readonly runId?: string;
  /** The inputs that the decision saw: `blockedBy`, `ranAs`, `lateByMs`, `pausedBy`, … */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface TimelineRun {
  readonly id: string;
  /** The nominal time of its slot. */
  readonly at: string;
  readonly cause?: string;
  readonly state: RunState;
  readonly outcome?: RunOutcome;
  readonly attempt: number;
  /** When it was started: its first attempt may begin later. */
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly tookMs?: number;
  readonly worker?: string;
  /** Why it failed. */
  readonly error?: string;
}

export interface Projection {
  readonly at: string;
  /** The due time after jitter, when it differs. */
  readonly actual?: string;
  /** How many of the measured runs take longer than the time since the slot before; absent: none. */
  readonly tooLong?: { readonly runs: number; readonly of: number };
}

export interface Timeline extends Durations {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly zone: string;
  /** The slots, oldest first. */
  readonly slots: readonly TimelineSlot[];
  /** The runs of those slots, oldest first. */
  readonly runs: readonly TimelineRun[];
  /** Times that the spec rules out. */
  readonly ruledOut: readonly { readonly at: string; readonly verdict: RuledOutAnswer }[];
  /** Coming times. While the schedule is paused they show what a resume would bring. */
  readonly projected: readonly Projection[];
  /** Whether something was left out because there is more than `limit`: ask for a shorter range, or for bins. */
  readonly truncated: boolean;
}

export interface TimelineQuery extends Span {
  /** The most slots, and the most of every other kind of item. */
  readonly limit: number;
}

/** The most items of one kind that one answer has. */
export const mostTimelineItems = 2000;
/** The newest runs that durations are measured by. */
const measuredRuns = 100;

export async function readTimeline(
  store: Store,
  history: HistoryOf,
  { from, to, limit }: TimelineQuery,
): Promise<Timeline> {
  const { incarnation } = history.row;
  const { now } = history;
  const [ledger, recent] = await Promise.all([
    store.slots({ incarnation, from, to, limit }),
    store.runs({ owner: incarnation, payloads: false, limit: measuredRuns }),
  ]);
  const runs = await runsOf(store, ledger.items, recent.items);
  // Each part has its own share of work, so that a hard one leaves the others whole.
  const open = await openSlots(history, { from, to, limit }, new SlicedWork());
  const projected = await project(history, { from, to, limit }, recent.items, new SlicedWork());
  const ruledOut = await allRuledOut(history, { from, to, limit }, new SlicedWork());
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(now),
    zone: currentOf(history).definition.spec.zone ?? 'UTC',
    slots: [...ledger.items.map(slotOf), ...open.slots],
    runs: runs.map(runOf),
    ruledOut: ruledOut.times.map(({ at, verdict }) => ({ at: timeJson(at), verdict })),
    projected: projected.items,
    ...durationsOf(recent.items),
    truncated: ledger.next !== null || open.truncated || ruledOut.truncated || projected.truncated,
  };
}

/** The runs of the slots and those that prevented a start, read by id where they are not among the recent ones. */
async function runsOf(
  store: Store,
  slots: readonly SlotRow[],
  recent: readonly RunRow[],
): Promise<readonly RunRow[]> {
  const wanted = new Set<string>();
  for (const slot of slots) {
    if (slot.runId !== null) wanted.add(slot.runId);
    const blocker = viewSlot(slot).detail?.blockedBy;
    if (typeof blocker === 'string') wanted.add(blocker);
  }
  const found = recent.filter(({ id }) => wanted.has(id));
  for (const { id } of found) wanted.delete(id);
  const ids = [...wanted];
  const others =
    ids.length === 0 ? [] : (await store.runs({ ids, payloads: false, limit: ids.length })).items;
  return [...found, ...others].sort((a, b) => a.createdAt - b.createdAt);
}

/** Slots up to now that the ledger does not have yet: those of a pause that goes on, and those that are due. */
async function openSlots(history: HistoryOf, query: TimelineQuery, work: SlicedWork) {
  const { cursor, now, row } = history;
  const { definition } = currentOf(history);
  const from = Math.max(query.from, addTime(cursor, 1)) as Instant;
  const to = Math.min(query.to, now) as Instant;
  if (row.status === 'closed' || from > to) return { slots: [], truncated: false };
  const { seed, paused } = definition;
  const window = { from: addTime(from, -1), to };
  const found = await timesBetween(compiledOf(definition), { window, limit: query.limit, seed }, work);
  const slots = found.times
    .filter(({ actual }) => actual <= now)
    .map(({ nominal, actual }): TimelineSlot => {
      const at = timeJson(nominal);
      if (paused === null) return { at, verdict: now - actual > lateAfter ? 'overdue' : 'due' };
      const detail = { pausedBy: paused.by, note: paused.note, pausedAt: paused.at };
      return { at, verdict: 'paused', detail };
    });
  return { slots, truncated: found.truncated };
}

async function allRuledOut(history: HistoryOf, query: TimelineQuery, work: SlicedWork) {
  const from = Math.max(query.from, history.row.createdAt) as Instant;
  const to = Math.min(query.to, history.row.closedAt ?? query.to) as Instant;
  const times = [];
  let truncated = false;
  for (const span of versionSpans(history, { from, to })) {
    const { definition } = span.version;
    const found = await ruledOutIn(definition, span, query.limit - times.length, work);
    times.push(...found.times);
    truncated ||= found.truncated;
  }
  return { times, truncated };
}

async function project(
  history: HistoryOf,
  { from, to, limit }: TimelineQuery,
  recent: readonly RunRow[],
  work: SlicedWork,
): Promise<{ readonly items: readonly Projection[]; readonly truncated: boolean }> {
  const { now, remaining, row } = history;
  const nothing = { items: [], truncated: false };
  if (to <= now || row.status === 'closed' || remaining === 0) return nothing;
  const { definition } = currentOf(history);
  const window = { from: Math.max(addTime(from, -1), now) as Instant, to };
  const most = Math.min(limit, remaining ?? limit);
  const { seed } = definition;
  const found = await timesBetween(compiledOf(definition), { window, limit: most, seed }, work);
  const lengths = recent.filter(({ outcome }) => outcome === 'completed').map(durationOf);
  const measured = lengths.filter((length) => length !== null);
  let before: Instant | null = null;
  const items = found.times.map(({ nominal, actual }): Projection => {
    const gap: number = before === null ? Number.POSITIVE_INFINITY : nominal - before;
    before = nominal;
    const runs = measured.filter((length) => length > gap).length;
    return {
      at: timeJson(nominal),
      ...(actual === nominal ? {} : { actual: timeJson(actual) }),
      ...(runs === 0 ? {} : { tooLong: { runs, of: measured.length } }),
    };
  });
  return { items, truncated: found.truncated && most === limit };
}

function slotOf(row: SlotRow): TimelineSlot {
  const { nominal, until, count, verdict, cause, at, runId, detail } = viewSlot(row);
  return {
    at: timeJson(nominal),
    ...(count === 1 ? {} : { until: timeJson(until), count }),
    verdict: verdict as Verdict,
    ...(cause === auto ? {} : { cause }),
    decidedAt: timeJson(at),
    ...(runId === null ? {} : { runId }),
    ...(detail === null ? {} : { detail }),
  };
}

function runOf(run: RunRow): TimelineRun {
  const { nominal = run.createdAt, cause = auto } = optionsOf(run);
  const took = durationOf(run);
  const failure = run.outcome === 'completed' || run.result === null ? null : messageOf(run.result);
  return {
    id: run.id,
    at: timeJson(nominal),
    ...(cause === auto ? {} : { cause }),
    state: run.state,
    ...(run.outcome === null ? {} : { outcome: run.outcome }),
    attempt: run.attempt,
    createdAt: timeJson(run.createdAt),
    ...(run.startedAt === null ? {} : { startedAt: timeJson(run.startedAt) }),
    ...(run.finishedAt === null ? {} : { finishedAt: timeJson(run.finishedAt) }),
    ...(took === null ? {} : { tookMs: took }),
    ...(run.worker === '' ? {} : { worker: run.worker }),
    ...(failure === null ? {} : { error: failure }),
  };
}

function messageOf(failure: string): string | null {
  const { message } = JSON.parse(failure) as { readonly message?: unknown };
  return typeof message === 'string' ? message : null;
}
