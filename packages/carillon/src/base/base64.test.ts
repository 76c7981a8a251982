import { expect, test } from 'vitest';
import { base64 } from './base64.ts';

test('every byte comes back from the base64 of Node', () => {
  for (const length of [0, 1, 2, 3, 256, 70_000]) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 7) % 256);
    expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  }
});
