/**
 * Tables of input fields: a schema in which each field knows what to write instead of a wrong value. The input types,
 * comments included, are derived from these tables, so that a field is added in one file.
 */
import { z } from 'zod';
import { parseDuration } from './duration.ts';
import type { Problem } from './error.ts';
import { shapeWords } from './shape-words.ts';
import { day, parseInstant } from './time.ts';

/** The fixes are kept beside the schemas, not inside them, so that schema descriptions for clients do not show them. */
const fixes = z.registry<{ readonly fix: string }>();

/** A required field. */
export function needed<S extends z.ZodType>(schema: S, fix: string): S {
  fixes.add(schema, { fix });
  return schema;
}

/** An optional field. */
export function field<S extends z.ZodType>(schema: S, fix: string): z.ZodOptional<S> {
  return needed(schema.optional(), fix);
}

/** The input type of a table of fields: readonly, and absent instead of undefined. */
export type InputOf<Fields> = {
  readonly [K in keyof Fields as Fields[K] extends z.ZodOptional ? never : K]: Plain<z.input<Fields[K]>>;
} & {
  readonly [K in keyof Fields as Fields[K] extends z.ZodOptional ? K : never]?: Plain<
    Exclude<z.input<Fields[K]>, undefined>
  >;
};

type Plain<T> = T extends Date | string | number | boolean | null
  ? T
  : T extends readonly (infer Each)[]
    ? readonly Plain<Each>[]
    : T extends object
      ? { readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
      : T;

/** How inputs are parsed: issues say what was given, so that their words can name what was probably meant. */
export const reporting = { reportInput: true } as const;

/**
 * Turns an issue of the schema library into a problem: where it is, which rule it breaks, and what to write instead
 * if the schema knows.
 */
export function shapeProblem(issue: z.core.$ZodIssue, schema: z.ZodType): Problem {
  const path = pathText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return {
      path: path === '' ? key : `${path}.${key}`,
      reason: 'UNKNOWN_FIELD',
      message: `unknown field ${issue.keys.map((each) => `'${each}'`).join(', ')}`,
      fix: 'remove it, or check its spelling',
    };
  }
  // The schema library calls Carillon's own rules `custom`.
  const reason = issue.code === 'custom' ? 'INVALID' : issue.code.toUpperCase();
  const fix = fixAt(schema, issue.path);
  // A rule may say in its own words what to write; with a fix beside it, that would be said twice.
  const words = fix === undefined ? shapeWords(issue) : shapeWords(issue).replace(`; ${fix}`, '');
  // The words follow the name of a field; the whole has no name.
  const message = path === '' && words.startsWith('is ') ? `the input ${words}` : words;
  return { path, reason, message, ...(fix === undefined ? {} : { fix }) };
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

/** The fix of the innermost field on the path that has a fix. */
function fixAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let found = fixes.get(schema)?.fix;
  let inner: unknown = schema;
  for (const part of path) {
    inner = unwrapped(inner);
    if (!(inner instanceof z.ZodObject) || typeof part !== 'string') return found;
    const next = (inner.shape as Readonly<Record<string, z.ZodType>>)[part];
    if (next === undefined) return found;
    inner = next;
    found = fixes.get(next)?.fix ?? found;
  }
  return found;
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner;
}

export const durationFix = "write '90s', '15m', '1h30m', '2d' or a number of milliseconds";
export const instantFix =
  "write RFC 3339 with an offset, e.g. '2026-03-01T09:00:00Z', or milliseconds since 1970";

/** A thousand years: more than other systems can say, and little enough to be added to any time. */
const longestDuration = 365_250 * day;

const isDuration = (value: string | number) =>
  typeof value === 'number' || parseDuration(value) !== undefined;

const isBounded = (value: string | number) =>
  ((typeof value === 'number' ? value : parseDuration(value)) ?? 0) <= longestDuration;

const tooLong = { error: 'is longer than a thousand years' };

/** What a `Date` can hold. */
const isInstant = (value: string | number | Date) =>
  typeof value === 'string' ? parseInstant(value) !== undefined : !Number.isNaN(new Date(value).getTime());

/** A duration; zero is allowed. */
export const durationShape = z
  .union([z.string(), z.number().nonnegative()])
  .refine(isDuration, { error: `not a duration; ${durationFix}` })
  .refine(isBounded, tooLong);

/** A duration longer than zero. */
export const timeoutShape = z
  .union([z.string(), z.number().positive()])
  .refine(isDuration, { error: "not a duration; write '30s', '5m' or a number of milliseconds" })
  .refine(isBounded, tooLong);

export const instantShape = z
  .union([z.string(), z.number(), z.date()])
  .refine(isInstant, { error: `not a time; ${instantFix}` });
