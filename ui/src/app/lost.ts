/** Finds the place that an address without a screen probably meant. Pure. */
import { nearestOf } from '../near/near.ts';
import type { Place } from './places.ts';
import { allPlaces } from './places.ts';

export interface LostAt {
  readonly text: string;
  /** A place that was probably meant. */
  readonly meant?: Place;
  /** The place that the address is below. */
  readonly within?: Place;
  /** The schedule that the address names. */
  readonly schedule?: string;
}

/** `path` begins with the namespace. */
export function lostAt(path: string): LostAt {
  const [, , first = '', second = '', ...rest] = path.split('/').map(decoded);
  const within = allPlaces.find(({ to }) => to !== '' && to === first);
  if (within !== undefined) {
    return {
      text: `${within.name} has no page “${[second, ...rest].join('/')}”.`,
      within,
      ...(within.to === 'schedules' && rest.length > 0 ? { schedule: second } : {}),
    };
  }
  const near = nearestOf(
    first,
    allPlaces.map(({ to }) => to),
  );
  const meant = allPlaces.find(({ to }) => to === near);
  return { text: `No place is called “${first}”.`, ...(meant === undefined ? {} : { meant }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
