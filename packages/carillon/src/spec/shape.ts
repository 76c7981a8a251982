/**
 * Checks `unknown` values as plain data: each helper either accepts the value or records the problem, so that one
 * pass finds all problems.
 */
import type { Problem } from '../base/error.ts';
import { problem } from './parsed.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** Checks one value and reports under the path it is given. */
export type Check = (value: unknown, path: string, problems: Problem[]) => void;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : typeof value;
}

function wrongKind(path: string, wanted: string, value: unknown): Problem {
  return problem(path, 'WRONG_TYPE', `must be ${wanted}, not ${kindOf(value)}`);
}

export function text(longest: number): Check {
  return (value, path, problems) => {
    if (typeof value !== 'string') problems.push(wrongKind(path, 'text', value));
    else if (value.length > longest) {
      const message = `has ${value.length} characters, more than ${longest}`;
      problems.push(problem(path, 'TOO_LONG', message, 'shorten it'));
    }
  };
}

export function wholeNumber(low: number, high: number): Check {
  return (value, path, problems) => {
    if (typeof value !== 'number') problems.push(wrongKind(path, 'a whole number', value));
    else if (!Number.isInteger(value) || value < low || value > high) {
      const message = `${value} is not a whole number from ${low} to ${high}`;
      problems.push(problem(path, 'OUT_OF_RANGE', message, `write a whole number from ${low} to ${high}`));
    }
  };
}

export function oneOf(choices: readonly string[]): Check {
  return (value, path, problems) => {
    if (typeof value === 'string' && choices.includes(value)) return;
    const message = `${JSON.stringify(value) ?? 'undefined'} is none of ${choices.join(', ')}`;
    problems.push(problem(path, 'UNKNOWN_CHOICE', message, `write one of ${choices.join(', ')}`));
  };
}

/** Elements of a list that is too long are not checked; only the length is reported. */
export function list(element: Check, longest: number): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.push(wrongKind(path, 'a list', value));
      return;
    }
    if (value.length > longest) {
      const message = `has ${value.length} entries, more than ${longest}`;
      problems.push(problem(path, 'TOO_MANY_ENTRIES', message, 'split it into several schedules'));
    }
    value.slice(0, longest).forEach((entry, i) => {
      element(entry, `${path}[${i}]`, problems);
    });
  };
}

/** `undefined` counts as absent. An unknown field is a problem, because it is probably misspelt. */
export function record(known: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path, problems) => {
    if (!isFields(value)) {
      problems.push(wrongKind(path, 'an object', value));
      return;
    }
    const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const name of required) {
      if (value[name] === undefined) problems.push(problem(inside(name), 'MISSING', `${name} is missing`));
    }
    for (const [name, content] of Object.entries(value)) {
      if (content === undefined) continue;
      const check = Object.hasOwn(known, name) ? known[name] : undefined;
      if (check !== undefined) check(content, inside(name), problems);
      else {
        const near = nearest(name, Object.keys(known));
        const fix = near === undefined ? `the fields are ${Object.keys(known).join(', ')}` : `write ${near}`;
        problems.push(problem(inside(name), 'UNKNOWN_FIELD', `there is no field ${name}`, fix));
      }
    }
  };
}

/** The known name that the user probably meant: equal except for case or a plural s, or with a common prefix of four. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (word: string) => word.toLowerCase().replace(/s$/, '');
  const wanted = plain(name);
  return (
    known.find((word) => plain(word) === wanted) ??
    known.find((word) => wanted.length >= 4 && plain(word).startsWith(wanted.slice(0, 4)))
  );
}
