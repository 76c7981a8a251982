/** One text read by every dialect. Pure. */
import { compileSpec, dialects, type Instant, parseCron } from 'carillon/spec';

export interface Reading {
  readonly dialect: string;
  readonly ok: boolean;
  /** The first times, or why it cannot be read. */
  readonly times: readonly number[];
  readonly problem: string;
}

const compared = 5;

export function readingsOf(text: string, zone: string, now: number): readonly Reading[] {
  return dialects.map((dialect): Reading => {
    const parsed = parseCron(text, dialect) as {
      readonly ok?: boolean;
      readonly problems?: readonly { readonly message: string }[];
    };
    if (parsed.ok === false) {
      return { dialect, ok: false, times: [], problem: parsed.problems?.[0]?.message ?? 'cannot be read' };
    }
    try {
      const compiled = compileSpec({ cron: [{ text, dialect }], zone });
      const times: number[] = [];
      for (let at = now; times.length < compared; ) {
        const found = compiled.next(at as Instant);
        if (found === undefined) break;
        times.push(found.nominal);
        at = found.nominal;
      }
      return { dialect, ok: true, times, problem: '' };
    } catch (error) {
      return {
        dialect,
        ok: false,
        times: [],
        problem: error instanceof Error ? error.message : String(error),
      };
    }
  });
}

/** Whether two dialects mean the same by the text, as far as the first times tell. */
export function isSame(a: Reading, b: Reading): boolean {
  return a.ok && b.ok && a.times.join() === b.times.join();
}

/**
 * The same times in the words of another dialect, if it can say them: a candidate is taken only when its first times are the
 * same. Five fields are minutes and hours as everywhere; six begin with the second and name weekdays, because Spring counts
 * them from another day.
 */
export function saidIn(
  text: string,
  from: string,
  to: string,
  zone: string,
  now: number,
): string | undefined {
  const own = readingsOf(text, zone, now).find(({ dialect }) => dialect === from);
  if (own === undefined || !own.ok || own.times.length === 0) return undefined;
  return candidates(text, to).find((candidate) => {
    const reading = readingsOf(candidate, zone, now).find(({ dialect }) => dialect === to);
    return reading !== undefined && isSame(reading, own);
  });
}

const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

function candidates(text: string, to: string): readonly string[] {
  const parts = text.trim().split(/\s+/);
  const fields = parts.length === 6 ? parts.slice(1) : parts;
  if (fields.length !== 5) return [text];
  const [minute, hour, day, month, weekday = '*'] = fields;
  const second = parts.length === 6 ? parts[0] : '0';
  const named = weekday.replace(/\d+/g, (digit) => dayNames[Number(digit)] ?? digit);
  const days = [weekday, named, weekday.replace('?', '*'), named.replace('?', '*')];
  const plain = (each: string | undefined) => (each === '?' ? '*' : each);
  const five = days.map((each) => [minute, hour, plain(day), month, each].join(' '));
  const six = days.flatMap((each) => [
    [second, minute, hour, day, month, each].join(' '),
    [second, minute, hour, '?', month, each].join(' '),
    [second, minute, hour, day, month, '?'].join(' '),
  ]);
  return to === 'spring' ? [text, ...six, ...five] : [...five, text, ...six];
}
