/** A cron text of any dialect as its six fields, which other dialects and rules are made from. Pure. */
import { lengthMs } from '../edit/read-field.ts';

/** second, minute, hour, day, month, weekday */
export type PlainFields = readonly [string, string, string, string, string, string];

const macros: Readonly<Record<string, PlainFields>> = {
  '@yearly': ['0', '0', '0', '1', '1', '*'],
  '@annually': ['0', '0', '0', '1', '1', '*'],
  '@monthly': ['0', '0', '0', '1', '*', '*'],
  '@weekly': ['0', '0', '0', '*', '*', '0'],
  '@daily': ['0', '0', '0', '*', '*', '*'],
  '@midnight': ['0', '0', '0', '*', '*', '*'],
  '@hourly': ['0', '0', '*', '*', '*', '*'],
};

/** The zone in front of a text, and the rest. */
export function splitZone(text: string): { readonly zone: string | undefined; readonly rest: string } {
  const found = /^\s*(?:CRON_)?TZ=(\S+)\s+(.*)$/s.exec(text);
  return { zone: found?.[1], rest: found?.[2] ?? text };
}

/** The six fields; undefined when they cannot express the text: a year, an interval that does not divide an hour or a day. */
export function plainFieldsOf(text: string, dialect: string): PlainFields | undefined {
  const bare = splitZone(text)
    .rest.replace(dialect === 'temporal' ? /#.*$/s : /\s+#.*$/s, '')
    .trim();
  const every = /^@every\s+(\S+)$/i.exec(bare);
  if (every !== null) return fieldsOfEvery(lengthMs(every[1]) ?? 0);
  const words = bare.split(/\s+/);
  if (words.length === 1) return macros[bare.toLowerCase()];
  if (words.length === 5) return ['0', ...words] as unknown as PlainFields;
  if (dialect !== 'temporal') return words.length === 6 ? (words as unknown as PlainFields) : undefined;
  if (words.at(-1) !== '*' || words.length > 7) return undefined;
  return (words.length === 7 ? words.slice(0, 6) : ['0', ...words.slice(0, 5)]) as unknown as PlainFields;
}

function fieldsOfEvery(ms: number): PlainFields | undefined {
  const seconds = ms / 1000;
  const step = (size: number, most: number) => {
    const count = seconds / size;
    if (!Number.isInteger(count) || count < 1 || most % count !== 0) return undefined;
    return count === 1 ? '*' : count === most ? '0' : `*/${count}`;
  };
  const [second, minute, hour] = [step(1, 60), step(60, 60), step(3600, 24)];
  if (hour !== undefined) return ['0', '0', hour, '*', '*', '*'];
  if (minute !== undefined) return ['0', minute, '*', '*', '*', '*'];
  return second === undefined ? undefined : [second, '*', '*', '*', '*', '*'];
}
