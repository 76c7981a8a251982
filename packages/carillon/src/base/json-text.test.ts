import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('a text is written as JSON.stringify writes it', () => {
  for (let unit = 0; unit < 0x250; unit += 1) {
    const text = `a${String.fromCharCode(unit)}`;
    expect(jsonText(text)).toBe(JSON.stringify(text));
  }
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\ud800', 'nightly-2026'),
  );
  fc.assert(fc.property(texts, (text) => jsonText(text) === JSON.stringify(text)));
});
