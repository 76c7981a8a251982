/**
 * The slots of a schedule in a range of time, past and future: verdicts from the ledger with their runs, times that wait
 * for a verdict, times that the spec rules out, and projections.
 */

import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import { loggedAttempts } from '../../runs/limits.ts';
import { optionsOf } from '../../runs/run.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import { zoneOfSpec } from '../../spec/index.ts';
import type { RunOutcome, RunRow, RunState, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { viewSlot } from '../journal-view.ts';
import type { AttemptView } from '../run-attempts.ts';
import { attemptsOfRuns, wasTriedAgain } from '../run-attempts.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { shownHolder } from '../workers/holder.ts';
import { allRuledOut } from './all-ruled-out.ts';
import { isUntaken } from './attention.ts';
import type { LikelyOverlap } from './chain-link.ts';
import { comingSlots } from './coming-slots.ts';
import type { Durations } from './durations.ts';
import { durationsOf } from './durations.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf } from './history-material.ts';
import { openSlotsIn } from './open-slots.ts';
import { isReplaced } from './replaced.ts';
import type { RuledOutAnswer } from './ruled-out.ts';

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
  /** It waits, and no worker has taken it for longer than that takes. */
  readonly untaken?: true;
  /** Its schedule's overlap policy stopped it for a later run. */
  readonly replaced?: true;
  /** Why it failed. */
  readonly error?: string;
  /** Its attempts, oldest first, when one of them failed and another followed; those of the newest runs only. */
  readonly attempts?: readonly TimelineAttempt[];
}

export interface TimelineAttempt {
  readonly startedAt: string;
  /** Absent while it goes on. */
  readonly finishedAt?: string;
  /** Why it failed; absent for one that did not. */
  readonly error?: string;
}

