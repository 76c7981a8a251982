import { expect, test } from 'vitest';
import { acceptsGzip } from './json-answer.ts';

test.each([
  [undefined, false],
  ['', false],
  ['br, deflate', false],
  ['gzip', true],
  ['br, gzip, deflate', true],
  ['GZIP;q=0.5', true],
  ['gzip; q=1.0, *;q=0', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0', false],
  ['x-gzip-like', false],
])('accepts gzip: %s is %s', (header, is) => {
  expect(acceptsGzip(header)).toBe(is);
});
