/** Similar ids for errors which say that a schedule, or a workflow on a host, is not there. */
import { isServiceError, ServiceError } from '../base/error.ts';
import { didYouMean, nearNames } from '../base/near-names.ts';
import type { Filter } from '../store/store.ts';

/** Ids that are compared: those with the same first letter, and the first ones of the namespace. */
const mostCompared = 500;

/** One thing of a namespace. */
interface Named {
  readonly namespace: string;
  readonly id: string;
}

/** A service that lists the ids of what it is about. */
interface Listing {
  names(query: {
    readonly namespace: string;
    readonly limit: number;
    readonly filter?: Filter;
  }): Promise<{ readonly items: readonly { readonly id: string }[] }>;
}

/** The error, with the ids that may have been meant when it says that nothing of this name is there. */
export async function withSuggestions(
  error: unknown,
  service: Listing,
  { namespace, id }: Named,
): Promise<unknown> {
  if (!isServiceError(error) || error.reason !== 'NOT_FOUND' || id === '') return error;
  const filter = { field: 'id', is: 'startsWith', value: id.slice(0, 1) } as const;
  const queries = [{ filter }, {}];
  // An error about an error would hide the first one.
  const pages = await Promise.all(
    queries.map((query) => service.names({ namespace, limit: mostCompared, ...query })),
  ).catch(() => []);
  const ids = [...new Set(pages.flatMap(({ items }) => items.map((each) => each.id)))];
  const near = nearNames(id, ids);
  const meant = didYouMean(near);
  // When it is there, something else was not.
  if (meant === undefined || ids.includes(id)) return error;
  const { code, reason, message, problems, cause } = error;
  return new ServiceError({
    code,
    reason,
    message: `${message}; ${meant}`,
    problems,
    cause,
    didYouMean: near,
  });
}

/** The same service, whose refusals name similar ids. */
export function suggesting<S extends Listing>(service: S): S {
  return new Proxy(service, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const result: unknown = member.apply(target, args);
        if (!(result instanceof Promise)) return result;
        return result.catch(async (error: unknown) => {
          throw isName(args[0]) ? await withSuggestions(error, target, args[0]) : error;
        });
      };
    },
  });
}

function isName(value: unknown): value is Named {
  const { namespace, id } = (value ?? {}) as Partial<Named>;
  return typeof namespace === 'string' && typeof id === 'string';
}
