/**
 * Run ids as UUIDs, which Temporal's tools expect. A run's own id has a time of 48 bits and a hash of 64; both fit into the free
 * bits of a UUID of version 8, so the id comes back from the UUID. Ids of another form are shown as they are.
 */
const own = /^([0-9a-z]{9})-([0-9a-z]{7})([0-9a-z]{7})$/;
const shown = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})$/i;

const timeDigits = 9;
const hashDigits = 7;
const radix = 36;
const largestTime = 2 ** 48;
const largestWord = 2 ** 32;
/** The hash fills 12 bits before the variant and 52 after it; the last ten bits are zero. */
const spareBits = 10n;
const variant = 0b10n << 62n;

export function runUuid(id: string): string {
  const [, time, first, second] = own.exec(id) ?? [];
  if (time === undefined || first === undefined || second === undefined) return id;
  const [at, a, b] = [time, first, second].map((text) => Number.parseInt(text, radix)) as [
    number,
    number,
    number,
  ];
  if (at >= largestTime || a >= largestWord || b >= largestWord) return id;
  const hash = (BigInt(a) << 32n) | BigInt(b);
  const high = at.toString(16).padStart(12, '0');
  const middle = (hash >> 52n).toString(16).padStart(3, '0');
  const low = (variant | ((hash & ((1n << 52n) - 1n)) << spareBits)).toString(16);
  return `${high.slice(0, 8)}-${high.slice(8)}-8${middle}-${low.slice(0, 4)}-${low.slice(4)}`;
}

/** The id behind a UUID of `runUuid`; every other text is returned as it is. */
export function runIdOf(text: string): string {
  const [, high, rest, middle, start, end] = shown.exec(text) ?? [];
  if (high === undefined) return text;
  const at = Number.parseInt(`${high}${rest}`, 16);
  const low = BigInt(`0x${start}${end}`) & ((1n << 62n) - 1n);
  const hash = (BigInt(`0x${middle}`) << 52n) | (low >> spareBits);
  const id = `${digits(at, timeDigits)}-${digits(Number(hash >> 32n), hashDigits)}${digits(Number(hash & 0xffffffffn), hashDigits)}`;
  return runUuid(id) === text.toLowerCase() ? id : text;
}

function digits(value: number, length: number): string {
  return value.toString(radix).padStart(length, '0');
}
