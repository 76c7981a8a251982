/** What a schedule does when its clock changes, in words. Without a rule, it follows from the entries of the spec. Pure. */

import { usualFold } from './rhythm.ts';

interface Spec {
  readonly cron?: readonly unknown[];
  readonly intervals?: readonly unknown[];
  readonly rrules?: readonly unknown[];
  readonly calendars?: readonly unknown[];
  readonly structuredCalendars?: readonly unknown[];
  readonly dst?: { readonly gap?: string; readonly fold?: string };
}

const gapWords: Readonly<Record<string, string>> = {
  shift: 'A time that does not exist moves on',
  skip: 'A time that does not exist is left out',
  gapEnd: 'A time that does not exist runs when the clock has jumped',
};

const foldWords: Readonly<Record<string, string>> = {
  first: 'one that comes twice runs the first time',
  last: 'one that comes twice runs the second time',
  both: 'one that comes twice runs twice',
};

export function clockRuleOf(
  spec: Spec,
  clockChanges: boolean,
): { readonly value: string; readonly meaning: string } {
  const { cron = [], rrules = [], calendars = [], structuredCalendars = [] } = spec;
  const isWallClock = cron.length + rrules.length + calendars.length + structuredCalendars.length > 0;
  if (!isWallClock) return { value: 'none', meaning: 'Its times are counted, and no clock moves them' };
  const isHourly =
    usualFold({ cron: cron.map(entryOf), calendars: calendars as readonly object[] }) === 'both';
  const isPlain = rrules.length + structuredCalendars.length === 0;
  const gap = spec.dst?.gap ?? 'shift';
  const fold = spec.dst?.fold ?? (isPlain && isHourly ? 'both' : 'first');
  const value = `${gap}, ${fold}`;
  if (!clockChanges)
    return { value, meaning: 'No clock change of the coming year skips a time or repeats one' };
  if (isPlain && isHourly && fold === 'both')
    return { value, meaning: 'It runs in every hour, in both copies of one that comes twice' };
  return { value, meaning: `${gapWords[gap] ?? gap}; ${foldWords[fold] ?? fold}` };
}

function entryOf(entry: unknown): { readonly text: string } {
  return typeof entry === 'string' ? { text: entry } : (entry as { readonly text: string });
}
