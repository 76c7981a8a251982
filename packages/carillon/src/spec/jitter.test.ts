import { expect, it } from 'vitest';
import { SeededRandom } from '../base/random.ts';
import { fingerprint32 } from './farmhash.ts';
import { jitterInput, jitterOffset } from './jitter.ts';

it('equals the 64-bit product for any hash and limit', () => {
  const random = new SeededRandom(7);
  for (let i = 0; i < 2000; i++) {
    const second = random.integer(0, 4_133_980_799);
    const limit = random.integer(1, 4_294_967_295);
    const seed = 'x'.repeat(random.integer(0, 60));
    const hash = fingerprint32(jitterInput(second, seed));
    expect(jitterOffset(second, seed, limit)).toBe(Number((BigInt(hash) * BigInt(limit)) >> 32n));
  }
});

it('is nothing for no room, and at most 49.7 days', () => {
  expect(jitterOffset(0, 's', 0)).toBe(0);
  expect(jitterOffset(0, 's', -5)).toBe(0);
  expect(jitterOffset(0, 's', 0.9)).toBe(0);
  expect(jitterOffset(0, 's', Number.POSITIVE_INFINITY)).toBeLessThan(2 ** 32);
});
