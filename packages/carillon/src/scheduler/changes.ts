/** What people do to a schedule: create, update, trigger, backfill, delete. Each is one transition. */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { WaitingStart } from './buffered-start.ts';
import { abandonDue } from './close-out.ts';
import { compiledOf } from './compiled-of.ts';
import type { OverlapPolicy, ScheduleDefinition } from './definition.ts';
import { generate } from './generate.ts';
import { judge, recordFinal } from './ledger.ts';
import { workflowBase } from './run-identity.ts';
import type { ScheduleNode, ScheduleState } from './schedule.ts';
import { countSlots, spend } from './slot-count.ts';
import { enqueue, processBuffer } from './start.ts';

/** More backfills at once are a sign of a runaway script, and each takes room in the schedule's row. */
export const mostBackfills = 100;

export function newScheduleState(now: Instant, remaining: number | null): ScheduleState {
  return {
    token: 1,
    updatedAt: now,
    closed: null,
    remaining,
    failures: 0,
    lastEventAt: now,
    causes: 0,
    counters: { actions: 0, overlapSkipped: 0, missedCatchupWindow: 0, bufferDropped: 0 },
  };
}

/** Fills a new schedule's tree and looks for its first slot. The first slot is the first one after now. */
export function fillSchedule(schedule: ScheduleNode, definition: ScheduleDefinition): void {
  // The transaction's clock is used, not the caller's.
  schedule.set({ ...schedule.state, updatedAt: schedule.now, lastEventAt: schedule.now });
  schedule.create('definition', definition);
  schedule.create('generator', { cursor: schedule.now, next: null, eras: [], stretch: null, pass: null });
  schedule.create('invoker', { waiting: [], open: 0, newest: [], starts: 0, stopping: null });
  schedule.create('lastCompletion', { result: null, failure: null });
  generate(schedule);
}

export function checkToken(schedule: ScheduleNode, token: number | undefined): void {
  if (token === undefined || token === schedule.state.token) return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'CONFLICT_TOKEN_MISMATCH',
    message: `mismatched conflict token: the schedule changed since it was read (token ${schedule.state.token}, you sent ${token}); read it again and repeat your change`,
  });
}

export function touch(schedule: ScheduleNode): void {
  schedule.set({ ...schedule.state, token: schedule.state.token + 1, updatedAt: schedule.now });
}

export interface Replacement {
  readonly definition: ScheduleDefinition;
  /** Absent: keeps the number that is left. */
  readonly remaining?: number | null;
}

/**
 * Replaces the definition. Slots that were due under the old one are handled under the old one; if the backlog is longer than
 * one pass, the remaining ones get the verdict superseded. Waiting starts stay, under the new policy.
 */
export function replaceDefinition(schedule: ScheduleNode, { definition, remaining }: Replacement): void {
  generate(schedule);
  const node = schedule.child('definition');
  const generator = schedule.child('generator');
  const specChanged = JSON.stringify(node.state.spec) !== JSON.stringify(definition.spec);
  if (specChanged) abandonDue(schedule, 'superseded', { supersededStamp: schedule.version });
  keepWorkflowIds(schedule, definition);
  node.set(definition);
  schedule.set({
    ...schedule.state,
    replacedAt: schedule.now,
    ...(remaining === undefined ? {} : { remaining }),
  });
  if (specChanged) {
    generator.set({ ...generator.state, cursor: schedule.now, eras: [], stretch: null, pass: null });
  }
  generate(schedule);
  processBuffer(schedule);
}

/** A start that waits keeps the workflow id that it was given; the rest of the new action applies to it. */
function keepWorkflowIds(schedule: ScheduleNode, definition: ScheduleDefinition): void {
  const invoker = schedule.child('invoker');
  const { waiting } = invoker.state;
  const base = workflowBase(schedule, schedule.child('definition').state);
  if (waiting.length === 0 || base === workflowBase(schedule, definition)) return;
  invoker.set({ ...invoker.state, waiting: waiting.map((start) => ({ workflowBase: base, ...start })) });
}

export interface TriggerRequest {
  readonly overlap?: OverlapPolicy;
  /** The nominal time of the run; absent: now. */
  readonly scheduledAt?: Instant;
}

/** Starts one run now, regardless of the spec. Returns its cause. */
export function trigger(schedule: ScheduleNode, request: TriggerRequest): string {
  const cause = `trigger:${nextCause(schedule)}`;
  const nominal = request.scheduledAt ?? schedule.now;
  const start: WaitingStart = {
    nominal,
    actual: nominal,
    cause,
    manual: true,
    state: 'pending',
    ...(request.scheduledAt === undefined ? { isTimeless: true } : {}),
    ...(request.overlap === undefined ? {} : { overlap: request.overlap }),
  };
  enqueue(schedule, [start]);
  return cause;
}

export interface BackfillRequest {
  /** Inclusive. */
  readonly from: Instant;
  readonly to: Instant;
  readonly overlap?: OverlapPolicy;
  /** Slots of the range to leave out. */
  readonly except?: readonly Instant[];
  readonly ratePerMinute?: number;
}

/** Refuses more backfills than may be under way at once. */
export function checkRoom(schedule: ScheduleNode, more: number): void {
  if (schedule.children('backfills').size + more > mostBackfills) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'TOO_MANY_BACKFILLS',
      message: `too many concurrent backfillers: ${mostBackfills} are under way; wait for one to end or cancel it`,
    });
  }
}

/** Adds a backfill for a range of slots and returns its id; `planIdle` starts it. */
export function addBackfill(schedule: ScheduleNode, request: BackfillRequest): string {
  checkRoom(schedule, 1);
  const id = String(nextCause(schedule));
  const cursor = addTime(request.from, -1);
  const { count, uncounted } = countSlots(schedule, cursor, request.to);
  const except = leftOut(schedule, request);
  schedule.add('backfills', id, {
    from: request.from,
    to: request.to,
    ...(request.overlap === undefined ? {} : { overlap: request.overlap }),
    ...(request.ratePerMinute === undefined ? {} : { ratePerMinute: request.ratePerMinute }),
    ...(except.length === 0 ? {} : { except }),
    cursor,
    handed: 0,
    total: uncounted ? null : count - except.length,
    createdAt: schedule.now,
    notBefore: schedule.now,
  });
  return id;
}

/** The slots among the times to leave out. A time that is not a slot would spoil the count. */
function leftOut(schedule: ScheduleNode, { from, to, except = [] }: BackfillRequest): readonly Instant[] {
  const compiled = compiledOf(schedule.child('definition').state);
  const within = [...new Set(except)].filter((at) => at >= from && at <= to);
  return within.filter((at) => spend(schedule, (budget) => compiled.matches(at, budget)));
}

/** Closes the schedule. Unfinished runs continue; starts that wait are cancelled, with a verdict. */
export function remove(schedule: ScheduleNode, by: string): void {
  abandonDue(schedule, 'cancelled', { by });
  const invoker = schedule.child('invoker');
  for (const start of invoker.state.waiting) recordFinal(schedule, judge(start, 'cancelled', { by }));
  invoker.set({ ...invoker.state, waiting: [] });
  for (const id of [...schedule.children('backfills').keys()]) schedule.remove('backfills', id);
  schedule.set({ ...schedule.state, closed: 'deleted' });
  schedule.report({ type: 'closed', reason: 'deleted' });
}

function nextCause(schedule: ScheduleNode): number {
  const causes = schedule.state.causes + 1;
  schedule.set({ ...schedule.state, causes });
  return causes;
}
