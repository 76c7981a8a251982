/**
 * How a verdict came about, as a chain of two to five links: the cause first, the verdict last. Each link is one
 * sentence, one line of detail, and what it leads to. Pure; the caller reads the data.
 */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import type { Failure } from '../../runs/failure.ts';
import { optionsOf } from '../../runs/run.ts';
import type { ClockEffect } from '../../scheduler/clock-effect.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import { hadBegun } from '../../scheduler/explain-words.ts';
import { describeSpec } from '../../spec/index.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import {
  boundLink,
  excludedLink,
  failuresLink,
  fullLink,
  limitLink,
  missedLink,
  overlapLink,
  rule,
  unclaimedLink,
  windowLink,
} from './chain-rules.ts';
import type { Durations } from './durations.ts';
import type { WrittenVersion } from './setting-origin.ts';

export type LinkType = 'spec' | 'slot' | 'run' | 'person' | 'rule' | 'silence' | 'clock' | 'verdict';

export interface ChainLink {
  readonly type: LinkType;
  /** When it happened; null where no time applies. */
  readonly at: string | null;
  /** One sentence. */
  readonly text: string;
  /** One line of detail; empty when there is none. */
  readonly detail: string;
  /** What it leads to: a run, another slot of the schedule, a version, or a person of the audit. */
  readonly subject: LinkSubject | null;
}

export type LinkSubject =
  | { readonly type: 'run'; readonly id: string }
  | { readonly type: 'slot'; readonly at: string }
  | { readonly type: 'version'; readonly stamp: number }
  | { readonly type: 'person'; readonly name: string };

export interface ChainMaterial {
  readonly explanation: Explanation;
  readonly definition: ScheduleDefinition | undefined;
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly silences: readonly Silence[];
  readonly usual: Durations;
  /** The changes of the schedule, newest first. */
  readonly audit: readonly AuditRow[];
  /** The versions that changed something, oldest first. */
  readonly versions: readonly WrittenVersion[];
  /** Earlier slots that the same run blocked. */
  readonly waiting: readonly Instant[];
  /** The end of the pause that the slot fell into; undefined while it goes on, and for other slots. */
  readonly resumed?: Act | undefined;
  /** How many of the measured runs would still be in the way of a slot to come; undefined when too few would be. */
  readonly tooLong?: TooLong | undefined;
  /** What a change of the clock made of the slot; undefined when none touches it. */
  readonly clock?: ClockEffect | undefined;
}

interface TooLong {
  readonly runs: number;
  readonly of: number;
}

const mostLinks = 5;

export function chainOf(material: ChainMaterial): readonly ChainLink[] {
  const links = [...causesOf(material), verdictLink(material)];
  // The sentence about the spec says what the change of the clock does as well.
  return links.length > mostLinks ? links.filter(({ type }) => type !== 'clock') : links;
}

function causesOf(material: ChainMaterial): readonly ChainLink[] {
  const { explanation } = material;
  const first = [...clockLinks(material), originLink(material)];
  switch (explanation.answer) {
    case 'started':
      return [...first, ...runLinks(explanation.run, material)];
    case 'startedLate':
      return [...first, ...delayLinks(material), ...runLinks(explanation.run, material)];
    case 'buffered':
    case 'skippedOverlap': {
      const blocked = blockerLinks(material);
      return [...(blocked.length > 0 ? blocked : first), overlapLink(material)];
    }
    case 'missedWindow':
      return [...first, ...delayLinks(material), windowLink(material)];
    case 'coalesced':
      return [...delayLinks(material), missedLink(material), ...ranAsLinks(material)];
    case 'paused':
      return [...first, ...pauseLinks(material), ...resumeLinks(material)];
    case 'superseded':
    case 'cancelled':
      return [...first, ...personLinks(material)];
    case 'limitReached':
      return [...first, limitLink(material)];
    case 'bufferFull':
      return [...first, fullLink(material)];
    case 'alreadyStarted':
      return [...takenLinks(material), ...first, rule('A slot that has a run does not start by itself.', '')];
    case 'noWorker':
      return [...first, ...runLinks(explanation.run, material).slice(0, 1), unclaimedLink(material)];
    case 'excluded':
      return [...first, excludedLink(material)];
    case 'outOfBounds':
      return [...first, boundLink(material)];
    case 'notYet':
      return [...first, ...comingLinks(material)];
    case 'notInSpec':
      return [...first, ...nearbyLinks(material)];
    case 'beforeCreation':
      return creationLinks(material);
    case 'afterEnd':
      return endLinks(material);
    case 'forgotten':
      return [
        rule('Slots are kept for a while and then removed.', 'retention, in the settings of the server'),
      ];
    default:
      return [...first, ...runLinks(explanation.run, material)];
  }
}

