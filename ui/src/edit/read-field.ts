/** Reads the texts of the form's fields, and writes values as a person would type them. Pure. */
import { findZone, zoneFix } from 'carillon/spec';
import type { Draft } from './draft.ts';
import { shortLength } from './draft.ts';
import { shapeProblem } from './spec-shape.ts';
import type { Reading } from './typed.ts';

/** How a field's text becomes a value and back. An empty text removes the value. */
export interface Form {
  readonly format: (value: unknown) => string;
  readonly read: (text: string) => Reading;
}

const isBlank = (text: string) => text.trim() === '';
const none: Reading = { value: undefined };

export const text: Form = {
  format: (value) => String(value ?? ''),
  read: (said) => (said === '' ? none : { value: said }),
};

/** An empty text stays, because without it the rest has no meaning. */
export const neededText: Form = {
  format: text.format,
  read: (said) => ({ value: said }),
};

export const json: Form = {
  format: (value) => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)),
  read: (text) => {
    if (isBlank(text)) return none;
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      return { problem: 'This is not JSON. Texts stand in double quotes, and every bracket is closed.' };
    }
  },
};

const aLength = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/;
const lengthProblem = 'Write a length such as 90s, 15m, 1h30m or 2d.';

/** A length as text, which the server reads. */
export const length: Form = {
  format: shortLength,
  read: (text) => {
    if (isBlank(text)) return none;
    return aLength.test(text.trim()) ? { value: text.trim() } : { problem: lengthProblem };
  },
};

export const catchup: Form = {
  format: shortLength,
  read: (text) =>
    text.trim() === 'unlimited'
      ? { value: 'unlimited' }
      : 'problem' in length.read(text)
        ? { problem: `${lengthProblem.slice(0, -1)}, or unlimited.` }
        : length.read(text),
};

const sizes: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a length; undefined for a text that is none. */
export function lengthMs(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !aLength.test(value)) return undefined;
  let total = 0;
  for (const [, number, unit = ''] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(number) * (sizes[unit] ?? 1);
  }
  return Math.round(total);
}

/** A length that the spec keeps in milliseconds. */
export const lengthInMs: Form = {
  format: shortLength,
  read: (text) => {
    const reading = length.read(text);
    return 'problem' in reading || reading.value === undefined ? reading : { value: lengthMs(reading.value) };
  },
};

/** A whole number. */
export function whole(least: number, most: number): Form {
  return {
    format: (value) => (value === undefined ? '' : String(value)),
    read: (text) => {
      if (isBlank(text)) return none;
      const value = Number(text);
      return /^\d+$/.test(text.trim()) && value >= least && value <= most
        ? { value }
        : { problem: `Write a whole number from ${least} to ${most.toLocaleString('en-US')}.` };
    },
  };
}

/** Words separated by commas. */
export const words: Form = {
  format: (value) => (Array.isArray(value) ? value.join(', ') : ''),
  read: (text) => {
    const found = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    return found.length === 0 ? none : { value: found };
  },
};

/** Days separated by commas or spaces. */
export const dates: Form = {
  format: words.format,
  read: (text) => {
    const found = text.split(/[\s,]+/).filter((date) => date !== '');
    const wrong = found.find((date) => !isDate(date));
    if (wrong !== undefined)
      return { problem: `‘${wrong}’ is not a day. Write year-month-day, such as 2026-12-25.` };
    return found.length === 0 ? none : { value: found };
  },
};

function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The zone by its name, as the server finds it. A zone that the spec brings itself keeps its name. */
export function zoneOf({
  zone: own,
  zoneData,
}: {
  readonly zone?: string;
  readonly zoneData?: string;
}): Form {
  return {
    format: (value) => String(value ?? 'UTC'),
    read: (text) => {
      const name = text.trim();
      if (name === '') return none;
      if (zoneData !== undefined && name === own) return { value: name };
      const found = findZone(name);
      if (found !== undefined) return { value: found.name };
      const fix = zoneFix(name);
      return {
        problem: `No zone is called ‘${name}’. ${fix.charAt(0).toUpperCase()}${fix.slice(1)}${/[.?]$/.test(fix) ? '' : '.'}`,
      };
    },
  };
}

/** A program and its arguments, separated by spaces; an argument with spaces is quoted. */
export const argv: Form = {
  format: (value) => (Array.isArray(value) ? value.map((word) => quotedWord(String(word))).join(' ') : ''),
  read: (text) => {
    const found: string[] = [];
    const word = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))(?=\s|$)/gy;
    let end = 0;
    for (let match = word.exec(text); match !== null; match = word.exec(text)) {
      found.push(match[1]?.replace(/\\(.)/gs, '$1') ?? match[2] ?? match[3] ?? '');
      end = word.lastIndex;
    }
    if (!isBlank(text.slice(end))) {
      return { problem: 'A quote is not closed, or stands inside of a word. Quote the whole argument.' };
    }
    return found.length === 0 ? { problem: 'Name the program.' } : { value: found };
  },
};

function quotedWord(word: string): string {
  return word !== '' && !/[\s"']/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`;
}

/** The definition as JSON text. The name of a schedule that exists cannot be changed. */
export function readDefinition(
  text: string,
  known: string | undefined,
): { readonly id?: string; readonly draft: Draft } | { readonly problem: string } {
  const reading = json.read(text);
  if ('problem' in reading) return reading;
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'A definition is an object, such as { "cron": "0 2 * * *", "run": "report" }.' };
  }
  const { id, ...draft } = value as Readonly<Record<string, unknown>>;
  if (id !== undefined && typeof id !== 'string') return { problem: 'The id is a text.' };
  if (known !== undefined && id !== undefined && id !== known) {
    return { problem: `The name of a schedule cannot be changed; this one is ${known}.` };
  }
  const problem = shapeProblem(draft.spec);
  return problem === undefined ? { draft, ...(id === undefined ? {} : { id }) } : { problem };
}
