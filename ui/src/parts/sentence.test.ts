import { expect, test } from 'vitest';
import { sentence, unchanged } from './sentence.ts';

test('a message of the server is a sentence', () => {
  expect(sentence('it is paused already')).toBe('It is paused already.');
  expect(sentence('Is it?')).toBe('Is it?');
  expect(unchanged('it is paused already')).toBe('It is paused already. Nothing was changed.');
});
