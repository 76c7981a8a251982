import { expect, test } from 'vitest';
import { withArticle } from './article.ts';

test.each([
  ['loopback address', 'a loopback address'],
  ['unspecified address', 'an unspecified address'],
  ['unique local address', 'a unique local address'],
  ['IPv4-mapped address', 'an IPv4-mapped address'],
  ['ArrayBuffer', 'an ArrayBuffer'],
  ['Map', 'a Map'],
])('%s', (noun, expected) => {
  expect(withArticle(noun)).toBe(expected);
});
