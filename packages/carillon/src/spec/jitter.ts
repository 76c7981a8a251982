/**
 * The delay added to a nominal time, the same for the same schedule and time on every machine and after every
 * restart. Bit for bit the one of Temporal, so a schedule that moves here keeps its milliseconds.
 */
import { fingerprint32 } from './farmhash.ts';

const encoder = new TextEncoder();
const prefixLength = 15;
/** Seconds from 0001-01-01 to 1970-01-01: Go counts from the former. */
const goEpoch = 62_135_596_800;
const longest = 2 ** 32 - 1;

/** Go's binary form of the UTC instant, then the seed. */
export function jitterInput(nominalSecond: number, seed: string): Uint8Array {
  const tail = encoder.encode(seed);
  const bytes = new Uint8Array(prefixLength + tail.length);
  const view = new DataView(bytes.buffer);
  const seconds = nominalSecond + goEpoch;
  view.setUint8(0, 1);
  view.setUint32(1, Math.floor(seconds / 2 ** 32));
  view.setUint32(5, seconds >>> 0);
  view.setUint16(13, 0xffff);
  bytes.set(tail, prefixLength);
  return bytes;
}

/** Whole milliseconds in [0, maxMs): the high half of hash · maxMs, so the spread is even. */
export function jitterOffset(nominalSecond: number, seed: string, maxMs: number): number {
  const limit = Math.min(Math.floor(maxMs), longest);
  if (!(limit > 0)) return 0;
  const hash = fingerprint32(jitterInput(nominalSecond, seed));
  // hash · limit needs 64 bits; halves of the hash keep each product exact in a double.
  const high = (hash >>> 16) * limit;
  const low = Math.floor(((hash & 0xffff) * limit) / 65_536);
  return Math.floor((high + low) / 65_536);
}
