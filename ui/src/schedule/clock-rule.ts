/** What a schedule does when its clock changes, in words. The rule that was not given follows from what names the times. Pure. */

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
  const crons = cron.map(entryOf);
  const isLiteral = crons.length > 0 && crons.every(({ dialect }) => dialect !== 'unix');
  const isHourly = crons.length === cron.length && crons.every(({ text }) => namesEveryHour(text));
  const onlyCron = rrules.length + calendars.length + structuredCalendars.length === 0;
  const gap = spec.dst?.gap ?? (isLiteral ? 'skip' : 'shift');
  const fold = spec.dst?.fold ?? (isLiteral || (onlyCron && isHourly) ? 'both' : 'first');
  const value = `${gap}, ${fold}`;
  if (!clockChanges) return { value, meaning: 'This clock neither skips a time nor repeats one' };
  if (onlyCron && isHourly && fold === 'both')
    return { value, meaning: 'It runs in every hour, in both copies of one that comes twice' };
  return { value, meaning: `${gapWords[gap] ?? gap}; ${foldWords[fold] ?? fold}` };
}

function entryOf(entry: unknown): { readonly text: string; readonly dialect: string } {
  if (typeof entry === 'string') return { text: entry, dialect: 'unix' };
  const { text, dialect = 'unix' } = entry as { readonly text: string; readonly dialect?: string };
  return { text, dialect };
}

/** The hour stands before the last three fields. */
function namesEveryHour(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return text.trim() === '@hourly' || fields.at(fields.length === 7 ? -5 : -4) === '*';
}
