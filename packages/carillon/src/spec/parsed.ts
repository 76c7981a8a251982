/** The outcome of reading text: a value, or everything that is wrong with it. */
import type { Problem } from '../base/error.ts';
import type { Calendar, Interval } from './model.ts';

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What a cron text becomes, with the zone its `TZ=` prefix names. */
export type ParsedCron =
  | { readonly kind: 'calendar'; readonly calendar: Calendar; readonly zone?: string }
  | { readonly kind: 'interval'; readonly interval: Interval; readonly zone?: string };

export function success<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function failure<T>(problems: readonly Problem[]): Parsed<T> {
  return { ok: false, problems };
}

export function problem(path: string, reason: string, message: string, fix?: string): Problem {
  return fix === undefined ? { path, reason, message } : { path, reason, message, fix };
}

/** The same problems, seen from further out: `hour` becomes `calendars[0].hour`. */
export function within(path: string, problems: readonly Problem[]): Problem[] {
  return problems.map((found) => {
    if (found.path === '') return { ...found, path };
    const glue = path === '' || found.path.startsWith('[') ? '' : '.';
    return { ...found, path: `${path}${glue}${found.path}` };
  });
}
