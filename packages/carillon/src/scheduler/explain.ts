/**
 * Answers "why did it, or did it not, run at that time?" from stored data: the ledger, the versions of the
 * definition, and the present state. Pure; the caller reads the data.
 */

import { roughDuration } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { KnowsRun } from '../runs/lapsed-runs.ts';
import type { Budget, ScheduleSpec } from '../spec/index.ts';
import { isBudgetExceeded } from '../spec/index.ts';
import type { RunRow, SlotRow } from '../store/records.ts';
import { clockEffect } from './clock-effect.ts';
import { comingAnswer } from './coming-words.ts';
import { compiledOf } from './compiled-of.ts';
import type { ScheduleDefinition } from './definition.ts';
import { lateAfter } from './definition.ts';
import { pausedWords, sentence } from './explain-words.ts';
import { auto } from './ledger.ts';
import { variantsOf } from './spec-variants.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

export interface DefinitionVersion {
  readonly stamp: number;
  /** The time from which the definition was in force. */
  readonly at: Instant;
  readonly definition: ScheduleDefinition;
}

export interface ExplainMaterial {
  readonly at: Instant;
  readonly now: Instant;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
  /** Why it is closed; null while it is open. */
  readonly closed: 'deleted' | 'idle' | null;
  /** The definitions, oldest first. */
  readonly versions: readonly DefinitionVersion[];
  /** Rows whose stretch touches the instant, of every cause. */
  readonly slots: readonly SlotRow[];
  /** Every slot up to this time has its verdict. */
  readonly cursor: Instant;
  /** Runs named by the slots. */
  readonly runs: ReadonlyMap<string, RunRow>;
  /** Stretches of time in which no node was alive. */
  readonly silences: readonly Silence[];
  /** Whether a living worker knows the name of a run. Default: one does. */
  readonly knows?: KnowsRun;
  /** The number of actions left; null, the default: unlimited. */
  readonly remaining?: number | null;
  /** Why the schedule is in quarantine; null, the default: it is not. */
  readonly incident?: string | null;
}

export interface Silence {
  readonly from: Instant;
  readonly to: Instant;
}

/** Answers that are not verdicts: the instant is not a slot, or not yet. */
export type Answer =
  | Verdict
  | 'notYet'
  | 'due'
  /** Its time came a while ago, and no node has decided about it. */
  | 'overdue'
  | 'notInSpec'
  | 'beforeCreation'
  | 'afterEnd'
  | 'forgotten';

/** Why a slot ran, did not run, or is not one. */
export interface Explanation {
  /** The time that was asked about. */
  readonly at: Instant;
  /** The verdict of the slot, or why there is none. */
  readonly answer: Answer;
  /** `auto`, or the id of the trigger or backfill that asked for the slot; null without a slot. */
  readonly cause: string;
  /** One or two plain sentences. */
  readonly text: string;
  /** The inputs the decision saw. */
  readonly detail: VerdictDetail | null;
  /** Definition that was in force. */
  readonly stamp: number | null;
  /** When it was decided; null when nothing was. */
  readonly decidedAt: Instant | null;
  /** The run of the slot; null when none started. */
  readonly run: RunRow | null;
  /** Slots before and after, for orientation when the instant is not a slot. */
  readonly previous: Instant | null;
  /** The next time of the schedule after this one; null when there is none. */
  readonly next: Instant | null;
}

/** Throws with reason `SPEC_BUDGET_EXCEEDED` when the budget ends; called again with another budget, it continues. */
export function explain(material: ExplainMaterial, budget: Budget): readonly Explanation[] {
  const version = versionAt(material.versions, material.at);
  const own = material.slots.filter((slot) => isAbout(slot, material, version, budget));
  const told = own.map((slot) => explainSlot(slot, material, version));
  if (own.some(({ cause }) => cause === auto)) return told;
  const absence = explainAbsence(material, version, budget);
  // The slot of a backfill may stand where the schedule's own one has no row yet; then both are told.
  return told.length === 0 || hasOpenSlot(absence) ? [...told, absence] : told;
}

function hasOpenSlot({ answer }: Explanation): boolean {
  return ['paused', 'limitReached', 'due', 'overdue'].includes(answer);
}

