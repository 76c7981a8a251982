/**
 * Turns the issues of the schema library into messages for people. Messages from Carillon's own schemas are kept,
 * because they know more about the field than its type does.
 */

import { didYouMean, nearNames } from './near-names.ts';

/** The fields of an issue that this file reads, so that it does not import the schema library. */
interface ShapeIssue {
  readonly code?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: readonly unknown[];
  /** What was given, where the parser was asked to report it (`reportInput`). */
  readonly input?: unknown;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly errors?: readonly (readonly ShapeIssue[])[];
}

const ownWords = /^(Invalid input|Invalid option|Too small|Too big)/;

export function shapeWords(issue: object): string {
  const { code, message, expected, values, input, origin, minimum, maximum, errors } = issue as ShapeIssue;
  if (!ownWords.test(message)) return message;
  switch (code) {
    case 'invalid_type':
      return message.endsWith('received undefined') ? 'is missing' : `is not ${typeWords(String(expected))}`;
    case 'invalid_value':
      return values?.length === 1
        ? `is not ${values[0]}`
        : `is not one of ${values?.join(', ')}${meantWords(input, values)}`;
    case 'too_small':
      return `is too small: at least ${minimum}${unitWords(origin)}`;
    case 'too_big':
      return `is too large: at most ${maximum}${unitWords(origin)}`;
    case 'invalid_union': {
      // The first form is the simplest, and the one that most people mean.
      const first = errors?.find((each) => each.length > 0)?.[0];
      return first === undefined ? message : shapeWords(first);
    }
    default:
      return message;
  }
}

/** A question about a similar word, after a semicolon; empty without one. */
function meantWords(given: unknown, values: readonly unknown[] = []): string {
  if (typeof given !== 'string') return '';
  const meant = didYouMean(nearNames(given, values.map(String)));
  return meant === undefined ? '' : `; ${meant}`;
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function typeWords(expected: string): string {
  return types[expected] ?? `a ${expected}`;
}

function unitWords(origin: string | undefined): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}
