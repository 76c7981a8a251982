/** The fields of a cron text by name, as written; the spec library interprets them. */
import { bareCron } from '../spec/bare-cron.ts';
import type { Dialect } from '../spec/index.ts';

export interface CronFields {
  readonly second: string;
  readonly minute: string;
  readonly hour: string;
  readonly dayOfMonth: string;
  readonly month: string;
  readonly dayOfWeek: string;
  readonly year: string;
}

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Returns undefined for `@every` and for texts that are not cron. */
export function cronFields(text: string, dialect: Dialect = 'unix'): CronFields | undefined {
  const bare = bareCron(text);
  const words = (macros[bare.toLowerCase()] ?? bare).split(/\s+/);
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = words;
  if (words[0]?.startsWith('@') === true) return undefined;
  const whole = (second: string, rest: readonly string[], year = '*'): CronFields => {
    const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = rest;
    return { second, minute, hour, dayOfMonth, month, dayOfWeek, year };
  };
  switch (words.length) {
    case 5:
      return whole('0', [a, b, c, d, e]);
    case 6:
      return dialect === 'temporal' ? whole('0', [a, b, c, d, e], f) : whole(a, [b, c, d, e, f]);
    case 7:
      return whole(a, [b, c, d, e, f], g);
    default:
      return undefined;
  }
}

export function isMacro(text: string): boolean {
  return Object.hasOwn(macros, bareCron(text).toLowerCase());
}

/** Whether the field matches every value. */
export function isOpen(field: string): boolean {
  return field === '*' || field === '?' || field === '*/1';
}