/** The definition in force at the instant: the last one written by then. */
export function versionAt(
  versions: readonly DefinitionVersion[],
  at: Instant,
): DefinitionVersion | undefined {
  return versions.findLast((version) => version.at <= at) ?? versions[0];
}

/** A stretch covers only the times its spec names. */
function isAbout(
  slot: SlotRow,
  { at }: ExplainMaterial,
  version: DefinitionVersion | undefined,
  budget: Budget,
): boolean {
  if (slot.nominal === at || slot.until === at) return true;
  return slot.count > 1 && version !== undefined && compiledOf(version.definition).matches(at, budget);
}

function explainSlot(
  slot: SlotRow,
  material: ExplainMaterial,
  version: DefinitionVersion | undefined,
): Explanation {
  const detail = slot.detail === null ? null : (JSON.parse(slot.detail) as VerdictDetail);
  const run = (slot.runId === null ? undefined : material.runs.get(slot.runId)) ?? null;
  const answer = slot.verdict as Verdict;
  return {
    at: material.at,
    answer,
    cause: slot.cause,
    text: `${sentence(answer, {
      slot,
      detail,
      run,
      actions: version?.definition.remaining ?? null,
      blocker: detail?.blockedBy === undefined ? undefined : material.runs.get(detail.blockedBy),
      knows: material.knows ?? (() => true),
    })}${silenceText(material, slot)}`,
    detail,
    stamp: version?.stamp ?? null,
    decidedAt: decidedAt(slot, material.at),
    run,
    previous: null,
    next: null,
  };
}

/**
 * A stretch keeps the time of its latest verdict. When that one was decided at its own time, so were the others, each at its
 * own; when it was decided late, all were decided together.
 */
function decidedAt(slot: SlotRow, at: Instant): Instant {
  const late = slot.at - slot.until;
  return slot.count > 1 && late >= 0 && late <= lateAfter ? addTime(at, late) : slot.at;
}

/** The sentence about a slot that came due while no node was alive, and so was decided only afterwards. */
function silenceText({ at, silences }: ExplainMaterial, slot: SlotRow): string {
  const silence = silences.find(({ from, to }) => at >= from && at <= to && slot.at >= to);
  if (silence === undefined || slot.cause !== auto) return '';
  return ` No node was alive from ${formatInstant(silence.from)} to ${formatInstant(silence.to)}.`;
}

function explainAbsence(
  material: ExplainMaterial,
  version: DefinitionVersion | undefined,
  budget: Budget,
): Explanation {
  const { at, now, createdAt, closedAt, cursor } = material;
  const about = (answer: Answer, text: string, detail: VerdictDetail | null = null): Explanation => {
    const compiled = version === undefined ? undefined : compiledOf(version.definition);
    return {
      at,
      answer,
      cause: auto,
      text,
      detail,
      stamp: version?.stamp ?? null,
      decidedAt: null,
      run: null,
      previous: nearby(() => compiled?.previous(at, { budget })),
      next: nearby(() => compiled?.next(at, { budget })),
    };
  };
  if (version === undefined) return about('forgotten', 'Nothing is stored about that time any more.');
  const { definition } = version;
  if (at < createdAt)
    return about('beforeCreation', `The schedule was created later, at ${formatInstant(createdAt)}.`);
  if (closedAt !== null && at > closedAt) return about('afterEnd', closedText(closedAt, material));
  if (!compiledOf(definition).matches(at, budget)) {
    const answer = ruledOutBy(definition, at, budget);
    return about(answer, ruledOutText(answer, definition, at, budget));
  }
  const { paused } = definition;
  const { remaining = null, incident = null } = material;
  const actual = actualOf(definition, at, budget);
  const isUsedUp = remaining === 0 && (paused === null || actual <= paused.at);
  if (at > Math.min(cursor, now) && (actual > now || isUsedUp)) {
    const { answer, text } = comingAnswer({ at, actual, now, definition, remaining, incident }, budget);
    return about(answer, text);
  }
  if (paused !== null && actual > paused.at) {
    const detail = { pausedBy: paused.by, note: paused.note, pausedAt: paused.at };
    return about(
      'paused',
      `The schedule ${pausedWords('is paused', detail)} since ${formatInstant(paused.at)}${paused.note && paused.by !== 'policy' ? ` ("${paused.note}")` : ''}.`,
      detail,
    );
  }
  if (at > cursor) {
    if (now - actual <= lateAfter) return about('due', 'It is due and will be handled in a moment.');
    return about('overdue', overdueText(now - actual, incident));
  }
  return about('forgotten', 'The ledger does not reach back to that time any more.');
}

