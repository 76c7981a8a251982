/** One sentence about a slot, from the data of the timeline. The drawer requests the whole chain from the server. */
import { clockText, lengthText, sinceText } from '../time/text.ts';
import { wordOf } from '../verdict/verdict.ts';
import type { Slot, TimelineData } from './model.ts';

export function sentenceOf(
  slot: Slot,
  { zone, usual }: Pick<TimelineData, 'zone' | 'usual'>,
  now: number,
): string {
  const { run } = slot;
  const tries = run === undefined || run.attempts.length < 2 ? '' : `, in ${run.attempts.length} attempts`;
  const took =
    run === undefined || run.end === null ? undefined : `${lengthText(run.end - run.start)}${tries}`;
  switch (slot.look) {
    case 'started':
      return slot.byHand === undefined
        ? `Started on time${took === undefined ? '' : `; the run took ${took}`}.`
        : `Started by hand${took === undefined ? '' : `; the run took ${took}`}.`;
    case 'startedLate':
      return `Started ${lengthText((run?.start ?? slot.at) - (slot.due ?? slot.at))} after its time.`;
    case 'outcomeForgotten':
      return 'Started; its run is no longer kept, so how it ended is not known.';
    case 'running':
      return `Going for ${lengthText(now - (run?.start ?? slot.at))}${usual.p50 === null ? '' : `; it usually takes ${lengthText(usual.p50)}`}.`;
    case 'failed':
      return `Started, and its run failed${took === undefined ? '' : ` after ${took}`}.`;
    case 'timedOut':
      return `Started, and its run took too long${took === undefined ? '' : `: ${took}`}.`;
    case 'runStopped':
      return `Started, and its run was stopped${took === undefined ? '' : ` after ${took}`}.`;
    case 'runReplaced':
      return `Started, and its run was stopped for a later one${took === undefined ? '' : ` after ${took}`}.`;
    case 'buffered':
      return 'It waits for the run before it to end.';
    case 'skippedOverlap':
      return 'It was skipped because another run was still going.';
    case 'coalesced':
      return slot.ranAs === undefined
        ? 'A later slot ran for it.'
        : `The slot of ${clockText(zone, slot.ranAs)} ran for it.`;
    case 'paused':
      return `Its time fell into a pause${pauseText(slot)}.`;
    case 'missedWindow':
      return slot.isSkippedMiss === true
        ? 'It was missed, and the schedule skips what it missed.'
        : 'When it was noticed it was older than its catch-up window.';
    case 'dstFold':
      return 'The clock was put back and this hour came twice; the other copy ran.';
    case 'dstGap':
      return 'The clock jumped over this time.';
    case 'excluded':
      return 'The spec takes this time out.';
    case 'outOfBounds':
      return 'The times of the spec begin later or ended before.';
    case 'blackout':
      return 'A blackout forbade it.';
    case 'limitReached':
      return 'The schedule had no actions left.';
    case 'superseded':
      return 'An edit took it away before it was handled.';
    case 'cancelled':
      return `It was cancelled${slot.by === undefined ? '' : ` by ${slot.by}`} before it started.`;
    case 'bufferFull':
      return 'Too many of its runs were unfinished, or waited.';
    case 'alreadyStarted':
      return 'It had a run already, so no other one was started.';
    case 'startFailed':
      return 'Every attempt to start it failed.';
    case 'passedOver':
      return `Due ${sinceText(slot.at, now)}; it will be passed over while the schedule is paused.`;
    case 'notYet':
      return `Due ${sinceText(slot.at, now)}.`;
    case 'likelySkip':
      return `Due ${sinceText(slot.at, now)}; likely to be skipped${longText(slot)}.`;
    case 'overdue':
      return `Due ${sinceText(slot.at, now)}, and no node has decided about it.`;
    case 'due':
      return 'Its time has come; it is being decided.';
    case 'noWorker':
      return 'No worker took its run, so it was given up.';
    case 'untaken':
      return 'Its run waits, and no worker takes it.';
    default:
      return `${wordOf(slot.look)}.`;
  }
}

function pauseText({ by, note = '' }: Slot): string {
  const who = by === undefined ? '' : by === 'policy' ? ' by its own rule' : ` by ${by}`;
  return note === '' || by === 'policy' ? who : `${who} (“${note}”)`;
}

function longText({ tooLong }: Slot): string {
  if (tooLong === undefined) return '';
  const { runs, of, goingMs } = tooLong;
  if (goingMs !== undefined) return `: the run before it has been going for ${lengthText(goingMs)}`;
  return `: ${runs} of ${of} runs take${runs === 1 ? 's' : ''} that long`;
}