const noSubject = null;

/** Why there is a slot at all: the spec names it, or a person asked for it. */
function originLink({ explanation, definition, audit, clock }: ChainMaterial): ChainLink {
  const { at, cause } = explanation;
  if (cause !== auto) return askedLink(audit, cause, explanation.decidedAt);
  const words = definition === undefined ? '' : describeSpec(definition.spec);
  return {
    type: 'spec',
    at: timeJson(at),
    text: namedText(explanation.answer, clock),
    detail: words,
    subject: explanation.stamp === null ? noSubject : { type: 'version', stamp: explanation.stamp },
  };
}

/** The person who asked for a run that the schedule did not start by itself. */
function askedLink(audit: readonly AuditRow[], cause: string, at: Instant | null): ChainLink {
  const asked = audit.find(({ action, at: when }) => cause.startsWith(action) && when <= (at ?? when));
  const what = cause.startsWith('trigger') ? 'asked for a run now.' : 'asked for the slots of this range.';
  return personLink({ at: asked?.at ?? at, by: asked?.actor ?? '', note: asked?.note ?? '' }, what);
}

/** The run that the slot has already, and who asked for it. */
function takenLinks(material: ChainMaterial): readonly ChainLink[] {
  const { run } = material.explanation;
  if (run === null) return [];
  const { cause = auto } = optionsOf(run);
  const asked = cause === auto ? [] : [askedLink(material.audit, cause, run.createdAt)];
  return [...asked, ...runLinks(run, material).slice(0, 1)];
}

function namedText(answer: Explanation['answer'], clock: ClockEffect | undefined): string {
  if (clock !== undefined) return clockText(answer, clock);
  return answer === 'notInSpec' ? 'The spec names other times.' : 'The spec names this time.';
}

/** The wall-clock time that the spec names, and what the clock makes of it. */
function clockText(
  answer: Explanation['answer'],
  { named, here, byMs, changedAt, other }: ClockEffect,
): string {
  if (byMs > 0) {
    const moved = answer === 'dstGap' ? '' : `: it moves to ${here}`;
    return `The spec names ${named}, which the clock skips on this day${moved}.`;
  }
  const which = other !== null && other < changedAt ? 'second' : 'first';
  return `The spec names ${named}, which comes twice on this day: this is the ${which} of the two.`;
}

function runLinks(run: RunRow | null, { usual }: ChainMaterial): readonly ChainLink[] {
  if (run === null) return [];
  const began: ChainLink = {
    type: 'run',
    at: timeJson(run.startedAt ?? run.createdAt),
    text: `Run ${run.id} ${run.startedAt !== null ? 'began' : run.state === 'done' ? 'waited for a worker in vain' : 'waits for a worker'}.`,
    detail: run.startedAt === null ? `'${run.name}' on the queue '${run.queue}'` : usualText(usual),
    subject: { type: 'run', id: run.id },
  };
  if (run.outcome === null || run.outcome === 'completed' || run.startedAt === null) return [began];
  const tries = run.attempt > 1 ? `, in attempt ${run.attempt}` : '';
  const length = durationOf(run);
  return [
    began,
    {
      type: 'run',
      at: timeJson(run.finishedAt),
      text: `It ${endWords[run.outcome]}${length === null ? '' : ` after ${roughDuration(length)}`}${tries}.`,
      detail: messageOf(run),
      subject: noSubject,
    },
  ];
}

const endWords = {
  failed: 'failed',
  timedOut: 'timed out',
  cancelled: 'was cancelled',
  terminated: 'was terminated',
} as const;

/** The run in the way: when it began and for which slot, and how long it had been going. */
function blockerLinks(material: ChainMaterial): readonly ChainLink[] {
  const { explanation, runs, usual } = material;
  const id = explanation.detail?.blockedBy;
  if (id === undefined) return [];
  const subject = { type: 'run', id } as const;
  const run = runs.get(id);
  const { at, decidedAt } = explanation;
  const isWaiting = run !== undefined && !hadBegun(run, decidedAt ?? at) && run.createdAt <= at;
  if (run === undefined || run.startedAt === null || isWaiting) {
    const text =
      run === undefined ? `Run ${id} was still going.` : `Run ${id} was still waiting for a worker.`;
    return [{ type: 'run', at: timeJson(run?.createdAt ?? null), text, detail: usualText(usual), subject }];
  }
  const { nominal, cause = auto } = optionsOf(run);
  const origin = nominal === undefined ? '' : `for the slot of ${formatInstant(nominal)}`;
  const began: ChainLink = {
    type: 'run',
    at: timeJson(run.startedAt),
    text: `Run ${id} began.`,
    detail: cause === auto ? origin : 'by hand',
    subject,
  };
  // After an outage both were decided at once, and the other one was first.
  if (run.startedAt > at) return [...delayLinks(material), began];
  const text = `It had been going for ${roughDuration(at - run.startedAt)}.`;
  return [began, { type: 'run', at: timeJson(at), text, detail: usualText(usual), subject: noSubject }];
}

