/**
 * `${…}` in the parameters of a workflow. A text that is one expression becomes its value, of any type. In a longer text the
 * values are written as text, and a missing value as an empty text. `$${…}` stands for the characters themselves.
 */
import type { Problem } from 'carillon/internal/base';
import type { PathStep } from './json-path.ts';
import { parsePath, readPath } from './json-path.ts';
import { jsonText } from './json-text.ts';

interface Found {
  readonly start: number;
  readonly end: number;
  /** The path inside the braces; null for an escaped expression. */
  readonly path: string | null;
}

/** The expressions of a text. An opening brace without an end is plain text, as in the original. */
function expressionsIn(text: string): readonly Found[] {
  const found: Found[] = [];
  for (let start = text.indexOf('${'); start >= 0; ) {
    const end = closing(text, start + 2);
    if (end < 0) break;
    const isEscaped = text[start - 1] === '$';
    found.push({ start, end: end + 1, path: isEscaped ? null : text.slice(start + 2, end).trim() });
    start = text.indexOf('${', end + 1);
  }
  return found;
}

/** The index of the closing brace. Braces inside quotes do not count. */
function closing(text: string, from: number): number {
  let quote = '';
  for (let index = from; index < text.length; index += 1) {
    const character = text[index] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '}') return index;
  }
  return -1;
}

/** Paths are parsed once: a workflow resolves the same few at every task. Bounded, because texts come from clients. */
const parsed = new Map<string, readonly PathStep[] | null>();
const mostParsed = 10_000;

function stepsOf(path: string): readonly PathStep[] | null {
  let steps = parsed.get(path);
  if (steps === undefined) {
    const result = parsePath(path);
    steps = result.ok ? result.steps : null;
    if (parsed.size >= mostParsed) parsed.clear();
    parsed.set(path, steps);
  }
  return steps;
}

/** The value with every expression in it replaced, at any depth. */
export function resolveValue(value: unknown, document: unknown): unknown {
  if (typeof value === 'string') return value.includes('${') ? resolveText(value, document) : value;
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, document));
  if (typeof value !== 'object' || value === null) return value;
  // Built from entries, because assigning to a name such as `__proto__` would set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolveValue(item, document)]),
  );
}

function resolveText(text: string, document: unknown): unknown {
  const found = expressionsIn(text);
  const [only] = found;
  if (only === undefined) return text;
  if (only.path !== null && only.start === 0 && only.end === text.length) return valueAt(only.path, document);
  let result = '';
  let last = 0;
  for (const { start, end, path } of found) {
    result +=
      path === null
        ? text.slice(last, start - 1) + text.slice(start, end)
        : text.slice(last, start) + shown(valueAt(path, document));
    last = end;
  }
  return result + text.slice(last);
}

function valueAt(path: string, document: unknown): unknown {
  const steps = stepsOf(path);
  return steps === null ? null : readPath(steps, document);
}

function shown(value: unknown): string {
  return value === null || value === undefined ? '' : jsonText(value);
}

/** The first names of the expressions that have more than one: `workflow`, or the reference name of a task. */
export function sourcesIn(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [];
  return expressionsIn(value).flatMap(({ path }) => /^(\w+)\./.exec(path ?? '')?.[1] ?? []);
}

/** The problems of all expressions in a value; `at` is the value's own path. */
export function expressionProblems(value: unknown, at: string): readonly Problem[] {
  if (typeof value === 'string') return textProblems(value, at);
  if (Array.isArray(value))
    return value.flatMap((item, index) => expressionProblems(item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => expressionProblems(item, `${at}.${name}`));
}

function textProblems(text: string, path: string): readonly Problem[] {
  return expressionsIn(text).flatMap((expression) => {
    if (expression.path === null) return [];
    const result = parsePath(expression.path);
    if (result.ok) return [];
    const { message, fix } = result;
    return [
      { path, reason: 'BAD_EXPRESSION', message, fix: `${fix}, or run the workflow on a Conductor cluster` },
    ];
  });
}
