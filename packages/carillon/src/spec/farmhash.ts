/**
 * FarmHash Fingerprint32 (the `mk` variant), which Temporal uses to spread jitter. It is a published, frozen
 * function: the same bytes give the same number on every platform and in every release.
 */
const c1 = 0xcc9e_2d51;
const c2 = 0x1b87_3593;

const rotate = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

function finish(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85eb_ca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const step = (h: number): number => (Math.imul(rotate(h, 19), 5) + 0xe654_6b64) | 0;
const scramble = (a: number): number => Math.imul(rotate(Math.imul(a, c1), 17), c2);
const mix = (a: number, h: number): number => step(h ^ scramble(a));

function fetch(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  return low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

function upTo4(bytes: Uint8Array): number {
  let b = 0;
  let c = 9;
  for (const byte of bytes) {
    // The reference reads signed characters.
    b = (Math.imul(b, c1) + ((byte << 24) >> 24)) | 0;
    c ^= b;
  }
  return finish(mix(b, mix(bytes.length, c)));
}

function upTo12(bytes: Uint8Array): number {
  const length = bytes.length;
  const a = length + fetch(bytes, 0);
  const b = length * 5 + fetch(bytes, length - 4);
  const c = 9 + fetch(bytes, (length >>> 1) & 4);
  return finish(mix(c, mix(b, mix(a, length * 5))));
}

function upTo24(bytes: Uint8Array): number {
  const length = bytes.length;
  const half = length >>> 1;
  const b = fetch(bytes, 4);
  const c = fetch(bytes, length - 8);
  const d = fetch(bytes, half);
  const e = fetch(bytes, 0);
  const f = fetch(bytes, length - 4);
  let a = (rotate(fetch(bytes, half - 4), 12) + f) | 0;
  let h = (mix(c, Math.imul(d, c1) + length) + a) | 0;
  a = (rotate(a, 3) + c) | 0;
  h = (mix(e, h) + a) | 0;
  a = (rotate((a + f) | 0, 12) + d) | 0;
  h = (mix(b, h) + a) | 0;
  return finish(h);
}

export function fingerprint32(bytes: Uint8Array): number {
  const length = bytes.length;
  if (length <= 4) return upTo4(bytes);
  if (length <= 12) return upTo12(bytes);
  if (length <= 24) return upTo24(bytes);

  let h = length;
  let g = Math.imul(c1, length);
  let f = g;
  h = step(step(h ^ scramble(fetch(bytes, length - 4))) ^ scramble(fetch(bytes, length - 16)));
  g = step(step(g ^ scramble(fetch(bytes, length - 8))) ^ scramble(fetch(bytes, length - 12)));
  f = (rotate((f + scramble(fetch(bytes, length - 20))) | 0, 19) + 113) | 0;
  const rounds = Math.floor((length - 1) / 20);
  for (let at = 0; at < rounds * 20; at += 20) {
    const a = fetch(bytes, at);
    const b = fetch(bytes, at + 4);
    const c = fetch(bytes, at + 8);
    const d = fetch(bytes, at + 12);
    const e = fetch(bytes, at + 16);
    h = (mix(d, (h + a) | 0) + e) | 0;
    g = (mix(c, (g + b) | 0) + a) | 0;
    f = (mix((b + Math.imul(e, c1)) | 0, (f + c) | 0) + d) | 0;
    f = (f + g) | 0;
    g = (g + f) | 0;
  }
  g = Math.imul(rotate(Math.imul(rotate(g, 11), c1), 17), c1);
  f = Math.imul(rotate(Math.imul(rotate(f, 11), c1), 17), c1);
  h = Math.imul(rotate(step((h + g) | 0), 17), c1);
  h = Math.imul(rotate(step((h + f) | 0), 17), c1);
  return h >>> 0;
}
