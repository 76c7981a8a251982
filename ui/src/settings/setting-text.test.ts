import { expect, test } from 'vitest';
import { settingText } from './setting-text.ts';

test('values are written as people read them', () => {
  expect(settingText(2_097_152, 'bytes of JSON')).toBe('2 MB');
  expect(settingText(40_960, 'bytes of attributes')).toBe('40 KB');
  expect(settingText(10_000, 'keys of one object')).toBe('10,000');
  expect(settingText('90d', 'how long verdicts stay')).toBe('90d');
});
