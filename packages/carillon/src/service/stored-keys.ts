/**
 * API keys that were made while the server runs, kept in the store as hashes. The secret itself is shown once, to the
 * person who makes the key, and is stored nowhere.
 */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import type { DocumentChange } from '../store/documents.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface StoredKey {
  readonly name: string;
  /** `sha256:` and 64 hex digits. */
  readonly hash: string;
  readonly role: string;
  /** The namespaces that the key may use; null: all. */
  readonly namespaces: readonly string[] | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
}

export const keyKind = 'apiKey';
/** Where keys and their audit are kept. No namespace of a user begins like this. */
export const keysNamespace = '@keys';
/** The most keys that may be made; every request compares with each. */
export const mostStoredKeys = 1000;

type KeyData = Omit<StoredKey, 'name'>;

export class StoredKeys {
  readonly #documents: Documents<KeyData>;

  constructor(options: { readonly store: Store; readonly newId: () => string }) {
    this.#documents = new Documents({ ...options, kind: keyKind });
  }

  /** All keys, by name. */
  async list(): Promise<readonly StoredKey[]> {
    return (await this.#documents.all(keysNamespace)).map(({ id, data }) => ({ ...data, name: id }));
  }

  async add(
    { name, hash, role, namespaces }: Omit<StoredKey, 'createdBy' | 'createdAt'>,
    by: Omit<DocumentChange, 'action'>,
  ): Promise<StoredKey> {
    if ((await this.#documents.all(keysNamespace)).length >= mostStoredKeys) throw tooMany();
    const decide = (before: KeyData | undefined, now: Instant): KeyData => {
      if (before !== undefined) throw taken(name);
      return { hash, role, namespaces, createdBy: by.actor, createdAt: now };
    };
    const stored = await this.#documents.change(keysNamespace, name, decide, { ...by, action: 'createKey' });
    return { ...(stored as KeyData), name };
  }

  async remove(name: string, by: Omit<DocumentChange, 'action'>): Promise<void> {
    const decide = (before: KeyData | undefined) => {
      if (before === undefined) throw notFound(name);
      return null;
    };
    await this.#documents.change(keysNamespace, name, decide, { ...by, action: 'revokeKey' });
  }
}

function tooMany(): ServiceError {
  return new ServiceError({
    code: 'resourceExhausted',
    reason: 'TOO_MANY_KEYS',
    message: `there are ${mostStoredKeys} keys already; revoke one first`,
  });
}

function taken(name: string): ServiceError {
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'KEY_EXISTS',
    message: `a key is called '${name}' already; choose another name, or revoke that key first`,
  });
}

function notFound(name: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'KEY_NOT_FOUND',
    message: `no key that was made here is called '${name}'`,
  });
}
