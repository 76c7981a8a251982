/** The words of an explanation. Pure. */
import type { Story } from 'carillon/client';
import { clockText } from '../time/text.ts';
import { zoneLetters } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { isLook, lookOfRun, wordOf } from '../verdict/verdict.ts';

type Told = Pick<Story, 'answer' | 'run' | 'detail' | 'at'>;

/** The answer, refined by what the run did. */
export function lookOfStory({ answer, run }: Told): Look {
  if ((answer === 'started' || answer === 'startedLate') && run !== null) {
    const look = lookOfRun(run);
    return look === 'started' && isLook(answer) ? answer : look;
  }
  return isLook(answer) ? answer : 'notInSpec';
}

const titles: Readonly<Record<string, string>> = {
  started: 'Started on time',
  skippedOverlap: 'Skipped: the run before it was still going',
  coalesced: 'Merged into a later slot',
  paused: 'Paused',
  missedWindow: 'Missed its window',
  notYet: 'Its time has not come',
  notInSpec: 'Not one of its times',
  beforeCreation: 'Before the schedule was created',
  afterEnd: 'After the schedule ended',
  forgotten: 'Older than what the ledger keeps',
  dstGap: 'The clock jumped over this time',
  dstFold: 'The second copy of a repeated hour',
  excluded: 'Taken out by the spec',
  overdue: 'Overdue: no node has decided about it',
  due: 'Being decided',
};

export function titleOf(story: Told): string {
  const look = lookOfStory(story);
  if (look === 'failed' || look === 'timedOut' || look === 'running' || look === 'runStopped')
    return wordOf(look);
  return titles[story.answer] ?? wordOf(look);
}

const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The part of a run's id before its dash tells it apart well enough in a sentence. */
const runId = /\b([0-9a-z]{9})-[0-9a-z]{8,20}\b/g;

/** `53m`, `1h23m`, `1d1h`, not inside a name. */
const length = /(?<![\w:.-])(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+(?![\w-])/g;
const units: Readonly<Record<string, string>> = { ms: 'ms', s: 's', m: 'min', h: 'h' };

/** Lengths inside a sentence as the page writes them: `1 h 23 min`. */
export function withLengths(text: string): string {
  return text.replace(length, (found) =>
    found
      .replace(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g, (_, count: string, unit: string) => {
        const name = unit === 'd' ? (count === '1' ? 'day' : 'days') : units[unit];
        return `${count} ${name} `;
      })
      .trim(),
  );
}

/** Times inside a sentence are shown in the schedule's zone, ids of runs are shortened, lengths have their units in words. */
export function plainText(text: string, zone: string): string {
  return withLengths(text)
    .replace(runId, '$1')
    .replace(instant, (found) => {
      const at = Date.parse(found);
      return `${clockText(zone, Math.floor(at / 1000) * 1000)} ${zoneLetters(zone, at)}`;
    });
}

/** The likely remedy: the setting that decided. */
export function remedyOf({
  answer,
}: Pick<Story, 'answer'>): { readonly text: string; readonly field: string } | undefined {
  switch (answer) {
    case 'skippedOverlap':
    case 'bufferFull':
      return { text: 'Change the overlap policy', field: 'overlap' };
    case 'missedWindow':
    case 'coalesced':
      return { text: 'Change catch-up', field: 'catchup' };
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
