/**
 * Texts side by side in one Redis value, separated by NUL. A NUL inside a text is written as two other bytes, chosen so that
 * escaped texts sort by bytes as the texts do by code point: the listing relies on it.
 */
import { StoreError } from '../error.ts';
import type { ExecutionKey } from '../records.ts';

export const divider = '\0';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that are escaped.
const special = /[\0\u0001]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that are escaped.
const everySpecial = /[\0\u0001]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what they were escaped to.
const everyEscaped = /\u0001[\u0001\u0002]/g;

export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(everySpecial, (character) => (character === '\0' ? '\u0001\u0001' : '\u0001\u0002'));
}

export function unescapeText(text: string): string {
  if (!text.includes('\u0001')) return text;
  return text.replace(everyEscaped, (pair) => (pair === '\u0001\u0001' ? '\0' : '\u0001'));
}

export function keyText({ namespace, archetype, id }: ExecutionKey): string {
  return `${escapeText(namespace)}\0${escapeText(archetype)}\0${escapeText(id)}`;
}

export function keyOf(text: string): ExecutionKey {
  const [namespace, archetype, id, ...rest] = text.split(divider);
  if (namespace === undefined || archetype === undefined || id === undefined || rest.length > 0) {
    throw new StoreError('corrupt', `${JSON.stringify(text)} is not the key of an execution`);
  }
  return {
    namespace: unescapeText(namespace),
    archetype: unescapeText(archetype),
    id: unescapeText(id),
  };
}

/** A text that may be absent: absent is empty, and a present text begins with `=`. */
export function optionalText(text: string | null): string {
  return text === null ? '' : `=${escapeText(text)}`;
}

export function textOrNull(stored: string): string | null {
  return stored === '' ? null : unescapeText(stored.slice(1));
}

export function optionalNumber(number: number | null): string {
  return number === null ? '' : String(number);
}

export function numberOrNull<T extends number>(stored: string): T | null {
  return stored === '' ? null : (Number(stored) as T);
}
