/** The ledger in plain sentences. */
import { countText } from '../base/count-text.ts';
import { plainDuration, roughDuration } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { KnowsRun } from '../runs/lapsed-runs.ts';
import type { RunRow, SlotRow } from '../store/records.ts';
import { auto } from './ledger.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

export interface Told {
  readonly slot: SlotRow;
  readonly detail: VerdictDetail | null;
  readonly run: RunRow | null;
  readonly blocker: RunRow | undefined;
  /** Whether a living worker knows the name of a run. Default: one does. */
  readonly knows?: KnowsRun;
  /** The number of actions that the schedule was given; null: no limit, or not known. */
  readonly actions?: number | null;
}

/** One or two plain sentences about a slot that has its verdict. */
export function sentence(verdict: Verdict, told: Told): string {
  const { slot, detail, run, blocker, knows = () => true, actions = null } = told;
  const many =
    slot.count > 1
      ? ` The same holds for ${countText(slot.count - 1)} more between ${formatInstant(slot.nominal)} and ${formatInstant(slot.until)}.`
      : '';
  const ran = run === null ? '' : ` Its run ${run.id} ${runWords(run, knows)}.`;
  switch (verdict) {
    case 'started':
      if (isUntaken(run)) return `Its start was decided.${ran}`;
      return `It started${askedWords(slot.cause)}${detail?.setting === undefined ? '' : `, held back by ${settingWords(detail.setting)}`}.${ran}`;
    case 'startedLate':
      return `It started ${roughDuration(detail?.lateByMs ?? 0)} late${detail?.setting !== undefined ? `, held back by ${settingWords(detail.setting)}` : detail?.waited === true ? ', after waiting for an earlier run to end' : ': no node started it in time'}.${ran}`;
    case 'buffered':
      if (detail?.setting !== undefined) return `It is held back by ${settingWords(detail.setting)}.`;
      return `It waits for ${detail?.blockedBy === undefined ? 'another run' : `run ${detail.blockedBy}`} to end.`;
    case 'skippedOverlap':
      if (detail?.setting !== undefined) {
        return `It was skipped because of ${settingWords(detail.setting)}, and the overlap policy is ${detail.policy ?? 'skip'}.${many}`;
      }
      return `It was skipped because ${blocker === undefined ? 'another run' : `run ${blocker.id} (${hadBegun(blocker, slot.at) ? 'started' : 'waiting since'} ${formatInstant(blocker.createdAt)})`} ${stillWords(blocker, slot.at)} and the overlap policy is ${detail?.policy ?? 'skip'}.${blocker !== undefined && isUntaken(blocker) && !knows(blocker) ? ` ${unknownWords(blocker)}` : ''}${many}`;
    case 'missedWindow':
      if (detail?.missed === 'skip') return `It was missed, and this schedule skips what it missed.${many}`;
      return `It was missed: by the time it could start it was past its catch-up window of ${plainDuration(detail?.windowMs ?? 0)}.${many}`;
    case 'paused':
      return `The schedule ${pausedWords('was paused', detail)}${detail?.pausedAt === undefined ? '' : ` since ${formatInstant(detail.pausedAt)}`}${detail?.note && detail.pausedBy !== 'policy' ? ` ("${detail.note}")` : ''}.${many}`;
    case 'limitReached':
      return `The schedule had used up its ${actionsText(actions)}.${many}`;
    case 'superseded':
      return `The schedule was changed before this slot was handled.${many}`;
    case 'bufferFull':
      return detail?.outstanding === undefined
        ? `${detail?.buffered === undefined ? 'Too many' : countText(detail.buffered)} starts were waiting already (MaxBufferSize).${many}`
        : `${countText(detail.outstanding)} runs of it were unfinished already.${many}`;
    case 'startFailed':
      return `It could not be started: ${detail?.attempts === 1 ? 'its one attempt' : `${detail?.attempts ?? 'all'} attempts`} failed (${detail?.error ?? 'no reason given'}).`;
    case 'noWorker':
      return `No living worker knew its handler '${detail?.handler ?? run?.name ?? '?'}' for ${roughDuration(detail?.waitedMs ?? 0)}, as long as a run may wait (unclaimedTimeout). Its action was given back.`;
    case 'coalesced':
      return `Several were due at once and ${detail?.ranAs === undefined ? 'a later one' : formatInstant(detail.ranAs)} ran in their place.${many}`;
    case 'alreadyStarted':
      return `It did not start: ${run === null ? `the run ${slot.runId ?? 'of this slot'} has its place` : `run ${run.id} of ${formatInstant(run.createdAt)} has its place and ${runWords(run, knows)}`}.`;
    case 'cancelled':
      return `It was cancelled${detail?.by ? ` by ${detail.by}` : ''} before it started.${many}`;
    case 'blackout':
      return `A blackout forbade it.${many}`;
    case 'excluded':
    case 'outOfBounds':
    case 'dstGap':
    case 'dstFold':
      return 'The spec rules it out.';
  }
}

