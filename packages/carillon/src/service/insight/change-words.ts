/** What an edit changes, in sentences: the coming slots first, then each setting in plain words. Pure. */
import { countText } from '../../base/count-text.ts';
import { plainDuration } from '../../base/duration.ts';
import { given } from '../../base/given.ts';
import { unlimitedWindow } from '../../scheduler/definition.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import { describeSpec } from '../../spec/index.ts';
import type { FieldChange } from './field-diff.ts';

export interface Edit {
  readonly changes: readonly FieldChange[];
  readonly specs: { readonly before: ScheduleSpec; readonly after: ScheduleSpec };
  /** The seed of the schedule; absent when it does not matter. */
  readonly seed?: string;
  /** The coming times before and after the change. */
  readonly upcoming: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** The runs that would start at once, and those that are unfinished. */
  readonly starts: number;
  readonly running: number;
}

export function changeWords(edit: Edit): readonly string[] {
  const others: string[] = [];
  const settings: string[] = [];
  const ofRuns: string[] = [];
  for (const change of edit.changes) {
    const { path } = change;
    const words = settingWords[path]?.(change);
    if (words !== undefined) settings.push(words);
    else if (path.startsWith('action')) ofRuns.push(writtenName(path));
    else if (!isSpec(change)) others.push(writtenName(path));
  }
  return [
    ...(edit.changes.some(isSpec) ? timeWords(edit) : []),
    ...settings,
    ...runWords(unique(ofRuns), edit.running),
    ...(others.length === 0 ? [] : [`Changes ${listText(unique(others))}.`]),
  ];
}

function isSpec({ path }: FieldChange): boolean {
  return path === 'spec' || path.startsWith('spec.');
}

function timeWords({ specs, seed, upcoming, starts }: Edit): readonly string[] {
  const options = given({ seed });
  const [before, after] = [describeSpec(specs.before, options), describeSpec(specs.after, options)];
  return [
    ...(before === after ? [] : [`Its times become “${after}”, before: “${before}”.`]),
    slotWords(upcoming),
    ...(starts === 0 ? ['Nothing starts at once, and past slots stay as they are.'] : []),
  ];
}

function slotWords({ before, after }: Edit['upcoming']): string {
  const [was] = before;
  const [next] = after;
  if (next === undefined) return 'No coming slot runs.';
  if (was === undefined) return `The next slot is at ${next}.`;
  if (was !== next) return `The next slot moves from ${was} to ${next}.`;
  const moved = after.filter((at) => !before.includes(at)).length;
  return moved === 0
    ? `The next ${after.length} slots stay as they are.`
    : `The next slot stays at ${next}; ${moved} of the next ${after.length} are at other times.`;
}

function runWords(names: readonly string[], running: number): readonly string[] {
  if (names.length === 0) return [];
  const going =
    running === 1 ? '1 run goes on as it began.' : `${countText(running)} runs go on as they began.`;
  return [`Runs from now on use the changed ${listText(names)}.`, ...(running === 0 ? [] : [going])];
}

type Words = (change: FieldChange) => string;

const overlaps: Readonly<Record<string, string>> = {
  skip: 'slots are dropped',
  bufferOne: 'one slot waits and others are dropped',
  bufferAll: 'slots wait in order',
  cancelOther: 'the next slot asks it to stop, then starts',
  terminateOther: 'the next slot ends it, then starts',
  allowAll: 'slots start beside it',
};

const missed: Readonly<Record<string, string>> = {
  all: 'all of them run',
  latest: 'the latest runs',
  oldest: 'the oldest runs',
  skip: 'none runs',
};

/** Sentences about settings, by the path of the stored field. */
const settingWords: Readonly<Record<string, Words>> = {
  'policy.overlap': ({ before, after }) =>
    `While a run is going, ${worded(overlaps, after)}; before, ${worded(overlaps, before)}.`,
  'policy.limit': ({ before, after }) =>
    `Up to ${count(after)} runs may go side by side, before: ${count(before)}.`,
  'policy.catchupWindowMs': ({ before, after }) => `${windowText(after)}, before: ${shortWindow(before)}.`,
  'policy.missed': ({ before, after }) =>
    `Of slots that were missed, ${worded(missed, after)}; before, ${worded(missed, before)}.`,
  'policy.pauseAfterFailures': ({ after }) =>
    Number(after ?? 0) === 0
      ? 'It no longer pauses after failures.'
      : `It pauses after ${Number(after) === 1 ? 'a failure' : `${count(after)} failures in a row`}.`,
  'policy.idleCloseMs': ({ after }) =>
    Number(after ?? 0) === 0
      ? 'It is kept when nothing is left to do.'
      : `It is closed once nothing was left to do for ${plainDuration(Number(after))}.`,
  remaining: ({ after }) =>
    after === undefined
      ? 'Its actions are no longer limited.'
      : `It may act ${times(Number(after))} from now on.`,
  owner: ({ before, after }) =>
    `The owner becomes ${nameText(after)}${before === undefined || before === '' ? '' : `, before: ${nameText(before)}`}.`,
};

function worded(words: Readonly<Record<string, string>>, value: unknown): string {
  return words[String(value)] ?? String(value);
}

function count(value: unknown): string {
  return countText(Number(value ?? 1));
}

function times(number: number): string {
  return number === 1 ? 'once' : `${countText(number)} times`;
}

function nameText(value: unknown): string {
  return value === undefined || value === '' ? 'empty' : String(value);
}

function windowText(value: unknown): string {
  const window = Number(value ?? 0);
  if (window === 0) return 'A slot that is late does not run';
  if (window >= unlimitedWindow) return 'A slot may start however late';
  return `A slot may start at most ${plainDuration(window)} after its time`;
}

function shortWindow(value: unknown): string {
  const window = Number(value ?? 0);
  return window >= unlimitedWindow ? 'however late' : plainDuration(window);
}

/** Fields whose stored name differs from the one that people write. */
const written: Readonly<Record<string, string>> = {
  name: 'handler',
  executionTimeoutMs: 'timeout',
  unclaimedMs: 'unclaimedTimeout',
};

/** The name of a field as people write it in a schedule: `policy.catchupPaceMs` is `catchupPace`. */
export function writtenName(path: string): string {
  const [first = '', second] = path.replace(/^(?:policy|action\.settings|action)\./, '').split('.');
  const name = written[first] ?? first.replace(/Ms$/, '');
  // The fields of a retry policy belong together; those of a memo or of attributes have names of their own.
  return second === undefined || name === 'retry' || name === 'input' ? name : `${name}.${second}`;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
