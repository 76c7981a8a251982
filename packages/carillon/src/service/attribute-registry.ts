/**
 * The custom search attributes of each namespace, one document per namespace. A door with its own attributes refuses
 * their names before it calls this registry.
 */
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { DocumentChange } from '../store/documents.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import type { AttributeType, AttributeTypes } from './attribute-type.ts';

export interface AttributeRegistryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
}

interface Stored {
  readonly types: Readonly<Record<string, AttributeType>>;
}

const kind = 'search-attributes';

/** The id of the document that holds all attributes of a namespace. */
const documentId = 'custom';

/** How long the cache may hide another node's change. */
const cachedForMs = 2000;

/** The most attributes of a namespace, because every description of a schedule carries their types. */
const mostAttributes = 500;
const longestName = 255;

export class AttributeRegistry {
  readonly #documents: Documents<Stored>;
  readonly #clock: Clock;
  readonly #cached = new Map<string, { readonly types: AttributeTypes; readonly until: Instant }>();

  constructor({ store, clock, newId }: AttributeRegistryOptions) {
    this.#documents = new Documents<Stored>({ store, kind, newId });
    this.#clock = clock;
  }

  /** The custom attributes of a namespace. */
  async typesOf(namespace: string): Promise<AttributeTypes> {
    const now = this.#clock.now();
    const cached = this.#cached.get(namespace);
    if (cached !== undefined && now < cached.until) return cached.types;
    const types = typesIn((await this.#documents.get(namespace, documentId))?.data);
    // Callers choose the names, so the cache must stay small.
    if (this.#cached.size >= mostCached) this.#cached.clear();
    this.#cached.set(namespace, { types, until: addTime(now, cachedForMs) });
    return types;
  }

  /**
   * Adds attributes. A known name with the same type is accepted, so that requests can be repeated; another type is
   * refused.
   */
  async add(namespace: string, added: AttributeTypes, by: DocumentChange): Promise<void> {
    for (const name of added.keys()) checkName(name);
    const change = (before: AttributeTypes) => {
      if ([...added].every(([name, type]) => before.get(name) === type)) return before;
      const types = new Map(before);
      for (const [name, type] of added) {
        const known = types.get(name);
        if (known !== undefined && known !== type) throw alreadyExists(name, known);
        types.set(name, type);
      }
      if (types.size > mostAttributes) {
        throw invalid(`a namespace has at most ${mostAttributes} search attributes`);
      }
      return types;
    };
    await this.#change(namespace, change, by);
  }

  /** Removes attributes. Schedules keep their values, which cannot be searched any more. */
  async remove(namespace: string, names: readonly string[], by: DocumentChange): Promise<void> {
    const change = (before: AttributeTypes) => {
      const types = new Map(before);
      for (const name of names) {
        if (!types.delete(name)) {
          throw new ServiceError({
            code: 'notFound',
            reason: 'NOT_FOUND',
            message: `Search attribute ${name} doesn't exist.`,
          });
        }
      }
      return types;
    };
    await this.#change(namespace, change, by);
  }

  async #change(
    namespace: string,
    change: (before: AttributeTypes) => AttributeTypes,
    by: DocumentChange,
  ): Promise<void> {
    const decide = (before: Stored | undefined) => {
      const known = typesIn(before);
      const types = change(known);
      if (types === known) return before ?? null;
      return types.size === 0 ? null : { types: Object.fromEntries(types) };
    };
    await this.#documents.change(namespace, documentId, decide, by);
    this.#cached.delete(namespace);
  }
}

const mostCached = 10_000;

function typesIn(stored: Stored | undefined): AttributeTypes {
  return new Map(Object.entries(stored?.types ?? {}));
}

function checkName(name: string): void {
  // Listings use `id` and names with a dollar sign for built-in fields.
  if (name === 'id' || name.startsWith('$') || name === '__proto__') {
    throw invalid(`Search attribute ${JSON.stringify(name)} is reserved by system: choose another name.`);
  }
  if (name === '' || name.length > longestName) {
    throw invalid(`Search attribute names have 1 to ${longestName} characters.`);
  }
}

function alreadyExists(name: string, type: AttributeType): ServiceError {
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'SEARCH_ATTRIBUTE_EXISTS',
    message: `Search attribute ${name} already exists with type ${type}.`,
  });
}

function invalid(message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason: 'BAD_SEARCH_ATTRIBUTE', message });
}
