import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../order.ts';
import { escapeText, keyOf, keyText, optionalText, textOrNull, unescapeText } from './text.ts';

/** Many special characters between ordinary ones. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\u0001', '\u0002', 'a', '=', '\uffee', '🕰'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
});

describe('text in Redis', () => {
  it('comes back as it was, and holds no divider', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(escapeText(given)).not.toContain('\0');
        expect(unescapeText(escapeText(given))).toBe(given);
        expect(textOrNull(optionalText(given))).toBe(given);
      }),
    );
    expect(textOrNull(optionalText(null))).toBe(null);
  });

  it('sorts by bytes as keys do by code point, field by field', () => {
    fc.assert(
      fc.property(text, text, text, text, (a, b, c, d) => {
        const bytes = Buffer.compare(
          Buffer.from(`${keyText({ namespace: a, archetype: b, id: '' })}\0`),
          Buffer.from(`${keyText({ namespace: c, archetype: d, id: '' })}\0`),
        );
        expect(Math.sign(bytes)).toBe(Math.sign(compareText(a, c) || compareText(b, d)));
      }),
    );
  });

  it('names one key only', () => {
    fc.assert(
      fc.property(text, text, text, (namespace, archetype, id) => {
        expect(keyOf(keyText({ namespace, archetype, id }))).toEqual({ namespace, archetype, id });
      }),
    );
  });
});
