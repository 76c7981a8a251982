/**
 * The JSON path of `${…}` expressions: dotted and bracketed names, indexes (negative ones count from the end), `[*]`,
 * slices, `[?(@.field op value)]`, and `length()` at the end. Every other form is refused when it is parsed, so that a
 * definition never means something else here than in Conductor.
 *
 * A path of names and single indexes is *definite*: it has one value, or null when something on the way is missing. The value
 * of any other path is the list of its matches, which may be empty.
 */

export type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'slice'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'filter'; readonly filter: PathFilter }
  | { readonly kind: 'length' };

export interface PathFilter {
  /** The names after `@`. */
  readonly field: readonly string[];
  readonly operator: FilterOperator;
  readonly value: string | number | boolean | null;
}

const operators = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type FilterOperator = (typeof operators)[number];

export type ParsedPath =
  | { readonly ok: true; readonly steps: readonly PathStep[] }
  | { readonly ok: false; readonly message: string; readonly fix: string };

export const supportedPaths =
  "names (a.b, a['b c']), indexes ([0], [-1]), [*], slices ([0:2]), [?(@.field == value)] and length()";

const plainName = /^[^.[\]()?*@$'"\s{}]+/;

class Refused extends Error {}

export function parsePath(text: string): ParsedPath {
  try {
    return { ok: true, steps: steps(text) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, message: error.message, fix: `use ${supportedPaths}` };
  }
}

function steps(text: string): readonly PathStep[] {
  const found: PathStep[] = [];
  let rest = text;
  let isFirst = true;
  while (rest !== '') {
    if (found.at(-1)?.kind === 'length') throw new Refused(`nothing may follow length() in '${text}'`);
    if (rest.startsWith('[')) {
      const end = closing(rest, text);
      found.push(bracketed(rest.slice(1, end).trim(), text));
      rest = rest.slice(end + 1);
    } else {
      if (rest.startsWith('..')) throw new Refused(`'..' in '${text}' is not supported`);
      if (!isFirst && !rest.startsWith('.')) throw new Refused(`'${rest}' in '${text}' is not understood`);
      rest = isFirst ? rest : rest.slice(1);
      const call = /^(\w+)\(([^)]*)\)/.exec(rest);
      if (call !== null) {
        if (call[1] !== 'length' || call[2] !== '' || isFirst)
          throw new Refused(`the function ${call[1]}() in '${text}' is not supported`);
        found.push({ kind: 'length' });
        rest = rest.slice(call[0].length);
      } else {
        const name = plainName.exec(rest)?.[0];
        if (name === undefined) throw new Refused(`'${rest}' in '${text}' is not understood`);
        found.push({ kind: 'name', name });
        rest = rest.slice(name.length);
      }
    }
    isFirst = false;
  }
  if (found[0]?.kind !== 'name') throw new Refused(`'${text}' must begin with a name`);
  return found;
}

/** The index of the bracket that closes the first one; brackets inside quotes do not count. */
function closing(text: string, whole: string): number {
  let quote = '';
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  throw new Refused(`a bracket in '${whole}' is not closed`);
}

function bracketed(inside: string, whole: string): PathStep {
  if (inside === '*') return { kind: 'all' };
  if (/^-?\d+$/.test(inside)) return { kind: 'index', index: Number(inside) };
  const slice = /^(-?\d+)?\s*:\s*(-?\d+)?$/.exec(inside);
  if (slice !== null) {
    const [, from, to] = slice;
    return {
      kind: 'slice',
      from: from === undefined ? null : Number(from),
      to: to === undefined ? null : Number(to),
    };
  }
  const name = quoted(inside);
  if (name !== undefined) return { kind: 'name', name };
  const filter = /^\?\s*\((.*)\)$/s.exec(inside)?.[1];
  if (filter !== undefined) return { kind: 'filter', filter: readFilter(filter, whole) };
  throw new Refused(`'[${inside}]' in '${whole}' is not supported`);
}

function quoted(text: string): string | undefined {
  return /^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"]*)"$/.exec(text)?.[1];
}

const condition =
  /^\s*@((?:\.[^.[\]()?*@$'"\s{}=!<>]+|\['[^']*'\]|\["[^"]*"\])*)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/s;

function readFilter(text: string, whole: string): PathFilter {
  const parts = condition.exec(text);
  const value = parts === null ? undefined : literal(parts[3] as string);
  if (parts === null || value === undefined)
    throw new Refused(`the filter '?(${text})' in '${whole}' is not supported`);
  const field: string[] = [];
  for (const [, plain, single, double] of (parts[1] as string).matchAll(
    /\.([^.[\]]+)|\['([^']*)'\]|\["([^"]*)"\]/g,
  ))
    field.push(plain ?? single ?? double ?? '');
  return { field, operator: parts[2] as FilterOperator, value };
}

function literal(text: string): PathFilter['value'] | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return quoted(text);
}

/** The value of a path in a document; null when a definite path matches nothing. */
export function readPath(path: readonly PathStep[], document: unknown): unknown {
  let found: readonly unknown[] = [document];
  let isDefinite = true;
  for (const step of path) {
    if (step.kind === 'length') {
      if (!isDefinite) return found.length;
      found = [lengthOf(found[0])];
    } else {
      if (step.kind !== 'name' && step.kind !== 'index') isDefinite = false;
      found = found.flatMap((value) => follow(step, value));
    }
  }
  return isDefinite ? (found[0] ?? null) : found;
}

function follow(step: Exclude<PathStep, { kind: 'length' }>, value: unknown): readonly unknown[] {
  switch (step.kind) {
    case 'name': {
      if (!isRecord(value) || !Object.hasOwn(value, step.name)) return [];
      return [value[step.name]];
    }
    case 'index': {
      if (!Array.isArray(value)) return [];
      const at = step.index < 0 ? value.length + step.index : step.index;
      return at >= 0 && at < value.length ? [value[at]] : [];
    }
    case 'all':
      return elements(value);
    case 'slice':
      return Array.isArray(value) ? value.slice(step.from ?? 0, step.to ?? undefined) : [];
    case 'filter':
      return (Array.isArray(value) ? value : [value]).filter((item) => matches(step.filter, item));
  }
}

function elements(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function lengthOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : null;
}

function matches({ field, operator, value }: PathFilter, item: unknown): boolean {
  let found: unknown = item;
  for (const name of field) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return false;
    found = found[name];
  }
  if (operator === '==') return found === value;
  if (operator === '!=') return found !== value;
  // Only two numbers or two texts have an order.
  if (typeof found !== typeof value || (typeof value !== 'number' && typeof value !== 'string')) return false;
  const [a, b] = [found as number, value as number];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
