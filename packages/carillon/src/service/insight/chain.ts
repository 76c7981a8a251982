/**
 * How a verdict came about, as a chain of two to five links: the cause first, the verdict last. Each link is one
 * sentence, one line of detail, and what it leads to. Pure; the caller reads the data.
 */
import { formatDuration, roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { unlimitedWindow } from '../../scheduler/definition.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import { describeSpec } from '../../spec/index.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { Durations } from './durations.ts';

export type LinkType = 'spec' | 'slot' | 'run' | 'person' | 'rule' | 'silence' | 'clock' | 'verdict';

export interface ChainLink {
  readonly type: LinkType;
  /** When it happened; null where that means nothing. */
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
}

export function chainOf(material: ChainMaterial): readonly ChainLink[] {
  return [...causesOf(material), verdictLink(material)];
}

function causesOf(material: ChainMaterial): readonly ChainLink[] {
  const { explanation } = material;
  const first = [originLink(material)];
  switch (explanation.answer) {
    case 'started':
      return [...first, ...runLinks(explanation.run, material)];
    case 'startedLate':
      return [...first, ...delayLinks(material), ...runLinks(explanation.run, material)];
    case 'buffered':
    case 'skippedOverlap':
      return [...first, ...blockerLinks(material), overlapLink(material)];
    case 'missedWindow':
      return [...first, ...delayLinks(material), windowLink(material)];
    case 'coalesced':
      return [...first, ...delayLinks(material), missedLink(material), ...ranAsLinks(material)];
    case 'paused':
      return [...first, pauseLink(material)];
    case 'superseded':
    case 'cancelled':
      return [...first, ...personLinks(material)];
    case 'startFailed':
    case 'alreadyStarted':
    case 'noWorker':
      return [...first, ...runLinks(explanation.run, material)];
    case 'excluded':
    case 'outOfBounds':
    case 'dstGap':
    case 'dstFold':
    case 'notInSpec':
      return first;
    default:
      return first;
  }
}

const noSubject = null;

/** Why there is a slot at all: the spec names it, or a person asked for it. */
function originLink({ explanation, definition, audit }: ChainMaterial): ChainLink {
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
  const isNamed = !['notInSpec', 'excluded', 'outOfBounds', 'dstGap', 'dstFold'].includes(explanation.answer);
  const words = definition === undefined ? '' : describeSpec(definition.spec);
  return {
    type: 'spec',
    at: timeJson(at),
    text: isNamed ? 'The spec names this time.' : 'The spec does not name this time.',
    detail: words,
    subject: explanation.stamp === null ? noSubject : { type: 'version', stamp: explanation.stamp },
  };
}

function runLinks(run: RunRow | null, { usual }: ChainMaterial): readonly ChainLink[] {
  if (run === null) return [];
  return [
    {
      type: 'run',
      at: timeJson(run.startedAt ?? run.createdAt),
      text: run.startedAt === null ? `Run ${run.id} waits for a worker.` : `Run ${run.id} began.`,
      detail: usualText(usual),
      subject: { type: 'run', id: run.id },
    },
  ];
}

function blockerLinks({ explanation, runs, usual }: ChainMaterial): readonly ChainLink[] {
  const id = explanation.detail?.blockedBy;
  if (id === undefined) return [];
  const run = runs.get(id);
  const going =
    run === undefined
      ? ''
      : ` It had been going for ${roughDuration(explanation.at - (run.startedAt ?? run.createdAt))}.`;
  return [
    {
      type: 'run',
      at: run === undefined ? null : timeJson(run.startedAt ?? run.createdAt),
      text: `Run ${id} was still going.${going}`,
      detail: usualText(usual),
      subject: { type: 'run', id },
    },
  ];
}

function usualText({ p50Ms, p95Ms, measured }: Durations): string {
  if (p50Ms === null || p95Ms === null) return 'No run of this schedule has been measured yet.';
  return `Usually ${roughDuration(p50Ms)}, at most ${roughDuration(p95Ms)} in 95 of 100 (${measured} runs).`;
}

function overlapLink({ explanation, definition }: ChainMaterial): ChainLink {
  const policy = explanation.detail?.policy ?? definition?.policy.overlap ?? 'skip';
  const limit = definition?.policy.limit ?? 1;
  return rule(
    policy === 'skip'
      ? 'The schedule does not start while another run is unfinished.'
      : `The overlap policy is ${policy}.`,
    limit === 1 ? `overlap: ${policy}` : `overlap: ${policy}, limit: ${limit}`,
  );
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

function windowLink({ explanation, definition }: ChainMaterial): ChainLink {
  if (explanation.detail?.missed === 'skip')
    return rule('The schedule skips what it missed.', 'missed: skip');
  const window = explanation.detail?.windowMs ?? definition?.policy.catchupWindowMs ?? 0;
  const length = window >= unlimitedWindow ? 'unlimited' : formatDuration(window);
  return rule(`A slot may start at most ${length} after its time.`, `catchupWindow: ${length}`);
}

function missedLink({ definition }: ChainMaterial): ChainLink {
  const missed = definition?.policy.missed ?? 'all';
  const kept = missed === 'oldest' ? 'the oldest' : 'the latest';
  return rule(`Of the slots that were missed together, ${kept} runs.`, `missed: ${missed}`);
}

function ranAsLinks({ explanation }: ChainMaterial): readonly ChainLink[] {
  const ranAs = explanation.detail?.ranAs;
  if (ranAs === undefined) return [];
  return [
    {
      type: 'slot',
      at: timeJson(ranAs),
      text: `The slot of ${formatInstant(ranAs)} ran for it.`,
      detail: '',
      subject: { type: 'slot', at: timeJson(ranAs) },
    },
  ];
}

function pauseLink({ explanation }: ChainMaterial): ChainLink {
  const { pausedBy = '', note = '', pausedAt } = explanation.detail ?? {};
  const isPolicy = pausedBy === 'policy';
  return {
    type: isPolicy ? 'rule' : 'person',
    at: pausedAt === undefined ? null : timeJson(pausedAt as Instant),
    text: isPolicy
      ? 'The schedule paused itself after failures.'
      : `${pausedBy === '' ? 'A person' : pausedBy} paused the schedule.`,
    detail: note,
    subject: isPolicy || pausedBy === '' ? noSubject : { type: 'person', name: pausedBy },
  };
}

/** The change that took the slot away: it was committed with the verdict. */
function personLinks({ explanation, audit }: ChainMaterial): readonly ChainLink[] {
  const change = audit.find(({ at }) => at === explanation.decidedAt);
  if (change === undefined) return [];
  return [
    {
      type: 'person',
      at: timeJson(change.at),
      text: `${change.actor} changed the schedule (${change.action}).`,
      detail: change.note,
      subject: { type: 'person', name: change.actor },
    },
  ];
}

function verdictLink({ explanation }: ChainMaterial): ChainLink {
  const { answer, text, decidedAt, run } = explanation;
  return {
    type: 'verdict',
    at: timeJson(decidedAt),
    text,
    detail: answer,
    subject: run === null ? noSubject : { type: 'run', id: run.id },
  };
}

function rule(text: string, detail: string): ChainLink {
  return { type: 'rule', at: null, text, detail, subject: noSubject };
}
