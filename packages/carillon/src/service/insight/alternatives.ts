/**
 * What another setting would have made of a slot. Each answer comes from the same pure functions that decide in
 * production: the overlap policy, the search for due slots, the compiled spec. Runs that would then have existed are not
 * imagined: an answer is about this slot alone.
 */
import { formatDuration, roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, hour } from '../../base/time.ts';
import { findSlots } from '../../ledger/find-slots.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { MissedPolicy, OverlapPolicy, ScheduleDefinition } from '../../scheduler/definition.ts';
import { lateAfter, missedPolicies, overlapPolicies, unlimitedWindow } from '../../scheduler/definition.ts';
import type { Answer, Explanation, Silence } from '../../scheduler/explain.ts';
import { resolveOverlap } from '../../scheduler/policy/overlap.ts';
import type { Budget } from '../../spec/index.ts';
import type { RunRow } from '../../store/records.ts';

export interface Alternative {
  /** The setting and its other value, for example `overlap` and `bufferAll`. */
  readonly setting: 'overlap' | 'catchupWindow' | 'missed' | 'dst.gap' | 'dst.fold' | 'exclude';
  readonly value: string;
  /** What the slot would have become. */
  readonly answer: Answer;
  /** One sentence. */
  readonly text: string;
}

export interface AlternativesMaterial {
  readonly explanation: Explanation;
  readonly definition: ScheduleDefinition;
  /** The unfinished runs at the time of the decision. */
  readonly running: number;
  readonly blocker: RunRow | undefined;
  readonly silences: readonly Silence[];
}

/** The most alternatives of one answer. */
const most = 4;

export function alternativesOf(material: AlternativesMaterial, budget: Budget): readonly Alternative[] {
  switch (material.explanation.answer) {
    case 'skippedOverlap':
    case 'buffered':
      return otherOverlaps(material).slice(0, most);
    case 'missedWindow':
      return [...otherWindows(material, budget), ...otherMissed(material, budget)].slice(0, most);
    case 'coalesced':
    case 'startedLate':
      return otherMissed(material, budget).slice(0, most);
    case 'paused':
      return otherResumes(material, budget);
    case 'dstGap':
    case 'dstFold':
      return otherClockRules(material, budget).slice(0, most);
    case 'excluded':
      return [{ setting: 'exclude', value: 'none', answer: 'started', text: 'It would have been due.' }];
    default:
      return [];
  }
}

function otherOverlaps({ explanation, definition, running, blocker }: AlternativesMaterial): Alternative[] {
  const used = explanation.detail?.policy ?? definition.policy.overlap;
  const { limit } = definition.policy;
  // The slot was blocked, so at least as many runs were unfinished as the limit allows.
  const unfinished = Math.max(running, limit);
  return overlapPolicies
    .filter((overlap) => overlap !== used)
    .map((overlap): Alternative => {
      const decided = resolveOverlap({ waiting: [{ overlap }], running: unfinished, limit });
      const [answer, text] = overlapOutcome(decided, { explanation, definition, blocker });
      return { setting: 'overlap', value: overlap, answer, text };
    });
}

function overlapOutcome(
  { start, keep, stopRunning }: ReturnType<typeof resolveOverlap<{ overlap: OverlapPolicy }>>,
  { explanation, definition, blocker }: Pick<AlternativesMaterial, 'explanation' | 'definition' | 'blocker'>,
): readonly [Answer, string] {
  if (start.length > 0) return ['started', 'It would have run beside the other run.'];
  if (keep.length === 0) return ['skippedOverlap', 'It would have been skipped as well.'];
  if (stopRunning !== 'no') {
    const how = stopRunning === 'cancel' ? 'been asked to stop' : 'been terminated';
    return ['startedLate', `The run before it would have ${how}, and it would have started then.`];
  }
  const freedAt = blocker?.finishedAt ?? null;
  if (freedAt === null) return ['buffered', 'It would wait for the run before it to end.'];
  const lateBy = freedAt - explanation.at;
  if (lateBy > definition.policy.catchupWindowMs) {
    return [
      'missedWindow',
      `It would have waited ${roughDuration(lateBy)}, longer than its catch-up window.`,
    ];
  }
  const answer = lateBy > lateAfter ? 'startedLate' : 'started';
  return [answer, `It would have started ${roughDuration(lateBy)} late, when the run before it ended.`];
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
      return { setting: 'catchupWindow', value, answer, text };
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

/** Decides over the backlog once more, as the node that found it did, and reads what became of the slot. */
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

/** Bounds of one replay: more slots than this are not looked at. */
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
  if (verdict === 'coalesced') return { answer: 'coalesced', text: 'Another slot would have run for it.' };
  if (verdict !== undefined) return { answer: verdict, text: 'It would not have run either.' };
  const slot = due.find(({ nominal }) => nominal === at);
  if (slot === undefined) return { answer: 'due', text: 'It would have been looked at later.' };
  const lateBy = now - slot.actual;
  return lateBy > lateAfter
    ? { answer: 'startedLate', text: `It would have started ${roughDuration(lateBy)} late.` }
    : { answer: 'started', text: 'It would have started.' };
}

/** What a person who resumes can choose for the slots of the pause. */
function otherResumes({ explanation, definition }: AlternativesMaterial, budget: Budget): Alternative[] {
  const { at, decidedAt, detail } = explanation;
  const until = decidedAt ?? at;
  const since = (detail?.pausedAt ?? at) as Instant;
  const { catchupWindowMs: windowMs } = definition.policy;
  return (['latest', 'all'] as const).map((rule): Alternative => {
    const era = { until, rule, by: detail?.pausedBy ?? '', note: detail?.note ?? '', since };
    const begin = addTime(Math.min(since, at) as Instant, -1);
    const search = { definition, begin, now: until, windowMs, missed: rule, eras: [era] };
    const { answer } = outcomeIn(search, at, budget);
    const ran = answer === 'started' || answer === 'startedLate';
    const text = ran
      ? 'It would have run when the schedule was resumed.'
      : 'A later slot of the pause would have run for it.';
    return { setting: 'missed', value: rule === 'latest' ? 'once' : rule, answer, text };
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
        text: isDue ? 'It would have been due.' : 'It would not have been due either.',
      };
    });
}
