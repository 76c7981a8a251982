import { expect, test } from 'vitest';
import { given } from './given.ts';

interface Wanted {
  readonly a: number;
  readonly b?: string;
}

test('leaves out what is undefined and keeps null, zero and the empty text', () => {
  expect(Object.keys(given({ a: undefined, b: null, c: 0, d: '', e: false }))).toEqual(['b', 'c', 'd', 'e']);
});

test('fits a type with exact optional fields', () => {
  const maybe = (text: string): string | undefined => (text === '' ? undefined : text);
  const wanted: Wanted = given({ a: 1, b: maybe('') });
  expect(wanted).toEqual({ a: 1 });
  expect('b' in wanted).toBe(false);
  // @ts-expect-error: a field that may be undefined does not fit one that must be there.
  const wrong: Wanted = given({ a: undefined as number | undefined });
  expect(wrong).toEqual({});
});
