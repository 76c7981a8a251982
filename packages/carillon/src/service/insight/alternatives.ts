/**
 * What another setting would have made of a slot. Each answer comes from the same pure functions that decide in
 * production: the overlap policy, the search for due slots, the compiled spec. A setting that would have changed nothing
 * is left out.
 */
import { formatDuration, roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, formatInstant, hour } from '../../base/time.ts';
import { findSlots } from '../../ledger/find-slots.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { MissedPolicy, ScheduleDefinition } from '../../scheduler/definition.ts';
import { lateAfter, missedPolicies, unlimitedWindow } from '../../scheduler/definition.ts';
import type { Answer, Explanation, Silence } from '../../scheduler/explain.ts';
import { variantsOf } from '../../scheduler/spec-variants.ts';
import type { Budget } from '../../spec/index.ts';
import type { RunRow } from '../../store/records.ts';
import type { Durations } from './durations.ts';
import { otherOverlaps } from './other-overlaps.ts';

export interface Alternative {
  /** The setting and its other value, for example `overlap` and `bufferAll`; `resume` is what a person may choose then. */
  readonly setting:
    | 'overlap'
    | 'limit'
    | 'outstanding'
    | 'timeout'
    | 'catchup'
    | 'missed'
    | 'resume'
    | 'dst.gap'
    | 'dst.fold'
    | 'exclude'
    | 'startAt'
    | 'endAt';
  readonly value: string;
  /** What the slot would have become. */
  readonly answer: Answer;
  /** What it would have been, in a few words: `started at …, 53m late`. */
  readonly text: string;
}

export interface AlternativesMaterial {
  readonly explanation: Explanation;
  readonly definition: ScheduleDefinition;
  /** The unfinished runs at the time of the decision. */
  readonly running: number;
  readonly blocker: RunRow | undefined;
  /** Earlier slots that the same run blocked, oldest first. */
  readonly waiting: readonly Instant[];
  readonly silences: readonly Silence[];
  readonly now: Instant;
  readonly usual: Durations;
}

/** The most alternatives of one answer. */
const most = 4;

export function alternativesOf(material: AlternativesMaterial, budget: Budget): readonly Alternative[] {
  const { answer } = material.explanation;
  return triedFor(material, budget)
    .filter((alternative) => alternative.answer !== answer)
    .slice(0, most);
}

function triedFor(material: AlternativesMaterial, budget: Budget): readonly Alternative[] {
  const { explanation, definition } = material;
  const { at, answer, detail } = explanation;
  switch (answer) {
    case 'skippedOverlap':
    case 'buffered':
      return detail?.setting === undefined ? overlapsFor(material) : [];
    case 'bufferFull':
      return otherRoom(material);
    case 'missedWindow':
      return [...otherWindows(material, budget), ...otherMissed(material, budget)];
    case 'startedLate':
      return detail?.waited === true ? overlapsFor(material) : otherMissed(material, budget);
    case 'coalesced':
      return otherMissed(material, budget);
    case 'paused':
      return otherResumes(material, budget);
    case 'dstGap':
    case 'dstFold':
      return otherClockRules(material, budget);
    case 'excluded':
      return without(
        'exclude',
        compiledOf({ ...definition, spec: variantsOf(definition.spec).unexcluded }).matches(at, budget),
      );
    case 'outOfBounds': {
      const { startAt, endAt } = definition.spec;
      const isEarly = startAt !== undefined && at < startAt;
      const isNamed = compiledOf({ ...definition, spec: variantsOf(definition.spec).unbounded }).matches(
        at,
        budget,
      );
      return isEarly || endAt !== undefined ? without(isEarly ? 'startAt' : 'endAt', isNamed) : [];
    }
    default:
      return [];
  }
}

function without(setting: 'exclude' | 'startAt' | 'endAt', isNamed: boolean): readonly Alternative[] {
  return isNamed ? [{ setting, value: 'none', answer: 'started', text: 'one of its times' }] : [];
}

function overlapsFor({ explanation, definition, ...material }: AlternativesMaterial): readonly Alternative[] {
  const { at, decidedAt, detail } = explanation;
  const { policy } = definition;
  return otherOverlaps({
    ...material,
    at,
    // A slot that waited could have started at its time.
    decidedAt: detail?.waited === true ? at : (decidedAt ?? at),
    policy,
    used: detail?.policy ?? policy.overlap,
  });
}

/** The smallest number of unfinished runs with which it would have started. */
function otherRoom({ explanation: { detail } }: AlternativesMaterial): readonly Alternative[] {
  if (detail?.outstanding === undefined) return [];
  const value = String(detail.outstanding + 1);
  return [{ setting: 'outstanding', value, answer: 'started', text: 'started on time, beside the others' }];
}

function otherWindows(material: AlternativesMaterial, budget: Budget): Alternative[] {
  const { explanation, definition } = material;
  const late = (explanation.decidedAt ?? explanation.at) - explanation.at;
  const enough = [hour, 2 * hour, 6 * hour, 12 * hour, day, 7 * day].find((window) => window >= late);
  return [enough ?? unlimitedWindow]
    .filter((window) => window > definition.policy.catchupWindowMs)
    .map((catchupWindowMs): Alternative => {
      const value = catchupWindowMs === unlimitedWindow ? 'unlimited' : formatDuration(catchupWindowMs);
      const { answer, text } = replay(
        material,
        { catchupWindowMs, missed: definition.policy.missed },
        budget,
      );
      return { setting: 'catchup', value, answer, text };
    });
}