/** When a slot is due: its time plus jitter. */
function actualOf(definition: ScheduleDefinition, at: Instant, budget: Budget): Instant {
  const { spec, seed } = definition;
  if (spec.jitterMs === undefined) return at;
  const found = compiledOf(definition).next(addTime(at, -1), { seed, budget });
  return found?.nominal === at ? found.actual : at;
}

function overdueText(late: number, incident: string | null): string {
  const since = `It was due ${roughDuration(late)} ago and has no verdict`;
  if (incident === null) return `${since}: no node has looked at it yet.`;
  return `${since}: the schedule is in quarantine, and a person has to release it.`;
}

function closedText(closedAt: Instant, { closed, versions }: ExplainMaterial): string {
  const at = formatInstant(closedAt);
  if (closed !== 'idle') return `The schedule was ${closed === 'deleted' ? 'deleted' : 'closed'} at ${at}.`;
  const idleMs = versions.at(-1)?.definition.policy.idleCloseMs ?? 0;
  return `The schedule was closed at ${at}: it had no work left for ${roughDuration(idleMs)} (idleClose).`;
}

/** A spec that excludes nearly everything has no neighbours worth the search; the answer is complete without them. */
function nearby(search: () => { readonly nominal: Instant } | undefined): Instant | null {
  try {
    return search()?.nominal ?? null;
  } catch (error) {
    if (isBudgetExceeded(error)) return null;
    throw error;
  }
}

export type RulingOut = 'outOfBounds' | 'excluded' | 'dstFold' | 'dstGap' | 'notInSpec';

/** Which part of the spec excludes an instant, found by removing the parts one by one. */
export function ruledOutBy(definition: ScheduleDefinition, at: Instant, budget: Budget): RulingOut {
  const { unbounded, unexcluded, bothCopies, shifted } = variantsOf(definition.spec);
  const matches = (spec: ScheduleSpec) => compiledOf({ ...definition, spec }).matches(at, budget);
  if (matches(unbounded)) return 'outOfBounds';
  if (matches(unexcluded)) return 'excluded';
  if (matches(bothCopies)) return 'dstFold';
  return matches(shifted) ? 'dstGap' : 'notInSpec';
}

function ruledOutText(
  answer: RulingOut,
  definition: ScheduleDefinition,
  at: Instant,
  budget: Budget,
): string {
  switch (answer) {
    case 'outOfBounds':
      return boundText(definition.spec, at);
    case 'excluded':
      return 'An exclusion of the spec removes it.';
    case 'dstFold':
      return foldText(definition, at, budget);
    case 'dstGap':
      return gapText(definition, at, budget);
    case 'notInSpec':
      return 'The spec does not name this time.';
  }
}

function boundText({ startAt, endAt }: ScheduleSpec, at: Instant): string {
  if (startAt !== undefined && at < startAt)
    return `It lies before the times of the spec, which begin at ${formatInstant(startAt)}.`;
  if (endAt !== undefined && at > endAt)
    return `It lies after the times of the spec, which end at ${formatInstant(endAt)}.`;
  return 'It lies outside the start and end of the spec.';
}

function gapText(definition: ScheduleDefinition, at: Instant, budget: Budget): string {
  const named = clockEffect(definition, at, budget)?.named ?? 'this time';
  return `The clock skips ${named} on this day, and the spec leaves out times that do not exist.`;
}

function foldText(definition: ScheduleDefinition, at: Instant, budget: Budget): string {
  const effect = clockEffect(definition, at, budget);
  const which = effect?.other == null ? 'the other one' : `the one at ${formatInstant(effect.other)}`;
  return `The clock is set back on this day and ${effect?.named ?? 'this time'} comes twice; ${which} is the one that fires.`;
}
