/**
 * Signatures of requests, so that a receiver can verify that Carillon sent them: `t=<unix seconds>,v1=<hex>`, where
 * the hex is the HMAC-SHA256 of `<t>.<body>`. The time is signed as well, so that an old request cannot be replayed
 * later.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../base/time.ts';
import { minute, second } from '../base/time.ts';

export const signatureHeader = 'carillon-signature';

export interface Signing {
  readonly secret: string;
  /** The exact text of the request's body; empty when it has none. */
  readonly body: string;
  readonly now: Instant;
}

export function signatureOf({ secret, body, now }: Signing): string {
  const time = Math.floor(now / second);
  return `t=${time},v1=${digest(secret, `${time}.${body}`).toString('hex')}`;
}

export interface SignatureCheck extends Signing {
  /** The received signature header. */
  readonly signature: string | undefined;
  /** The largest allowed difference of the two clocks, in ms; default five minutes. */
  readonly toleranceMs?: number;
}

/** Verifies a signature; for receivers. */
export function isSigned({
  secret,
  body,
  now,
  signature,
  toleranceMs = 5 * minute,
}: SignatureCheck): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '');
  if (match === null) return false;
  const [, time = '', hex = ''] = match;
  const isRecent = Math.abs(Number(time) * second - now) <= toleranceMs;
  return timingSafeEqual(Buffer.from(hex, 'hex'), digest(secret, `${time}.${body}`)) && isRecent;
}

function digest(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}
