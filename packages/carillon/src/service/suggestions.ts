/** Similar ids for errors which say that a schedule is not there. */
import { isServiceError, ServiceError } from '../base/error.ts';
import { nearNames } from '../base/near-names.ts';
import type { ScheduleName, ScheduleReads } from './schedule-reads.ts';

/** Ids that are compared: those with the same first letter, and the first ones of the namespace. */
const mostCompared = 500;

/** The error, with the ids that may have been meant when it says that this schedule is not there. */
export async function withSuggestions(
  error: unknown,
  schedules: Pick<ScheduleReads, 'names'>,
  { namespace, id }: ScheduleName,
): Promise<unknown> {
  if (!isServiceError(error) || error.reason !== 'NOT_FOUND' || id === '') return error;
  const filter = { field: 'id', is: 'startsWith', value: id.slice(0, 1) } as const;
  const queries = [{ filter }, {}];
  // An error about an error would hide the first one.
  const pages = await Promise.all(
    queries.map((query) => schedules.names({ namespace, limit: mostCompared, ...query })),
  ).catch(() => []);
  const ids = [...new Set(pages.flatMap(({ items }) => items.map((each) => each.id)))];
  const near = nearNames(id, ids);
  // The schedule is there: something else was not.
  if (near.length === 0 || ids.includes(id)) return error;
  const { code, reason, message, problems, cause } = error;
  const meant = near.map((each) => `'${each}'`).join(' or ');
  return new ServiceError({
    code,
    reason,
    message: `${message}; did you mean ${meant}?`,
    problems,
    cause,
    didYouMean: near,
  });
}

/** The same service, whose refusals name similar ids. */
export function suggesting<S extends ScheduleReads>(service: S): S {
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

function isName(value: unknown): value is ScheduleName {
  const { namespace, id } = (value ?? {}) as Partial<ScheduleName>;
  return typeof namespace === 'string' && typeof id === 'string';
}
