/** Ids that are unique without asking anybody, and sort by the time they were made, which keeps related rows together. */
import type { Clock } from './clock.ts';

const timeDigits = 9;
const alphabet = '0123456789abcdefghijklmnopqrstuv';

export function uniqueIds(clock: Clock): () => string {
  return () => {
    const time = clock.now().toString(36).padStart(timeDigits, '0');
    // 80 random bits: no two nodes will meet.
    const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
    let tail = '';
    for (const byte of bytes) tail += alphabet[byte & 31];
    return `${time}${tail}`;
  };
}
