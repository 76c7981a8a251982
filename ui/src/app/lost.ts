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
  const asked = first.toLowerCase();
  const names = allPlaces.flatMap(spellings);
  const near = names.includes(asked) ? asked : nearestOf(asked, names);
  const meant = allPlaces.find((place) => near !== undefined && spellings(place).includes(near));
  return { text: `No place is called “${first}”.`, ...(meant === undefined ? {} : { meant }) };
}

/** The texts by which a person may have meant the place: its address, and its names as an address would write them. */
function spellings({ to, name, short }: Place): readonly string[] {
  return [to, ...[name, short].map((text) => text.toLowerCase().replaceAll(' ', '-'))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