/** The decision to start is taken, and no worker has begun the run. */
function isUntaken(run: RunRow | null): boolean {
  return run?.state === 'waiting' && run.startedAt === null;
}

/** A run that the schedule did not start by itself says why there is one. */
function askedWords(cause: string): string {
  if (cause === auto) return '';
  return cause.startsWith('backfill') ? ', asked for by a backfill' : ', asked for by hand';
}

/** `10 actions`, of a schedule whose number of actions is limited. */
export function actionsText(actions: number | null): string {
  if (actions === null) return 'number of actions';
  return actions === 1 ? 'only action' : `${countText(actions)} actions`;
}

/** What a setting of the operator asks of starts. */
function settingWords(name: string): string {
  return name === 'MinInterval'
    ? 'the shortest time between two starts that the operator set (MinInterval)'
    : `the rate of starts that the operator set for the namespace (${name})`;
}

/** `was paused by ana`; a schedule that paused itself says so. */
export function pausedWords(was: string, detail: Pick<VerdictDetail, 'pausedBy'> | null): string {
  if (detail?.pausedBy === 'policy') return `${was} by its own rule`;
  return detail?.pausedBy ? `${was} by ${detail.pausedBy}` : was;
}

/** Whether a worker had begun the run then. */
export function hadBegun({ startedAt }: RunRow, at: Instant): boolean {
  return startedAt !== null && startedAt <= at;
}

/** What an unfinished run that was in the way at that time did. */
function stillWords(blocker: RunRow | undefined, at: Instant): string {
  if (blocker === undefined || hadBegun(blocker, at) || blocker.createdAt > at) return 'was still going';
  return 'was still waiting for a worker';
}

/** Why the run that is in the way does not begin, and when it is given up. */
function unknownWords({ name, queue, checkAt }: RunRow): string {
  const until = checkAt === null ? '' : `; that run is given up at ${formatInstant(checkAt)}`;
  return `No living worker knows '${name}' on the queue '${queue}'${until}.`;
}

function waitWords({ name, queue, checkAt }: RunRow): string {
  const until = checkAt === null ? '' : `; it is given up at ${formatInstant(checkAt)}`;
  return `waits for a worker that knows '${name}' on the queue '${queue}'; none is alive${until}`;
}

function runWords(run: RunRow, knows: KnowsRun): string {
  if (run.state === 'waiting') {
    if (run.attempt > 0)
      return `failed ${run.attempt === 1 ? 'once' : `${countText(run.attempt)} times`} and waits for its next attempt`;
    return knows(run) ? `waits for a worker that knows '${run.name}'` : waitWords(run);
  }
  if (run.state === 'leased') return `is running on ${run.worker}`;
  const took =
    run.startedAt === null || run.finishedAt === null
      ? ''
      : ` after ${roughDuration(run.finishedAt - run.startedAt)}`;
  return `${run.outcome === null ? 'ended' : outcomeWords[run.outcome]}${took}`;
}

const outcomeWords = {
  completed: 'completed',
  failed: 'failed',
  timedOut: 'timed out',
  cancelled: 'was cancelled',
  terminated: 'was terminated',
} as const;
