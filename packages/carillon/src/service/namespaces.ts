/**
 * The existing namespaces: `default`, registered ones, and those with an open schedule. The id of a namespace is derived
 * from its name, so that it needs no record and never changes: the jitter of Temporal's schedules depends on it.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import { nearNames } from '../base/near-names.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { DocumentChange } from '../store/documents.ts';
import { Documents, namespaceKind } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { longestNamespace } from './limits.ts';

/** The details given when a namespace was registered or updated. */
export interface NamespaceDetails {
  readonly description: string;
  readonly ownerEmail: string;
  readonly data: Readonly<Record<string, string>>;
  readonly isDeprecated: boolean;
  /** How long its finished runs are kept, when that is shorter than the server keeps them (`namespace-retention.ts`). */
  readonly retentionMs?: number;
}

export interface Namespace extends NamespaceDetails {
  readonly name: string;
  readonly id: string;
}

/** A name for which there is no namespace. */
export interface UnknownNamespace {
  readonly name: string;
  /** The listed namespaces with similar names, nearest first. */
  readonly near: readonly string[];
}

export interface NamespacesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The kinds of executions that keep a namespace in use. */
  readonly archetypes: readonly string[];
}

export const defaultNamespace = 'default';

/** How long the cache may hide another node's change. */
const cachedForMs = 2000;
const mostCached = 10_000;
/** Every unknown name costs two reads, and a list of a thousand wrong names needs no thousand reports. */
const mostUnknown = 10;

const nothingSaid: NamespaceDetails = { description: '', ownerEmail: '', data: {}, isDeprecated: false };

export class Namespaces {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #documents: Documents<NamespaceDetails>;
  readonly #archetypes: readonly string[];
  readonly #cached = new Map<string, { readonly namespace: Namespace; readonly until: Instant }>();

  constructor({ store, clock, newId, archetypes }: NamespacesOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#archetypes = archetypes;
    this.#documents = new Documents<NamespaceDetails>({ store, kind: namespaceKind, newId });
  }

  async find(name: string): Promise<Namespace | undefined> {
    const now = this.#clock.now();
    const cached = this.#cached.get(name);
    if (cached !== undefined && now < cached.until) return cached.namespace;
    const namespace = await this.#read(name);
    if (namespace === undefined) return undefined;
    // Only existing namespaces are cached, up to a bound.
    if (this.#cached.size >= mostCached) this.#cached.clear();
    this.#cached.set(name, { namespace, until: addTime(now, cachedForMs) });
    return namespace;
  }

  /** Refuses an empty name, and a namespace that does not exist. */
  async require(name: string): Promise<Namespace> {
    if (name === '') {
      throw new ServiceError({
        code: 'invalidArgument',
        reason: 'NAMESPACE_MISSING',
        message: 'Namespace not set on request.',
      });
    }
    const namespace = name.length > longestNamespace ? undefined : await this.find(name);
    if (namespace === undefined) throw namespaceNotFound(name);
    return namespace;
  }

  /** Finds a namespace by id among those that can be listed, because a name cannot be derived from an id. */
  async requireById(id: string): Promise<Namespace> {
    const found = (await this.list()).find((namespace) => namespace.id === id);
    if (found === undefined) throw namespaceNotFound(id);
    return found;
  }

  /** Lists `default` and the registered namespaces, by name. Unregistered namespaces with schedules are not listed. */
  async list(): Promise<readonly Namespace[]> {
    const documents = await this.#documents.all();
    const registered = documents.map(({ namespace, data }) => namespaceOf(namespace, data));
    if (registered.some(({ name }) => name === defaultNamespace)) return registered;
    return [...registered, namespaceOf(defaultNamespace, nothingSaid)].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /** The first names for which there is no namespace, each with similar ones; at most ten. */
  async unknown(names: readonly string[]): Promise<readonly UnknownNamespace[]> {
    const listed = (await this.list()).map(({ name }) => name);
    const known = new Set(listed);
    const unknown: UnknownNamespace[] = [];
    for (const name of names) {
      if (known.has(name)) continue;
      if (name !== '' && name.length <= longestNamespace && (await this.find(name)) !== undefined) continue;
      unknown.push({ name, near: nearNames(name, listed) });
      if (unknown.length === mostUnknown) break;
    }
    return unknown;
  }

  async register(
    name: string,
    details: Omit<NamespaceDetails, 'isDeprecated'>,
    by: DocumentChange,
  ): Promise<Namespace> {
    checkName(name);
    if (name === defaultNamespace) throw alreadyExists(name);
    const decide = (before: NamespaceDetails | undefined) => {
      if (before !== undefined) throw alreadyExists(name);
      return { ...details, isDeprecated: false };
    };
    const stored = await this.#documents.change(name, name, decide, by);
    this.#cached.delete(name);
    return namespaceOf(name, stored ?? nothingSaid);
  }

  async update(
    name: string,
    change: (before: NamespaceDetails) => NamespaceDetails,
    by: DocumentChange,
  ): Promise<Namespace> {
    await this.require(name);
    const details = await this.#documents.change(name, name, (before = nothingSaid) => change(before), by);
    this.#cached.delete(name);
    return namespaceOf(name, details ?? nothingSaid);
  }

  /** Refuses to remove the namespace that always exists. */
  demandRemovable(name: string): void {
    if (name !== defaultNamespace) return;
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'DEFAULT_NAMESPACE',
      message: `the namespace '${name}' always exists; delete its schedules instead`,
    });
  }

