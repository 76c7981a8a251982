import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from './order.ts';

describe('compareText', () => {
  it('orders as the bytes of UTF-8 do', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('puts emoji after the last characters of the basic plane', () => {
    expect(compareText('\uffee', '🕰')).toBeLessThan(0);
    expect('\uffee' < '🕰').toBe(false);
  });
});
