/** The coming times of a stored schedule, in its own zones and within its bounds. */
import { scheduleNotFound } from './errors.ts';
import type { Call } from './operation.ts';
import { intOf, refused } from './query-parameter.ts';

const usual = 5;
const most = 1000;

export async function timesAhead({ services, namespace, name, query }: Call): Promise<readonly number[]> {
  const count = intOf(query, 'count') ?? usual;
  if (count < 0 || count > most) throw refused('count', `must be between 0 and ${most}`);
  const [open] = await services.schedules.named(namespace, [name]);
  if (open === undefined) throw scheduleNotFound(name);
  if (count === 0) return [];
  const times = await services.schedules.next({ namespace, id: name }, services.now(), count);
  return times.map(({ nominal }) => nominal);
}
