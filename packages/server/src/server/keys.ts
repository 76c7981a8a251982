/**
 * API keys. A key has 256 random bits, so one round of SHA-256 is sufficient; only hashes are stored. Every configured key
 * is compared in constant time, whichever one matches.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';
import type { Identity, Role } from '../door/access.ts';

export interface ApiKey {
  /** The name written into the audit. */
  readonly name: string;
  /** `sha256:` and 64 hex digits, as `carillon key create` prints it. */
  readonly hash: string;
  readonly role: Role;
  /** Namespaces that the key may use. Default: all. */
  readonly namespaces?: readonly string[];
  /** Queues from which the key may claim runs. Default: all. */
  readonly queues?: readonly string[];
}

const keyBytes = 32;

/** A recognisable prefix, so that scanners for leaked secrets can find keys. */
const keyMark = 'crl_';

export const hashPattern = /^sha256:[0-9a-f]{64}$/;

export function newKey(): string {
  return `${keyMark}${randomBytes(keyBytes).toString('base64url')}`;
}

export function hashKey(key: string): string {
  return `sha256:${digest(key).toString('hex')}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

interface KnownKey {
  readonly digest: Buffer;
  readonly identity: Identity;
}

export class KeyRing {
  readonly #fixed: readonly KnownKey[];
  #made: readonly KnownKey[] = [];

  /** `keys` are those of the configuration. */
  constructor(keys: readonly ApiKey[]) {
    this.#fixed = keys.map(knownKey);
  }

  /** Whether the configuration has no keys: then callers need none. */
  get isEmpty(): boolean {
    return this.#fixed.length === 0;
  }

  /** Replaces the keys that were made while the server runs. */
  setMade(keys: readonly ApiKey[]): void {
    this.#made = keys.map(knownKey);
  }

  /** The identity behind a key that the caller sent without being asked; undefined without a known key. */
  recognise(headers: IncomingHttpHeaders): Identity | undefined {
    const given = readKey(headers);
    return given === undefined ? undefined : this.#find(given);
  }

  #find(given: string): Identity | undefined {
    const hashed = digest(given);
    let found: Identity | undefined;
    for (const keys of [this.#fixed, this.#made]) {
      for (const key of keys) if (timingSafeEqual(key.digest, hashed)) found = key.identity;
    }
    return found;
  }

  identify(headers: IncomingHttpHeaders): Identity {
    const given = readKey(headers);
    if (given === undefined) {
      throw refused('API_KEY_MISSING', 'this server wants an API key: send Authorization: Bearer <key>');
    }
    const found = this.#find(given);
    if (found === undefined) throw refused('API_KEY_UNKNOWN', 'this API key is not known here');
    return found;
  }
}

function knownKey({ name, hash, role, namespaces, queues }: ApiKey): KnownKey {
  return {
    digest: Buffer.from(hash.slice('sha256:'.length), 'hex'),
    identity: {
      actor: name,
      role,
      namespaces: namespaces ?? null,
      ...(queues === undefined ? {} : { queues }),
    },
  };
}

function readKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  // Conductor's clients send the token that they got for their key as X-Authorization.
  const plain = headers['x-api-key'] ?? headers['x-authorization'];
  return typeof plain === 'string' && plain !== '' ? plain : undefined;
}

function refused(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'unauthenticated', reason, message });
}
