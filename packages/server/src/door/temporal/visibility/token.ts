/** Splits a query into tokens: words, names in backticks, texts in quotes, numbers, operators. */
import { queryError } from './query-error.ts';

export type Token =
  /** A keyword or a bare name; the parser distinguishes them. */
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

/** Longest query, in characters. A longer one is generated and should be split into several requests. */
export const longestQuery = 16_384;

const space = /\s+/y;
const number = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[\p{L}_][\p{L}\p{N}_.$-]*/uy;
const letter = /[\p{L}_]/u;
const sign = /<=|>=|!=|<>|[=<>(),]/y;

export function tokenize(query: string): readonly Token[] {
  if (query.length > longestQuery) throw queryError(`longer than ${longestQuery} characters`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(query) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  for (;;) {
    take(space);
    const start = at;
    const first = query[at];
    if (first === undefined) {
      tokens.push({ kind: 'end', at });
      return tokens;
    }
    if (first === "'" || first === '"' || first === '`') {
      const quoted = readQuoted(query, at);
      at = quoted.end;
      tokens.push({ kind: first === '`' ? 'name' : 'text', text: quoted.text, at: start });
      continue;
    }
    const digits = take(number);
    if (digits !== undefined) {
      const value = Number(digits);
      if (!Number.isFinite(value)) throw queryError(`the number ${digits.slice(0, 40)} is too large`, start);
      if (letter.test(query.charAt(at))) throw queryError(`unexpected '${query[at]}' in a number`, at);
      tokens.push({ kind: 'number', value, at: start });
      continue;
    }
    const text = take(word);
    if (text !== undefined) {
      tokens.push({ kind: 'word', text, at: start });
      continue;
    }
    const operator = take(sign);
    if (operator === undefined)
      throw queryError(`unexpected character ${JSON.stringify(charAt(query, at))}`, at);
    tokens.push({ kind: 'sign', text: operator === '<>' ? '!=' : operator, at: start });
  }
}

/** As in SQL, a quote is escaped by doubling it or by a backslash; a backtick by doubling only. */
function readQuoted(query: string, start: number): { readonly text: string; readonly end: number } {
  const quote = query[start] as string;
  let text = '';
  let at = start + 1;
  for (;;) {
    const next = query[at];
    if (next === undefined) throw queryError(`the quote ${quote} is never closed; it opens`, start);
    if (next === quote) {
      if (query[at + 1] !== quote) return { text, end: at + 1 };
      text += quote;
      at += 2;
    } else if (next === '\\' && quote !== '`') {
      const escaped = query[at + 1];
      if (escaped === undefined) throw queryError(`the quote ${quote} is never closed; it opens`, start);
      text += escapes[escaped] ?? escaped;
      at += 2;
    } else {
      text += next;
      at += 1;
    }
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', b: '\b', Z: '\x1a' };

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) as number);
}