function usualText({ p50Ms, p95Ms, measured }: Durations): string {
  if (p50Ms === null || p95Ms === null) return 'No run of this schedule has been measured yet.';
  return `Usually ${roughDuration(p50Ms)}, at most ${roughDuration(p95Ms)} in 95 of 100 (${countText(measured)} runs).`;
}

/** Why the slot was decided late: no node was alive, or it waited for a run. */
function delayLinks(material: ChainMaterial): readonly ChainLink[] {
  const { explanation, silences } = material;
  const { at, decidedAt, detail } = explanation;
  const silence = silences.find(({ from, to }) => at >= from && at <= to);
  if (silence !== undefined) {
    return [
      {
        type: 'silence',
        at: timeJson(silence.from),
        text: `No node was alive for ${roughDuration(silence.to - silence.from)}.`,
        detail: `from ${formatInstant(silence.from)} to ${formatInstant(silence.to)}`,
        subject: noSubject,
      },
    ];
  }
  if (detail?.waited === true) return [waitLink(material)];
  if (decidedAt === null || decidedAt <= at) return [];
  const late = `${roughDuration(decidedAt - at)} after its time`;
  return [
    {
      type: 'silence',
      at: timeJson(decidedAt),
      text: `It was looked at ${late}.`,
      detail: '',
      subject: noSubject,
    },
  ];
}

function ranAsLinks({ explanation }: ChainMaterial): readonly ChainLink[] {
  const ranAs = explanation.detail?.ranAs;
  return ranAs === undefined ? [] : [slotLink(ranAs, 'ran for all of them.')];
}

/** The run that it waited for, and the rule that made it wait. */
function waitLink(material: ChainMaterial): ChainLink {
  const { detail: written, subject } = overlapLink(material);
  const run = freeingRun(material);
  if (run === undefined) return { ...rule('It waited for an earlier run to end.', written), subject };
  return {
    type: 'run',
    at: timeJson(run.finishedAt),
    text: `Run ${run.id}, which it waited for, ended.`,
    detail: written,
    subject: { type: 'run', id: run.id },
  };
}

/** The run whose end let a waiting slot start. */
export function freeingRun({
  explanation: { detail },
  runs,
}: Pick<ChainMaterial, 'explanation' | 'runs'>): RunRow | undefined {
  if (detail?.freedAt === undefined) return undefined;
  return [...runs.values()].find(({ finishedAt }) => finishedAt === detail.freedAt);
}

/** The slots around a time that is not a slot. */
function nearbyLinks({ explanation: { previous, next } }: ChainMaterial): readonly ChainLink[] {
  return [
    ...(previous === null ? [] : [slotLink(previous, 'is the slot before it.')]),
    ...(next === null ? [] : [slotLink(next, 'is the slot after it.')]),
  ];
}

function slotLink(at: Instant, what: string): ChainLink {
  const text = `${formatInstant(at)} ${what}`;
  return { type: 'slot', at: null, text, detail: '', subject: { type: 'slot', at: timeJson(at) } };
}

function pauseLinks(material: ChainMaterial): readonly ChainLink[] {
  const { pausedBy: by = '', note = '', pausedAt: at = null } = material.explanation.detail ?? {};
  return by === 'policy'
    ? ownPauseLinks(material, at)
    : [personLink({ at, by, note }, 'paused the schedule.')];
}

/** The schedule paused itself: the last failure, and the rule. */
function ownPauseLinks(material: ChainMaterial, at: Instant | null): readonly ChainLink[] {
  const failed = [...material.runs.values()]
    .filter(
      ({ outcome, finishedAt }) =>
        isFailure(outcome) && finishedAt !== null && finishedAt <= (at ?? finishedAt),
    )
    .reduce<RunRow | undefined>(
      (last, run) => ((last?.finishedAt ?? 0) < (run.finishedAt ?? 0) ? run : last),
      undefined,
    );
  const last: readonly ChainLink[] =
    failed === undefined
      ? []
      : [
          {
            type: 'run',
            at: timeJson(failed.finishedAt),
            text: `Run ${failed.id} ${failed.outcome === 'timedOut' ? 'timed out' : 'failed'}.`,
            detail: messageOf(failed),
            subject: { type: 'run', id: failed.id },
          },
        ];
  return [...last, { ...failuresLink(material), at: timeJson(at) }];
}

