/**
 * Finds what JSON would change: a `Date` becomes a text, a `Map` an empty object, `NaN` null, a function nothing. A
 * handler that got such a value back would not know.
 */
import { withArticle } from './article.ts';
import type { Problem } from './error.ts';
import { failureOf } from './failure.ts';

/** The problem of a field that contains itself; undefined when it does not. */
export function circularProblem(field: string, value: unknown): Problem | undefined {
  const path = circularPath(value);
  if (path === undefined) return undefined;
  return {
    path: placeOf(field, path),
    reason: 'CIRCULAR',
    message: 'it contains itself, which JSON cannot write',
    fix: 'refer to the outer value by an id instead',
  };
}

/** The problem of a field that is not circular; found before it is stored, because its reader would get something else. */
export function lossyProblem(field: string, value: unknown): Problem | undefined {
  const lossy = changedByJson(value);
  if (lossy === undefined) return undefined;
  return {
    path: placeOf(field, lossy.path),
    reason: 'NOT_JSON',
    message: `${lossy.what} cannot be stored as it is: JSON would change it`,
    fix: 'give plain data: texts, finite numbers, booleans, null, lists and objects; write a Date as toISOString()',
  };
}

/** Why a result cannot be written as JSON, with its place. */
export function unwritableResult(value: unknown, error: unknown): string {
  const problem = circularProblem('result', value) ?? lossyProblem('result', value);
  if (problem === undefined) return `the result is not JSON: ${failureOf(error).message}`;
  return `the result is not JSON at ${problem.path}: ${problem.message}`;
}

/**
 * What to tell about a result that JSON could write but not as it is; undefined when there is nothing to tell. The work is done by
 * then, and many handlers return what they happen to have at their end, so this is not a failure.
 */
export function lossyResult(value: unknown): string | undefined {
  const lossy = changedByJson(value);
  if (lossy === undefined) return undefined;
  return `the result was stored as JSON writes it, which changes ${lossy.what} at ${placeOf('result', lossy.path)}; return plain data, or nothing`;
}

function placeOf(field: string, path: string): string {
  return path === '' ? field : path.startsWith('[') ? `${field}${path}` : `${field}.${path}`;
}

interface LossyPart {
  /** Where it is, such as `items[0].at`; empty for the value itself. */
  readonly path: string;
  readonly what: string;
}

/** The first value that JSON would not give back as it is; undefined when there is none. */
function changedByJson(value: unknown, path = ''): LossyPart | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path, what: `the number ${value}` };
    case 'object':
      return value === null ? undefined : ofObject(value, path);
    case 'undefined':
      return path === '' ? undefined : { path, what: 'undefined in a list' };
    default:
      return { path, what: `a ${typeof value}` };
  }
}

function ofObject(value: object, path: string): LossyPart | undefined {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      const lossy = changedByJson(each, `${path}[${index}]`);
      if (lossy !== undefined) return lossy;
    }
    return undefined;
  }
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && proto !== Object.prototype && Object.getPrototypeOf(proto) !== null) {
    return { path, what: withArticle(value.constructor?.name ?? 'class instance') };
  }
  for (const [name, each] of Object.entries(value)) {
    // A field that is undefined is a field that is absent.
    if (each === undefined) continue;
    const lossy = changedByJson(each, path === '' ? name : `${path}.${name}`);
    if (lossy !== undefined) return lossy;
  }
  return undefined;
}

/** Where a value contains itself, such as `parent.children[0]`; undefined when it does not. Without recursion, because it may nest deeply. */
function circularPath(value: unknown): string | undefined {
  interface Frame {
    readonly of: object;
    readonly path: string;
    readonly rest: [string, unknown][];
  }
  const frame = (of: object, path: string): Frame => ({ of, path, rest: Object.entries(of) });
  if (!isObject(value)) return undefined;
  const above = new Set<object>([value]);
  const seen = new Set<object>([value]);
  const stack = [frame(value, '')];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const [name, inner] = top.rest.pop() ?? [];
    if (name === undefined) {
      above.delete(top.of);
      stack.pop();
      continue;
    }
    if (!isObject(inner)) continue;
    const place = Array.isArray(top.of) ? `[${name}]` : top.path === '' ? name : `.${name}`;
    if (above.has(inner)) return `${top.path}${place}`;
    if (seen.has(inner)) continue;
    seen.add(inner);
    above.add(inner);
    stack.push(frame(inner, `${top.path}${place}`));
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
