/**
 * The API keys of a server: those of its configuration, which are fixed, and those that were made while it runs, which are
 * stored as hashes. A key that another node made or revoked is known here within seconds.
 */
import type { Clock } from 'carillon/internal/base';
import { formatInstant, Loop, ServiceError, second } from 'carillon/internal/base';
import type { Services, StoredKey } from 'carillon/internal/service';
import type { Role } from '../door/access.ts';
import type { ChangedBy, KeyAdmin, KeyView, NewKey } from '../door/server-port.ts';
import type { ApiKey, KeyRing } from './keys.ts';
import { hashKey, newKey } from './keys.ts';

export interface MadeKeysOptions {
  readonly ring: KeyRing;
  readonly fixed: readonly ApiKey[];
  readonly stored: Services['keys'];
  readonly clock: Clock;
  readonly trouble: (error: unknown) => void;
}

/** Ms after which keys of other nodes are read again. */
const refreshMs = 5 * second;

export class MadeKeys implements KeyAdmin {
  readonly #options: MadeKeysOptions;
  readonly #loop: Loop;

  constructor(options: MadeKeysOptions) {
    this.#options = options;
    this.#loop = new Loop({
      clock: options.clock,
      trouble: options.trouble,
      runOnce: async () => {
        await this.#refresh();
        return refreshMs;
      },
      backoff: refreshMs,
      longestBackoff: refreshMs,
    });
  }

  /** Reads the stored keys before the first request, then again and again. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  get isDemanded(): boolean {
    return this.#options.fixed.length > 0;
  }

  async list(): Promise<readonly KeyView[]> {
    const { fixed, stored } = this.#options;
    const made = (await stored.list()).map(viewOf);
    const own = fixed.map(
      ({ name, role, namespaces = null }): KeyView => ({
        name,
        role,
        namespaces,
        source: 'file',
        createdAt: null,
        createdBy: null,
      }),
    );
    return [...own, ...made];
  }

  async create(key: NewKey, by: ChangedBy): Promise<KeyView & { readonly secret: string }> {
    if (this.#options.fixed.some(({ name }) => name === key.name)) throw isFixed(key.name, 'KEY_EXISTS');
    const secret = newKey();
    const stored = await this.#options.stored.add({ ...key, hash: hashKey(secret) }, by);
    await this.#refresh();
    return { ...viewOf(stored), secret };
  }

  async revoke(name: string, by: ChangedBy): Promise<void> {
    if (this.#options.fixed.some((key) => key.name === name)) throw isFixed(name, 'KEY_FIXED');
    await this.#options.stored.remove(name, by);
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    const keys = await this.#options.stored.list();
    this.#options.ring.setMade(
      keys.map(({ name, hash, role, namespaces }) => ({
        name,
        hash,
        role: role as Role,
        ...(namespaces === null ? {} : { namespaces }),
      })),
    );
  }
}

function viewOf({ name, role, namespaces, createdAt, createdBy }: StoredKey): KeyView {
  return {
    name,
    role: role as Role,
    namespaces,
    source: 'made',
    createdAt: formatInstant(createdAt),
    createdBy,
  };
}

function isFixed(name: string, reason: string): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason,
    message: `the key '${name}' is in the server's configuration file; change it there`,
  });
}
