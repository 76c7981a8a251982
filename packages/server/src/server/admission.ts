/** Admits callers: by API key where keys are configured, and within their rate limit. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { programQueues } from 'carillon/internal/action';
import type { Clock } from 'carillon/internal/base';
import type { Identity } from '../door/access.ts';
import { localIdentity } from './identity.ts';
import type { KeyRing } from './keys.ts';
import type { RateLimit } from './rate-limit.ts';
import { RateLimiter } from './rate-limit.ts';

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly ring: KeyRing;
  /** Rate limit of each key. Default: none. */
  readonly rateLimit?: RateLimit;
  /** The token that a caller must send to have commands run when there are no keys. Default: no token. */
  readonly commandToken?: string;
}

export interface IncomingCall {
  readonly headers: IncomingHttpHeaders;
  /** IP address of the peer. */
  readonly ip: string;
}

const commandTokenHeader = 'carillon-command-token';

/** Limit on wrong keys from one address. Guessing a key is hopeless; the limit keeps the attempts cheap for the server. */
const guesses: RateLimit = { perSecond: 5, burst: 20 };

export function admission({
  clock,
  ring,
  rateLimit,
  commandToken,
}: AdmissionOptions): (request: IncomingCall) => Identity {
  const limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit, clock);
  const wrong = new RateLimiter(guesses, clock);
  return (request) => {
    if (ring.isEmpty) {
      limiter?.take(request.ip);
      // A key that was made while the server runs says who calls and narrows what the caller may do.
      const identity = ring.recognise(request.headers) ?? localIdentity(request);
      const isTrusted = commandToken === undefined || isSameToken(request.headers, commandToken);
      return isTrusted ? identity : { ...identity, barred: programQueues };
    }
    let identity: Identity;
    try {
      identity = ring.identify(request.headers);
    } catch (error) {
      wrong.take(request.ip);
      throw error;
    }
    limiter?.take(identity.actor);
    return identity;
  };
}

/** Compares in constant time, for texts of any length. */
function isSameToken(headers: IncomingHttpHeaders, token: string): boolean {
  const sent = headers[commandTokenHeader];
  if (typeof sent !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}
