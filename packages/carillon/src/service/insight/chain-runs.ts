/** The runs of a chain: the slot's own run, the one that was in its way, and the delays between a slot and its run. Pure. */
import { countText } from '../../base/count-text.ts';
import { roughDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import type { Failure } from '../../runs/failure.ts';
import { optionsOf } from '../../runs/run.ts';
import { hadBegun } from '../../scheduler/explain-words.ts';
import type { RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { ChainLink, ChainMaterial, LikelyOverlap } from './chain-link.ts';
import { noSubject, slotLink } from './chain-link.ts';
import { overlapLink, rule } from './chain-rules.ts';
import type { Durations } from './durations.ts';
import { isReplaced } from './replaced.ts';

export function runLinks(run: RunRow | null, material: ChainMaterial): readonly ChainLink[] {
  if (run === null) return [];
  const { usual } = material;
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
      text: `It ${endWords[run.outcome]}${length === null ? '' : ` after ${roughDuration(length)}`}${tries}${isReplaced(run) ? ', so that a later one could start' : ''}.`,
      detail: isReplaced(run) ? overlapLink(material).detail : messageOf(run),
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
export function blockerLinks(material: ChainMaterial): readonly ChainLink[] {
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

export function usualText({ p50Ms, p95Ms, measured }: Durations): string {
  if (p50Ms === null || p95Ms === null) return 'No run of this schedule has been measured yet.';
  const [usual, most] = [roughDuration(p50Ms), roughDuration(p95Ms)];
  if (measured === 1) return `The only run that was measured took ${usual}.`;
  const long = usual === most ? '' : `, at most ${most} in 95 of 100`;
  return `Usually ${usual}${long} (${countText(measured)} runs).`;
}

/** Why the slot was decided late: no node was alive, or it waited for a run. */
export function delayLinks(material: ChainMaterial): readonly ChainLink[] {
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
      text:
        explanation.answer === 'missedWindow'
          ? `It could not start until ${late}.`
          : `It was looked at ${late}.`,
      detail: '',
      subject: noSubject,
    },
  ];
}

export function ranAsLinks({ explanation }: ChainMaterial): readonly ChainLink[] {
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

export function messageOf({ result }: RunRow): string {
  const { message = '' } = JSON.parse(result ?? '{}') as Partial<Failure>;
  return message;
}

/** An earlier run may still be unfinished then, judging by how long the runs took so far. */
export function likelyLink({ runs, of, goingMs }: LikelyOverlap, { usual }: ChainMaterial): ChainLink {
  if (goingMs !== undefined) {
    const text = `The run before it has been going for ${roughDuration(goingMs)}.`;
    return { type: 'run', at: null, text, detail: usualText(usual), subject: noSubject };
  }
  const text = `The run before it may still be going: ${countText(runs)} of ${countText(of)} runs took that long.`;
  return { type: 'run', at: null, text, detail: usualText(usual), subject: noSubject };
}