function isFailure(outcome: RunRow['outcome']): boolean {
  return outcome === 'failed' || outcome === 'timedOut';
}

function messageOf({ result }: RunRow): string {
  const { message = '' } = JSON.parse(result ?? '{}') as Partial<Failure>;
  return message;
}

function resumeLinks({ resumed }: ChainMaterial): readonly ChainLink[] {
  return resumed === undefined ? [] : [personLink(resumed, 'resumed it without running its slots.')];
}

/** What is known of a slot to come. */
function comingLinks(material: ChainMaterial): readonly ChainLink[] {
  const { definition, usual, tooLong } = material;
  const paused = definition?.paused ?? null;
  if (paused !== null) {
    return paused.by === 'policy'
      ? ownPauseLinks(material, paused.at)
      : [personLink(paused, 'paused the schedule.')];
  }
  if (tooLong !== undefined) return [likelyLink(tooLong, material), overlapLink(material)];
  if (usual.p50Ms === null) return [];
  const text = `Its run usually takes ${roughDuration(usual.p50Ms)}.`;
  return [{ type: 'run', at: null, text, detail: usualText(usual), subject: noSubject }];
}

/** An earlier run may still be unfinished then, judging by how long the runs took so far. */
function likelyLink({ runs, of }: TooLong, { usual }: ChainMaterial): ChainLink {
  const text = `The run before it may still be going: ${countText(runs)} of ${countText(of)} runs took that long.`;
  return { type: 'run', at: null, text, detail: usualText(usual), subject: noSubject };
}

/** The change of the clock that touches the slot. */
function clockLinks({ clock }: ChainMaterial): readonly ChainLink[] {
  if (clock === undefined) return [];
  const { zone, changedAt, byMs, rule: detail } = clock;
  const text = `The clock of ${zone} is set ${byMs < 0 ? 'back' : 'forward'} ${roughDuration(Math.abs(byMs))}.`;
  return [{ type: 'clock', at: timeJson(changedAt), text, detail, subject: noSubject }];
}

function creationLinks({ versions }: ChainMaterial): readonly ChainLink[] {
  const [first] = versions;
  return first === undefined ? [] : [personLink(first, 'created the schedule.')];
}

function endLinks({ audit }: ChainMaterial): readonly ChainLink[] {
  const end = audit.find(({ action }) => action === 'delete');
  if (end === undefined) return [rule('It had no work left for a while.', 'idleClose')];
  return [personLink({ at: end.at, by: end.actor, note: end.note }, 'deleted the schedule.')];
}

/** The change that took the slot away: it was committed with the verdict. */
function personLinks({ explanation, audit, versions }: ChainMaterial): readonly ChainLink[] {
  const change = audit.find(({ at }) => at === explanation.decidedAt);
  if (change === undefined) return [];
  const { at, actor: by, note, action } = change;
  const link = personLink({ at, by, note }, didWords[action] ?? 'changed the schedule.');
  const changed = versions.find((version) => version.at === at)?.changes.map(({ path }) => path) ?? [];
  return [
    {
      ...link,
      detail: [changed.slice(0, mostNamed).join(', '), note].filter((part) => part !== '').join(': '),
    },
  ];
}

const didWords: Readonly<Record<string, string>> = {
  delete: 'deleted the schedule.',
  cancelBackfill: 'ended the backfill.',
};
/** The most fields of a change that a line of detail names. */
const mostNamed = 4;

interface Act {
  readonly at: Instant | null;
  readonly by: string;
  readonly note: string;
}

function personLink({ at, by, note }: Act, did: string): ChainLink {
  const name = by === '' ? 'A person' : by;
  const subject = by === '' ? noSubject : ({ type: 'person', name: by } as const);
  return { type: 'person', at: timeJson(at), text: `${name} ${did}`, detail: note, subject };
}

function verdictLink({ explanation, waiting }: ChainMaterial): ChainLink {
  const { answer, text, decidedAt, run } = explanation;
  const others = waiting.length;
  return {
    type: 'verdict',
    // The sentence also says how the run ended, so the link has the time of that end.
    at: timeJson(run?.finishedAt ?? decidedAt),
    text,
    detail:
      others > 0 && answer === 'skippedOverlap'
        ? `after ${countText(others)} other${others === 1 ? '' : 's'} that the same run held up`
        : '',
    subject: run === null ? noSubject : { type: 'run', id: run.id },
  };
}