function otherMissed(material: AlternativesMaterial, budget: Budget): Alternative[] {
  const { catchupWindowMs, missed: used } = material.definition.policy;
  return missedPolicies
    .filter((missed) => missed !== used)
    .map((missed) => ({
      setting: 'missed',
      value: missed,
      ...replay(material, { catchupWindowMs, missed }, budget),
    }));
}

interface Rules {
  readonly catchupWindowMs: number;
  readonly missed: MissedPolicy;
}

/** Repeats the decision over the backlog, as the node that found it made it, and returns what became of the slot. */
function replay(
  { explanation, definition, silences }: AlternativesMaterial,
  { catchupWindowMs: windowMs, missed }: Rules,
  budget: Budget,
): Pick<Alternative, 'answer' | 'text'> {
  const { at, decidedAt } = explanation;
  const now = decidedAt ?? at;
  const silence = silences.find(({ from, to }) => at >= from && at <= to);
  const begin = silence === undefined ? addTime(at, -1) : (Math.min(silence.from, at - 1) as Instant);
  const search = { definition, begin, now, windowMs, missed, eras: [] };
  return outcomeIn(search, at, budget);
}

interface Replay {
  readonly definition: ScheduleDefinition;
  readonly begin: Instant;
  readonly now: Instant;
  readonly windowMs: number;
  readonly missed: MissedPolicy;
  readonly eras: Parameters<typeof findSlots>[0]['eras'];
}

/** The most slots of one replay. */
const replayed = 5000;

function outcomeIn(search: Replay, at: Instant, budget: Budget): Pick<Alternative, 'answer' | 'text'> {
  const { definition, begin, now, windowMs, missed, eras } = search;
  const { due, judged } = findSlots({
    compiled: compiledOf(definition),
    seed: definition.seed,
    cursor: begin,
    pass: null,
    now,
    eras,
    windowMs,
    missed,
    most: { slots: replayed, starts: replayed, room: replayed, buffer: replayed },
    budget,
  });
  const verdict = judged.find(({ nominal }) => nominal === at)?.verdict;
  if (verdict === 'coalesced') return { answer: 'coalesced', text: mergedText(due, at) };
  if (verdict !== undefined) return { answer: verdict, text: 'missed, and not run' };
  const slot = due.find(({ nominal }) => nominal === at);
  if (slot === undefined) return { answer: 'due', text: 'decided later' };
  const lateBy = now - slot.actual;
  return lateBy > lateAfter
    ? { answer: 'startedLate', text: `started at ${formatInstant(now)}, ${roughDuration(lateBy)} late` }
    : { answer: 'started', text: 'started on time' };
}

/** Names the slot that runs instead of a coalesced one: the next one that is left, or the last. */
function mergedText(due: readonly { readonly nominal: Instant }[], at: Instant): string {
  const ran = due.find(({ nominal }) => nominal > at) ?? due.at(-1);
  return ran === undefined ? 'merged into another' : `merged into ${formatInstant(ran.nominal)}`;
}

/**
 * What the person who resumes can choose for the slots of the pause. A pause that goes on is treated as if it ended
 * now.
 */
function otherResumes({ explanation, definition, now }: AlternativesMaterial, budget: Budget): Alternative[] {
  const { at, decidedAt, detail } = explanation;
  const until = decidedAt ?? now;
  const since = (detail?.pausedAt ?? at) as Instant;
  const { catchupWindowMs: windowMs } = definition.policy;
  return (['latest', 'all'] as const).map((rule): Alternative => {
    const era = { until, rule, by: detail?.pausedBy ?? '', note: detail?.note ?? '', since };
    const begin = addTime(Math.min(since, at) as Instant, -1);
    const search = { definition, begin, now: until, windowMs, missed: rule, eras: [era] };
    const value = rule === 'latest' ? 'once' : rule;
    return { setting: 'resume', value, ...outcomeIn(search, at, budget) };
  });
}

function otherClockRules({ explanation, definition }: AlternativesMaterial, budget: Budget): Alternative[] {
  const { at, answer } = explanation;
  const { spec } = definition;
  const used = answer === 'dstGap' ? spec.dst?.gap : spec.dst?.fold;
  const rules = answer === 'dstGap' ? (['shift', 'gapEnd'] as const) : (['first', 'last', 'both'] as const);
  return rules
    .filter((value) => value !== used)
    .map((value): Alternative => {
      const dst = { ...spec.dst, [answer === 'dstGap' ? 'gap' : 'fold']: value };
      const isDue = compiledOf({ ...definition, spec: { ...spec, dst } as typeof spec }).matches(at, budget);
      return {
        setting: answer === 'dstGap' ? 'dst.gap' : 'dst.fold',
        value,
        answer: isDue ? 'started' : answer,
        text: isDue ? 'started at this time' : 'left out as well',
      };
    });
}
