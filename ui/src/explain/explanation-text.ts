/** The words of an explanation. Pure. */
import type { FullExplanation } from 'carillon/client';
import { shortRunId } from '../runs/run-id.ts';
import { clockText, dayClockText, isSameDay, lengthText } from '../time/text.ts';
import { withLengths } from '../time/with-lengths.ts';
import { secondMs, zoneLetters } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { isLook, lookOfRunAt, wordOf } from '../verdict/verdict.ts';

type Told = Pick<FullExplanation, 'answer' | 'run' | 'cause'>;

/** The answer, refined by what the run did, or waits for. */
export function lookOfExplanation({ answer, run }: Told, now: number): Look {
  if ((answer === 'started' || answer === 'startedLate') && run !== null) {
    const look = lookOfRunAt(run, now);
    return look === 'started' && isLook(answer) ? answer : look;
  }
  return isLook(answer) ? answer : 'notInSpec';
}

const titles: Readonly<Record<string, string>> = {
  started: 'Started on time',
  // Not "was still going": the run may have waited for a worker.
  skippedOverlap: 'Skipped: the run before it had not ended',
  coalesced: 'Merged into a later slot',
  paused: 'Paused',
  missedWindow: 'Missed its window',
  notYet: 'Its time has not come',
  notInSpec: 'Not one of its times',
  beforeCreation: 'Before the schedule was created',
  afterEnd: 'After the schedule ended',
  forgotten: 'Older than what the ledger keeps',
  dstGap: 'The clock jumped over this time',
  // Not "earlier" or "later": with the rule `last` the first copy does not run.
  dstFold: 'The other copy of this hour runs',
  excluded: 'Taken out by the spec',
  overdue: 'Overdue: no node has decided about it',
  due: 'Being decided',
};

/** Looks of a run that say more than the verdict about its start. */
const ofRun: ReadonlySet<Look> = new Set([
  'failed',
  'timedOut',
  'running',
  'runStopped',
  'runReplaced',
  'untaken',
  'noWorker',
]);

export function titleOf(explanation: Told, now: number): string {
  const look = lookOfExplanation(explanation, now);
  if (ofRun.has(look)) return wordOf(look);
  const { answer, run, cause } = explanation;
  // Its start is decided and no worker has taken the run.
  if (look === 'buffered' && run !== null)
    return run.attempt === 0 ? 'Waits for a worker' : 'Waits for its next attempt';
  if (answer === 'started' && cause.startsWith('trigger')) return 'Started by hand';
  if (answer === 'started' && cause.startsWith('backfill')) return 'Started by a backfill';
  return titles[answer] ?? wordOf(look);
}

/** An RFC 3339 time; not inside an id, which may end with one. */
const instant = /(?<![\w-])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const runId = /\b[0-9a-z]{9}-[0-9a-z]{14,18}\b/g;

interface PlainOptions {
  /** The moment that the sentence is about: a sentence with times of another day tells the day of each. */
  readonly at: number;
  /** Whether times have the letters of their zone. Default true. */
  readonly letters?: boolean;
}

/** Times inside a sentence are shown in the schedule's zone, ids of runs are shortened, lengths have their units in words. */
export function plainText(text: string, zone: string, { at, letters = true }: PlainOptions): string {
  const times = [...text.matchAll(instant)].map(([found]) => Date.parse(found));
  const hasDays = times.some((time) => !isSameDay(zone, time, at));
  return withLengths(text)
    .replace(runId, shortRunId)
    .replace(instant, (found) => {
      const time = Math.floor(Date.parse(found) / 1000) * 1000;
      const clock = hasDays ? dayClockText(zone, time, at) : clockText(zone, time);
      return letters ? `${clock} ${zoneLetters(zone, time)}` : clock;
    });
}

/** What a person may do about the slot: run it, and end the pause that it falls into. A pause that goes on has decided nothing yet. */
export function actsOf({ answer, decidedAt }: Pick<FullExplanation, 'answer' | 'decidedAt'>): {
  readonly canRun: boolean;
  readonly canResume: boolean;
} {
  const isOpenPause = answer === 'paused' && decidedAt === null;
  return { canRun: decidedAt !== null || isOpenPause, canResume: isOpenPause };
}

/** The time of the decision, relative to the time with jitter. */
export function decisionText({
  at,
  decidedAt,
  detail,
}: Pick<FullExplanation, 'at' | 'decidedAt' | 'detail'>): string {
  if (decidedAt === null) return '';
  const jitterMs = detail?.actual === undefined ? 0 : Number(detail.actual) - Date.parse(at);
  const lateMs = Date.parse(decidedAt) - Date.parse(at) - jitterMs;
  if (lateMs >= secondMs)
    return `${lengthText(lateMs)} after ${jitterMs === 0 ? 'its time' : 'the time that its jitter gave it'}`;
  return jitterMs === 0 ? 'at its time' : `${lengthText(jitterMs)} after its time: its jitter`;
}

/** The likely remedy: the setting that decided. */
export function remedyOf({
  answer,
}: Pick<FullExplanation, 'answer'>): { readonly text: string; readonly field: string } | undefined {
  switch (answer) {
    case 'skippedOverlap':
    case 'buffered':
    case 'bufferFull':
      return { text: 'Change the overlap policy', field: 'overlap' };
    case 'missedWindow':
    case 'coalesced':
      return { text: 'Change catch-up', field: 'catchup' };
    case 'noWorker':
    case 'startFailed':
      return { text: 'Change what it runs', field: 'what' };
    case 'dstGap':
    case 'dstFold':
      return { text: 'Change the clock rule', field: 'when' };
    case 'excluded':
    case 'outOfBounds':
    case 'notInSpec':
      return { text: 'Change when it runs', field: 'when' };
    default:
      return undefined;
  }
}
