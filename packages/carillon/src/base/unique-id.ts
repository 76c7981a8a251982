/**
 * Ids that are unique without coordination between nodes. They sort by creation time, which keeps related rows
 * together.
 */
import { base36 } from './base36.ts';
import type { Clock } from './clock.ts';

const timeDigits = 9;
const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** 16 digits of five random bits each, 80 bits in all: two nodes will not generate the same id. */
const tailLength = 16;
/**
 * Random bytes are fetched for many ids at once: the system call costs the same for many as for one, and every lease
 * needs an id.
 */
const idsPerFetch = 256;

export function uniqueIds(clock: Clock): () => string {
  const pool = new Uint8Array(tailLength * idsPerFetch);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      globalThis.crypto.getRandomValues(pool);
      used = 0;
    }
    let id = base36(clock.now(), timeDigits);
    for (const end = used + tailLength; used < end; used += 1) {
      id += alphabet[(pool[used] as number) & 31];
    }
    return id;
  };
}