  /** Removes the registration of a namespace in which nothing is at work; finished runs stay until retention removes them. */
  async removeUnused(name: string, by: DocumentChange): Promise<void> {
    this.demandRemovable(name);
    await this.require(name);
    const use = await this.#firstUse(name);
    if (use !== undefined) {
      throw new ServiceError({
        code: 'failedPrecondition',
        reason: 'NAMESPACE_IN_USE',
        message: `the namespace '${name}' is in use: it has ${use}; end or delete what it has first`,
      });
    }
    await this.remove(name, by);
  }

  /** Removes the registration of a namespace. The caller ends its schedules and runs. */
  async remove(name: string, by: DocumentChange): Promise<void> {
    await this.#documents.change(name, name, () => null, by);
    this.#cached.delete(name);
  }

  async #read(name: string): Promise<Namespace | undefined> {
    const document = await this.#documents.get(name, name);
    if (document !== undefined) return namespaceOf(name, document.data);
    if (name !== defaultNamespace && !(await this.#hasSchedules(name))) return undefined;
    return namespaceOf(name, nothingSaid);
  }

  async #hasSchedules(namespace: string): Promise<boolean> {
    return (await this.#firstOpen(namespace, scheduleArchetype)) !== undefined;
  }

  /** The first thing that keeps a namespace in use, in words. */
  async #firstUse(namespace: string): Promise<string | undefined> {
    for (const archetype of this.#archetypes) {
      const id = await this.#firstOpen(namespace, archetype);
      if (id !== undefined) return `the ${archetype} '${id}'`;
    }
    const { items } = await this.#store.runs({
      namespace,
      states: ['waiting', 'leased'],
      order: 'ascending',
      payloads: false,
      limit: 1,
    });
    return items[0] === undefined ? undefined : `the unfinished run ${items[0].id}`;
  }

  async #firstOpen(namespace: string, archetype: string): Promise<string | undefined> {
    const { items } = await this.#store.list({ namespace, archetype, status: 'open', limit: 1 });
    return items[0]?.key.id;
  }
}

function namespaceOf(name: string, details: NamespaceDetails): Namespace {
  return { ...details, name, id: namespaceId(name) };
}

/** A name-based UUID (RFC 9562, version 5) in Carillon's own UUID namespace. */
export function namespaceId(name: string): string {
  const bytes = createHash('sha1').update(`carillon/namespace/${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function checkName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) && name.length <= longestNamespace) return;
  throw new ServiceError({
    code: 'invalidArgument',
    reason: 'BAD_NAMESPACE',
    message: `a namespace must have 1 to ${longestNamespace} letters, digits, dots, dashes or underscores and begin with a letter or digit`,
  });
}

function namespaceNotFound(name: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NAMESPACE_NOT_FOUND',
    message: `Namespace ${name} is not found.`,
  });
}

function alreadyExists(name: string): ServiceError {
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'NAMESPACE_ALREADY_EXISTS',
    message: `Namespace "${name}" already exists`,
  });
}
