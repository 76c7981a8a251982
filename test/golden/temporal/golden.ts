/** The recorded answers of a real Temporal server, and how their shorthands become requests. */
import { readFileSync } from 'node:fs';

export function readGolden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as T;
}

export interface Shorthands {
  /** Replaces the word STEM: a prefix of the test's own. */
  readonly stem: string;
  /** The conflict tokens that the calls before answered. */
  readonly tokens?: readonly (Uint8Array | undefined)[];
}

/** Expands `$repeat`, `$pad`, `$json`, `$bytes`, `$token`, `$times` and the word STEM; the README explains them. */
export function expand(value: unknown, shorthands: Shorthands): unknown {
  const { stem, tokens = [] } = shorthands;
  if (typeof value === 'string') return value.replaceAll('STEM', stem);
  if (Array.isArray(value)) return value.map((each) => expand(each, shorthands));
  if (typeof value !== 'object' || value === null) return value;
  const [[key, given] = ['', undefined]] = Object.entries(value);
  switch (key) {
    case '$repeat': {
      const [text, times] = given as [string, number];
      return text.repeat(times);
    }
    case '$pad': {
      const [start, length] = given as [string, number];
      return start.replaceAll('STEM', stem).padEnd(length, 'x');
    }
    case '$json':
      return jsonPayload(expand(given, shorthands));
    case '$bytes':
      return Buffer.from(given as string, 'base64');
    case '$token':
      return tokens[given as number];
    case '$times': {
      const [entry, times] = given as [unknown, number];
      return Array.from({ length: times }, () => expand(entry, shorthands));
    }
    default:
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, expand(each, shorthands)]),
      );
  }
}

export function jsonPayload(value: unknown) {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}
