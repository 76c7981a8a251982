/** Who may come in: by key where there are keys, and not too often. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from 'carillon/internal/base';
import type { Identity } from '../door/access.ts';
import { localIdentity } from './identity.ts';
import type { ApiKey } from './keys.ts';
import { KeyRing } from './keys.ts';
import type { RateLimit } from './rate-limit.ts';
import { RateLimiter } from './rate-limit.ts';

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly keys: readonly ApiKey[];
  /** Of each key. Default: none. */
  readonly rateLimit?: RateLimit;
}

export interface Knocking {
  readonly headers: IncomingHttpHeaders;
  /** Address of the peer. */
  readonly ip: string;
}

/** Wrong keys from one address: guessing is hopeless anyway, this keeps it cheap for us. */
const guesses: RateLimit = { perSecond: 5, burst: 20 };

export function admission({ clock, keys, rateLimit }: AdmissionOptions): (request: Knocking) => Identity {
  const ring = new KeyRing(keys);
  const limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit, clock);
  const wrong = new RateLimiter(guesses, clock);
  return (request) => {
    if (ring.isEmpty) {
      limiter?.take(request.ip);
      return localIdentity(request);
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
