/** One sentence about a slot, from what the timeline knows. The drawer asks the server for the whole chain. */
import { clockText, lengthText, sinceText } from '../time/text.ts';
import { wordOf } from '../verdict/verdict.ts';
import type { Slot, TimelineData } from './model.ts';

export function sentenceOf(
  slot: Slot,
  { zone, usual }: Pick<TimelineData, 'zone' | 'usual'>,
  now: number,
): string {
  const { run } = slot;
  const took = run === undefined || run.end === null ? undefined : lengthText(run.end - run.start);
  switch (slot.look) {
    case 'started':
      return slot.byHand === undefined
        ? `Started on time${took === undefined ? '' : `; the run took ${took}`}.`
        : `Started by hand${took === undefined ? '' : `; the run took ${took}`}.`;
    case 'startedLate':
      return `Started ${lengthText((run?.start ?? slot.at) - slot.at)} after its time.`;
    case 'running':
      return `Going for ${lengthText(now - (run?.start ?? slot.at))}${usual.p50 === null ? '' : `; it usually takes ${lengthText(usual.p50)}`}.`;
    case 'failed':
      return `Started, and its run failed${took === undefined ? '' : ` after ${took}`}.`;
    case 'timedOut':
      return `Started, and its run took too long${took === undefined ? '' : `: ${took}`}.`;
    case 'runStopped':
      return `Started, and its run was stopped${took === undefined ? '' : ` after ${took}`}.`;
    case 'buffered':
      return 'It waits for the run before it to end.';
    case 'skippedOverlap':
      return 'It was skipped because another run was still going.';
    case 'coalesced':
      return slot.ranAs === undefined
        ? 'A later slot ran for it.'
        : `The slot of ${clockText(zone, slot.ranAs)} ran for it.`;
    case 'paused':
      return 'Its time fell into a pause.';
    case 'missedWindow':
      return 'When it was noticed it was older than its catch-up window.';
    case 'dstFold':
      return 'The clock was put back and this hour came twice; the other copy ran.';
    case 'dstGap':
      return 'The clock jumped over this time.';
    case 'excluded':
      return 'The spec takes this time out.';
    case 'notYet':
      return `Due ${sinceText(slot.at, now)}.`;
    case 'likelySkip':
      return `Due ${sinceText(slot.at, now)}; most runs take longer than the time before it.`;
    case 'overdue':
      return `Due ${sinceText(slot.at, now)}, and no node has decided about it.`;
    case 'due':
      return 'Its time has come; it is being decided.';
    case 'noWorker':
      return 'Its run waits, and no worker knows its handler.';
    default:
      return `${wordOf(slot.look)}.`;
  }
}
