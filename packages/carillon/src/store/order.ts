/**
 * The order of text, the same in every store: by Unicode code point, which is also the order of UTF-8 bytes
 * (SQLite's BINARY, PostgreSQL's "C"). JavaScript's own `<` compares UTF-16 units and sorts emoji before U+E000.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Lifts surrogates, which stand for code points above U+FFFF, over the units that follow them. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
