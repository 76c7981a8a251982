/**
 * The time in a request id that contains one (a UUID of version 7). The run of such a request can be named by that time and
 * is still the same whenever the request is repeated.
 */
import type { Instant } from '../base/time.ts';
import { day, instant } from '../base/time.ts';

const timed = /(?:^|[^0-9a-f])([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Undefined when it contains none, or an implausible one: further from now than requests are remembered. */
export function timeIn(requestId: string, now: Instant): Instant | undefined {
  const [, high, low] = timed.exec(requestId) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const at = instant(Number.parseInt(high + low, 16));
  return Math.abs(at - now) <= day ? at : undefined;
}
