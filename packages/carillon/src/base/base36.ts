/** Whole numbers in base 36, padded with zeros: what ids are made of, in a third of the time of `toString(36)`. */
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const pairs: readonly string[] = Array.from(
  { length: 36 * 36 },
  (_, value) => `${alphabet[Math.floor(value / 36)]}${alphabet[value % 36]}`,
);

/** The lowest `length` digits. */
export function base36(value: number, length: number): string {
  let text = '';
  let rest = value;
  let left = length;
  for (; left > 1; left -= 2) {
    const higher = Math.floor(rest / 1296);
    text = (pairs[rest - higher * 1296] as string) + text;
    rest = higher;
  }
  return left === 1 ? (alphabet[rest % 36] as string) + text : text;
}
