/**
 * A second opinion on jitter: FarmHash's 32-bit fingerprint (its "mk" form) and the derivation of reference 1.7, written from
 * their descriptions and not from our own library, so that both can be compared with the known answers.
 */

const c1 = 0xcc9e2d51;
const c2 = 0x1b873593;
const rotr = (value: number, by: number) => (value >>> by) | (value << (32 - by));
const mix = (value: number) => {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
};
const mur = (a: number, h: number) =>
  (Math.imul(rotr(h ^ Math.imul(rotr(Math.imul(a, c1), 17), c2), 19), 5) + 0xe6546b64) | 0;

function medium(bytes: Buffer): number {
  const n = bytes.length;
  const at = (offset: number) => bytes.readInt32LE(offset);
  const [b, c, d, e, f] = [at(4), at(n - 8), at(n >> 1), at(0), at(n - 4)];
  let a = (rotr(at((n >> 1) - 4), 12) + f) | 0;
  let h = (mur(c, Math.imul(d, c1) + n) + a) | 0;
  a = (rotr(a, 3) + c) | 0;
  h = (mur(e, h) + a) | 0;
  a = (rotr(a + f, 12) + d) | 0;
  return mix((mur(b, h) + a) | 0) >>> 0;
}

function long(bytes: Buffer): number {
  const n = bytes.length;
  const at = (offset: number) => bytes.readInt32LE(offset);
  const tail = (back: number) => Math.imul(rotr(Math.imul(at(n - back), c1), 17), c2);
  const stir = (h: number) => (Math.imul(rotr(h, 19), 5) + 0xe6546b64) | 0;
  let h = stir(stir(n ^ tail(4)) ^ tail(16));
  let g = stir(stir(Math.imul(c1, n) ^ tail(8)) ^ tail(12));
  let f = (rotr(Math.imul(c1, n) + tail(20), 19) + 113) | 0;
  for (let s = 0, left = Math.floor((n - 1) / 20); left > 0; left -= 1, s += 20) {
    const [a, b, c, d, e] = [at(s), at(s + 4), at(s + 8), at(s + 12), at(s + 16)];
    h = (mur(d, h + a) + e) | 0;
    g = (g + b) | 0;
    f = (f + c) | 0;
    g = (mur(c, g) + a) | 0;
    f = (mur(b + Math.imul(e, c1), f) + d) | 0;
    f = (f + g) | 0;
    g = (g + f) | 0;
  }
  const finish = (x: number) => Math.imul(rotr(Math.imul(rotr(x, 11), c1), 17), c1);
  g = finish(g);
  f = finish(f);
  h = Math.imul(rotr(stir(h + g), 17), c1);
  h = Math.imul(rotr(stir(h + f), 17), c1);
  return h >>> 0;
}

/** Milliseconds after the nominal time, for a bound in milliseconds. */
export function jitterOf(nominalMs: number, seed: string, boundMs: number): number {
  const head = Buffer.alloc(15);
  head.writeUInt8(1, 0);
  head.writeBigInt64BE(BigInt(nominalMs / 1000) + 62_135_596_800n, 1);
  head.writeInt32BE(0, 9);
  head.writeUInt16BE(0xffff, 13);
  const bytes = Buffer.concat([head, Buffer.from(seed)]);
  const hash = bytes.length <= 24 ? medium(bytes) : long(bytes);
  return Number((BigInt(hash) * BigInt(boundMs)) >> 32n);
}
