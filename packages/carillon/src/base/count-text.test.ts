import { expect, test } from 'vitest';
import { countText } from './count-text.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [2174, '2,174'],
  [1_234_567, '1,234,567'],
])('%i is written %s', (count, text) => expect(countText(count)).toBe(text));
