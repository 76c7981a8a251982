/**
 * Ids of runs. The first part is a time, so that ids sort by it; the second distinguishes runs of the same time. An id
 * made from the identity of a slot is the same on every node that decides about the slot, so the store's refusal of a second row
 * under it guarantees one run per slot.
 */
import { base36 } from '../base/base36.ts';
import type { Instant } from '../base/time.ts';

/** Nine digits of base 36 hold every millisecond until the year 5188. */
const timeDigits = 9;
const hashDigits = 7;

export function runId(nominal: Instant, identity: string): string {
  return `${timePart(nominal)}-${hashText(identity)}`;
}

/** For a run without a slot: `place` sorts runs that are queued within one millisecond, first come first. */
export function queuedRunId(at: Instant, place: number, identity: string): string {
  return `${timePart(at)}-${base36(place % mostPlaces, placeDigits)}${hashText(identity)}`;
}

const placeDigits = 4;
/** More runs than a process queues in a millisecond. */
const mostPlaces = 36 ** placeDigits;

function timePart(at: Instant): string {
  return base36(Math.max(0, Math.trunc(at)), timeDigits);
}

/** A time in as few digits as it needs. */
export function shortTime(at: Instant): string {
  return Math.trunc(at).toString(36);
}

/** 64 bits in two lanes, mixed at the end; spreads well, but is not for secrets. */
export function hashText(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return digits(a) + digits(b);
}

function digits(word: number): string {
  return base36(word >>> 0, hashDigits);
}
