/** What is in force on the server, its namespaces and its API keys. */
import type { CallOptions, Request, Transport } from './transport.ts';

export type KeyRole = 'viewer' | 'worker' | 'operator' | 'admin';

/** A setting or a limit in force, and where it comes from. */
export interface SettingInfo {
  readonly name: string;
  /** Values that would reveal a secret are shown as `[set]`. */
  readonly value: string | number | boolean | null;
  /** `fixed`: no setting changes it. */
  readonly source: 'default' | 'file' | 'environment' | 'flag' | 'fixed';
  /** The flag or variable that set it; empty otherwise. */
  readonly setBy: string;
  readonly meaning: string;
}

export interface ServerSettings {
  readonly version: string;
  readonly store: string;
  /** What the caller may do. */
  readonly role: KeyRole;
  readonly actor: string;
  /** Whether callers without a key are refused. */
  readonly demandsKeys: boolean;
  /** Callers below admin see only the limits that no setting changes. */
  readonly items: readonly SettingInfo[];
}

export interface KeyInfo {
  readonly name: string;
  readonly role: KeyRole;
  /** The namespaces that the key may use; null: all. */
  readonly namespaces: readonly string[] | null;
  /** `file`: fixed by the configuration. */
  readonly source: 'file' | 'made';
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

export interface NamespaceInfo {
  readonly name: string;
  readonly description: string;
  readonly ownerEmail: string;
  readonly isDeprecated: boolean;
  /** The retention that was asked for; null: that of the server. */
  readonly retention: string | null;
  /** How long its finished runs are kept; never longer than the server keeps them. */
  readonly kept: string;
  /** Whether the namespace or the server sets that length. */
  readonly keptBy: 'namespace' | 'server';
}

export interface NamespaceDetails {
  readonly description?: string;
  readonly ownerEmail?: string;
  readonly retention?: string;
}

/** A change of a namespace: an absent field stays, null takes it back to what it is without being set. */
export interface NamespaceChange {
  readonly description?: string | null;
  readonly ownerEmail?: string | null;
  /** How long its finished runs are kept, as `30d`; null: as long as the server keeps them. */
  readonly retention?: string | null;
  readonly isDeprecated?: boolean | null;
}

/** A call that changes a namespace. */
export interface NamespaceOptions extends CallOptions {
  /** Why; kept in the audit. */
  readonly note?: string;
}

export class SettingsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options: CallOptions = {}): Promise<ServerSettings> {
    return await this.#transport.call('GET', '/settings', options);
  }

  /** The API keys, without their secrets. */
  async keys(options: CallOptions = {}): Promise<readonly KeyInfo[]> {
    return (await this.#transport.call<{ readonly items: readonly KeyInfo[] }>('GET', '/keys', options))
      .items;
  }

  /** Makes an API key. The answer is the only place where its secret is shown. */
  async createKey(
    key: { readonly name: string; readonly role: KeyRole; readonly namespaces?: readonly string[] },
    options: CallOptions = {},
  ): Promise<KeyInfo & { readonly secret: string }> {
    return await this.#transport.call('POST', '/keys', { ...options, body: key });
  }

  async revokeKey(name: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', `/keys/${encodeURIComponent(name)}`, options);
  }

  async namespaces(options: CallOptions = {}): Promise<readonly NamespaceInfo[]> {
    const answer = await this.#transport.call<{ readonly items: readonly NamespaceInfo[] }>(
      'GET',
      '/namespaces',
      options,
    );
    return answer.items;
  }

  /** One namespace: registered, `default`, or one that only has schedules. */
  async namespace(name: string, options: CallOptions = {}): Promise<NamespaceInfo> {
    return await this.#transport.call('GET', namespacePath(name), options);
  }

  async createNamespace(
    name: string,
    details: NamespaceDetails = {},
    options: NamespaceOptions = {},
  ): Promise<NamespaceInfo> {
    const body = { name, ...details };
    return await this.#transport.call('POST', '/namespaces', { ...noted(options), body });
  }

  async updateNamespace(
    name: string,
    change: NamespaceChange,
    options: NamespaceOptions = {},
  ): Promise<NamespaceInfo> {
    return await this.#transport.call('PATCH', namespacePath(name), { ...noted(options), body: change });
  }

  /** Removes a namespace in which nothing is at work; its finished runs stay until retention removes them. */
  async deleteNamespace(name: string, options: NamespaceOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', namespacePath(name), noted(options));
  }
}

function noted({ note, ...options }: NamespaceOptions): Request {
  if (note === undefined) return options;
  return { ...options, headers: { 'carillon-note': encodeURIComponent(note) } };
}

function namespacePath(name: string): string {
  return `/namespaces/${encodeURIComponent(name)}`;
}
