/**
 * How a verdict came about, as a chain of two to five links: the cause first, the verdict last. Each link is one
 * sentence, one line of detail, and what it leads to. Pure; the caller reads the data.
 */
import { countText } from '../../base/count-text.ts';
import { formatDuration, plainDuration, roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import type { Failure } from '../../runs/failure.ts';
import { optionsOf } from '../../runs/run.ts';
import type { ClockTale } from '../../scheduler/clock-tale.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { unlimitedWindow } from '../../scheduler/definition.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import { describeSpec } from '../../spec/index.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { Durations } from './durations.ts';
import type { WrittenVersion } from './setting-origin.ts';
import { originOf, originText } from './setting-origin.ts';

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
  /** Earlier slots that the same run was in the way of. */
  readonly waiting: readonly Instant[];
  /** The end of the pause that the slot fell into; undefined while it goes on, and for other slots. */
  readonly resumed?: Act | undefined;
  /** What a change of the clock made of the slot; undefined when none touches it. */
  readonly tale?: ClockTale | undefined;
}

const mostLinks = 5;

export function chainOf(material: ChainMaterial): readonly ChainLink[] {
  const links = [...causesOf(material), verdictLink(material)];
  // The sentence about the spec tells the change of the clock as well.
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
      return [...first, pauseLink(material), ...resumeLinks(material)];
    case 'superseded':
    case 'cancelled':
      return [...first, ...personLinks(material)];
    case 'limitReached':
      return [...first, limitLink(material)];
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
function originLink({ explanation, definition, audit, tale }: ChainMaterial): ChainLink {
  const { at, cause } = explanation;
  if (cause !== auto) {
    const asked = audit.find(
      ({ action, at: when }) => cause.startsWith(action) && when <= (explanation.decidedAt ?? when),
    );
    const by = asked?.actor ?? 'A person';
    const what = cause.startsWith('trigger') ? 'asked for a run now' : 'asked for the slots of this range';
    return {
      type: 'person',
      at: timeJson(asked?.at ?? explanation.decidedAt),
      text: `${by} ${what}.`,
      detail: asked?.note ?? '',
      subject: asked === undefined ? noSubject : { type: 'person', name: asked.actor },
    };
  }
  const words = definition === undefined ? '' : describeSpec(definition.spec);
  return {
    type: 'spec',
    at: timeJson(at),
    text: namedText(explanation.answer, tale),
    detail: words,
    subject: explanation.stamp === null ? noSubject : { type: 'version', stamp: explanation.stamp },
  };
}

function namedText(answer: Explanation['answer'], tale: ClockTale | undefined): string {
  if (tale !== undefined) return clockText(answer, tale);
  if (answer === 'notInSpec') return 'The spec names other times.';
  return answer === 'excluded' || answer === 'outOfBounds'
    ? 'The spec does not name this time.'
    : 'The spec names this time.';
}

/** The wall-clock time that the spec names, and what the clock makes of it. */
function clockText(
  answer: Explanation['answer'],
  { named, here, byMs, changedAt, other }: ClockTale,
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
    detail: usualText(usual),
    subject: { type: 'run', id: run.id },
  };
  if (run.outcome === null || run.outcome === 'completed' || run.startedAt === null) return [began];
  const { message = '' } = JSON.parse(run.result ?? '{}') as Partial<Failure>;
  const tries = run.attempt > 1 ? `, in attempt ${run.attempt}` : '';
  const length = durationOf(run);
  return [
    began,
    {
      type: 'run',
      at: timeJson(run.finishedAt),
      text: `It ${endWords[run.outcome]}${length === null ? '' : ` after ${roughDuration(length)}`}${tries}.`,
      detail: message,
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
  if (run === undefined || run.startedAt === null) {
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
  const { at } = explanation;
  // After an outage both were decided at once, and the other one was first.
  if (run.startedAt > at) return [...delayLinks(material), began];
  const text = `It had been going for ${roughDuration(at - run.startedAt)}.`;
  return [began, { type: 'run', at: timeJson(at), text, detail: usualText(usual), subject: noSubject }];
}

function usualText({ p50Ms, p95Ms, measured }: Durations): string {
  if (p50Ms === null || p95Ms === null) return 'No run of this schedule has been measured yet.';
  return `Usually ${roughDuration(p50Ms)}, at most ${roughDuration(p95Ms)} in 95 of 100 (${countText(measured)} runs).`;
}

const overlapWords: Readonly<Record<string, string>> = {
  skip: 'a slot is dropped while a run is going',
  bufferOne: 'one slot waits, others are dropped',
  bufferAll: 'slots wait in order',
  cancelOther: 'the run before is asked to stop',
  terminateOther: 'the run before is ended',
  allowAll: 'runs may go side by side',
};

function overlapLink(material: ChainMaterial): ChainLink {
  const { explanation, definition } = material;
  const { setting } = explanation.detail ?? {};
  if (setting !== undefined) return rule(`The operator limits how often it may start.`, setting);
  const policy = explanation.detail?.policy ?? definition?.policy.overlap ?? 'skip';
  const limit = definition?.policy.limit ?? 1;
  const value = limit === 1 ? `overlap: ${policy}` : `overlap: ${policy}, limit: ${limit}`;
  return setBy(material, {
    text: `The overlap policy is ${policy}: ${overlapWords[policy] ?? policy}.`,
    value,
    path: 'policy.overlap',
  });
}

/** Why the slot was decided late: no node was alive, or it waited for a run. */
function delayLinks({ explanation, silences }: ChainMaterial): readonly ChainLink[] {
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
  if (detail?.waited === true) return [rule('It waited for an earlier run to end.', '')];
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

function windowLink(material: ChainMaterial): ChainLink {
  const { explanation, definition } = material;
  if (explanation.detail?.missed === 'skip') {
    const text = 'The schedule skips what it missed.';
    return setBy(material, { text, value: 'missed: skip', path: 'policy.missed' });
  }
  const window = explanation.detail?.windowMs ?? definition?.policy.catchupWindowMs ?? 0;
  const length = window >= unlimitedWindow ? 'unlimited' : formatDuration(window);
  const text =
    window >= unlimitedWindow
      ? 'A slot may start however late.'
      : `A slot may start at most ${plainDuration(window)} after its time.`;
  return setBy(material, { text, value: `catchup: ${length}`, path: 'policy.catchupWindowMs' });
}

/** How many actions the schedule was given. */
function limitLink(material: ChainMaterial): ChainLink {
  const actions = material.definition?.remaining ?? null;
  if (actions === null) return rule('Its number of actions is limited.', 'remaining');
  const text = `It may act ${actions === 1 ? 'once' : `${countText(actions)} times`}.`;
  return setBy(material, { text, value: `remaining: ${actions}`, path: 'remaining' });
}

function missedLink(material: ChainMaterial): ChainLink {
  const missed = material.definition?.policy.missed ?? 'all';
  const kept = missed === 'oldest' ? 'the oldest' : 'the latest';
  const text = `Of the slots that were missed together, ${kept} runs.`;
  return setBy(material, { text, value: `missed: ${missed}`, path: 'policy.missed' });
}

function ranAsLinks({ explanation }: ChainMaterial): readonly ChainLink[] {
  const ranAs = explanation.detail?.ranAs;
  return ranAs === undefined ? [] : [slotLink(ranAs, 'ran for all of them.')];
}

/** The slots around a time that is none. */
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

function pauseLink({ explanation }: ChainMaterial): ChainLink {
  const { pausedBy: by = '', note = '', pausedAt: at } = explanation.detail ?? {};
  if (by === 'policy')
    return { ...rule('The schedule paused itself after failures.', note), at: timeJson(at ?? null) };
  return personLink({ at: at ?? null, by, note }, 'paused the schedule.');
}

function resumeLinks({ resumed }: ChainMaterial): readonly ChainLink[] {
  return resumed === undefined ? [] : [personLink(resumed, 'resumed it without running its slots.')];
}

/** What is known of a slot to come. */
function comingLinks({ definition, usual }: ChainMaterial): readonly ChainLink[] {
  const paused = definition?.paused ?? null;
  if (paused !== null) {
    return [personLink(paused, 'paused the schedule.')];
  }
  if (usual.p50Ms === null) return [];
  const text = `Its run usually takes ${roughDuration(usual.p50Ms)}.`;
  return [{ type: 'run', at: null, text, detail: usualText(usual), subject: noSubject }];
}

/** The change of the clock that touches the slot. */
function clockLinks({ tale }: ChainMaterial): readonly ChainLink[] {
  if (tale === undefined) return [];
  const { zone, changedAt, byMs, rule: detail } = tale;
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
function personLinks({ explanation, audit }: ChainMaterial): readonly ChainLink[] {
  const change = audit.find(({ at }) => at === explanation.decidedAt);
  if (change === undefined) return [];
  const { at, actor: by, note, action } = change;
  return [personLink({ at, by, note }, `changed the schedule (${action}).`)];
}

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
    // The sentence also tells how the run ended, so it is as late as that.
    at: timeJson(run?.finishedAt ?? decidedAt),
    text,
    detail:
      others > 0 && answer === 'skippedOverlap'
        ? `after ${countText(others)} other${others === 1 ? '' : 's'} that the same run held up`
        : '',
    subject: run === null ? noSubject : { type: 'run', id: run.id },
  };
}

function rule(text: string, detail: string): ChainLink {
  return { type: 'rule', at: null, text, detail, subject: noSubject };
}

interface Setting {
  readonly text: string;
  /** As it is written. */
  readonly value: string;
  /** Where it is stored. */
  readonly path: string;
}

/** A rule of the schedule, with the version that gave it. */
function setBy(
  { explanation: { stamp }, versions }: ChainMaterial,
  { text, value, path }: Setting,
): ChainLink {
  const origin = stamp === null ? undefined : originOf(versions, path, stamp);
  if (origin === undefined) return rule(text, value);
  const subject = { type: 'version', stamp: origin.stamp } as const;
  return { ...rule(text, `${value}, ${originText(origin)}`), subject };
}