export interface Projection {
  readonly at: string;
  /** The due time after jitter, when it differs. */
  readonly actual?: string;
  /** How many of the measured runs would still be unfinished, so that the slot would be skipped; absent: none. */
  readonly tooLong?: LikelyOverlap;
  /** The present pause lasts until then, unless a person ends it: the slot will be passed over. */
  readonly passedOver?: true;
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
  /** Coming times. Those inside a pause that goes on show what a resume would bring. */
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
/**
 * The most attempts in one answer, those of the newest runs: they are drawn only where a slot has so much room that
 * fewer fit on a screen.
 */
const mostAttempts = 500;
/** The newest runs, whose durations the projections use. */
const recentRuns = 100;

export async function readTimeline(
  store: Store,
  history: HistoryOf,
  { from, to, limit }: TimelineQuery,
): Promise<Timeline> {
  const { incarnation } = history.row;
  const { now } = history;
  const [ledger, recent] = await Promise.all([
    store.slots({ incarnation, from, to, limit }),
    store.runs({ owner: incarnation, payloads: false, limit: recentRuns }),
  ]);
  const runs = await runsOf(store, ledger.items, recent.items);
  const attempts = await readTriedAgain(store, runs);
  // Each part has its own share of work, so that a hard one leaves the others whole.
  const open = await openSlots(history, { from, to, limit }, new SlicedWork());
  const projected = await project(history, { from, to, limit }, recent.items, new SlicedWork());
  const ruledOut = await allRuledOut(history, { from, to, limit }, new SlicedWork());
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(now),
    zone: zoneOfSpec(currentOf(history).definition.spec),
    slots: [...ledger.items.map(slotOf), ...open.slots],
    runs: runs.map((run) => runOf(run, now, attempts.get(run.id))),
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

/** The attempts of those runs that had more than one, read together. */
async function readTriedAgain(store: Store, runs: readonly RunRow[]) {
  const some: RunRow[] = [];
  let room = mostAttempts;
  for (const run of [...runs].reverse()) {
    if (!wasTriedAgain(run)) continue;
    room -= Math.min(run.attempt, loggedAttempts);
    if (room < 0) break;
    some.push(run);
  }
  return await attemptsOfRuns(store, some);
}

async function openSlots(history: HistoryOf, query: TimelineQuery, work: SlicedWork) {
  const { cursor, remaining, now, row } = history;
  if (row.status === 'closed') return { slots: [], truncated: false };
  const { definition } = currentOf(history);
  const found = await openSlotsIn({ definition, cursor, remaining, now }, query, work);
  const { paused } = definition;
  const detail =
    paused === null ? undefined : { pausedBy: paused.by, note: paused.note, pausedAt: paused.at };
  const slots = found.slots.map(({ nominal, verdict }): TimelineSlot => {
    return { at: timeJson(nominal), verdict, ...(verdict === 'paused' ? given({ detail }) : {}) };
  });
  return { slots, truncated: found.truncated };
}

async function project(
  history: HistoryOf,
  { from, to, limit }: TimelineQuery,
  recent: readonly RunRow[],
  work: SlicedWork,
): Promise<{ readonly items: readonly Projection[]; readonly truncated: boolean }> {
  const { definition } = currentOf(history);
  const found = await comingSlots(history, { from, to, limit }, work);
  const lengths = recent.filter(({ outcome }) => outcome === 'completed').map(durationOf);
  const measured = lengths.filter((length) => length !== null);
  const { overlap, limit: atOnce } = definition.policy;
  // The starts before each slot, oldest first; with room for several runs, the one in the way began as many starts before.
  const begun = recent.flatMap(({ state, createdAt }) => (state === 'done' ? [] : [createdAt])).reverse();
  const goingMs = overlap === 'skip' ? stuckFor(recent, { measured, atOnce, now: history.now }) : undefined;
  const items = found.slots.map(({ nominal, actual, isPassedOver }): Projection => {
    const shown = { at: timeJson(nominal), ...(actual === nominal ? {} : { actual: timeJson(actual) }) };
    if (isPassedOver) return { ...shown, passedOver: true };
    // Its end cannot be told from other runs: it is expected to go on as long as it has been going.
    if (goingMs !== undefined && nominal < history.now + goingMs)
      return { ...shown, tooLong: { runs: 0, of: measured.length, goingMs } };
    const blocker = begun.at(-atOnce);
    const gap = blocker === undefined || overlap !== 'skip' ? Number.POSITIVE_INFINITY : nominal - blocker;
    const runs = measured.filter((length) => length > gap).length;
    // A slot that will probably be skipped does not block the next one.
    if (runs * 2 < measured.length || runs === 0) begun.push(nominal);
    return { ...shown, ...(runs === 0 ? {} : { tooLong: { runs, of: measured.length } }) };
  });
  return { items, truncated: found.truncated };
}

/** How long the run that is in the way has been going, when all measured runs were shorter; undefined otherwise. */
function stuckFor(
  recent: readonly RunRow[],
  {
    measured,
    atOnce,
    now,
  }: { readonly measured: readonly number[]; readonly atOnce: number; readonly now: Instant },
): number | undefined {
  const going = recent.flatMap(({ state, startedAt }) =>
    state === 'done' || startedAt === null ? [] : [now - startedAt],
  );
  // Newest first: when this one ends there is room again.
  const inWay = going[atOnce - 1];
  if (inWay === undefined || measured.length === 0) return undefined;
  return inWay > Math.max(...measured) ? inWay : undefined;
}

/** The most coming slots that are examined to find out what blocks one of them. */
const mostBefore = 200;
/** From this share of the runs on, a coming slot is shown as likely to be skipped. */
const likely = 0.25;

/** How many of the measured runs would still block a coming slot; undefined when too few would. */
export async function likelySkip(
  history: HistoryOf,
  at: Instant,
  recent: readonly RunRow[],
): Promise<LikelyOverlap | undefined> {
  const query = { from: history.now, to: at, limit: mostBefore };
  const { items } = await project(history, query, recent.slice(0, recentRuns), new SlicedWork());
  const { tooLong } = items.findLast((item) => item.at === timeJson(at)) ?? {};
  if (tooLong === undefined) return undefined;
  return tooLong.goingMs !== undefined || tooLong.runs >= likely * tooLong.of ? tooLong : undefined;
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

function runOf(run: RunRow, now: Instant, attempts: readonly AttemptView[] = []): TimelineRun {
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
    ...(run.state === 'leased' ? { worker: shownHolder(run.worker, run.namespace) } : {}),
    ...(isUntaken(run, now) ? { untaken: true } : {}),
    ...(isReplaced(run) ? { replaced: true } : {}),
    ...(failure === null ? {} : { error: failure }),
    ...(attempts.length === 0 ? {} : { attempts: attempts.map(attemptOf) }),
  };
}

function attemptOf({ startedAt, finishedAt, error }: AttemptView): TimelineAttempt {
  return {
    startedAt: timeJson(startedAt),
    ...(finishedAt === null ? {} : { finishedAt: timeJson(finishedAt) }),
    ...(error === null ? {} : { error }),
  };
}

function messageOf(failure: string): string | null {
  const { message } = JSON.parse(failure) as { readonly message?: unknown };
  return typeof message === 'string' ? message : null;
}
