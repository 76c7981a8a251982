/** Ids that are unique without asking anybody, and sort by the time they were made, which keeps related rows together. */
import { base36 } from './base36.ts';
import type { Clock } from './clock.ts';

const timeDigits = 9;
const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** 80 random bits, five in each: no two nodes will meet. */
const tailLength = 16;
/** Asking the system costs the same for many ids as for one, and every lease wants one. */
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
