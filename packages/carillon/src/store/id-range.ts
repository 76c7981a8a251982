/** What a filter demands of the id, in terms an index can seek by. */
import type { Filter } from './store.ts';

export type IdDemand =
  | { readonly equal: string }
  /** Ids from `from` (included) to `before` (excluded); null: no upper end. */
  | { readonly from: string; readonly before: string | null };

/**
 * The first condition on the id that every match must satisfy, or null when there is none. The filter itself still
 * decides: one demand is enough to seek, and keeps the number of different statements small.
 */
export function idDemandOf(filter: Filter): IdDemand | null {
  if ('all' in filter) {
    for (const each of filter.all) {
      const demand = idDemandOf(each);
      if (demand !== null) return demand;
    }
    return null;
  }
  if (!('field' in filter) || filter.field !== 'id' || !('value' in filter)) return null;
  const { is, value } = filter;
  if (typeof value !== 'string') return null;
  if (is === '=') return { equal: value };
  return is === 'startsWith' ? { from: value, before: afterPrefix(value) } : null;
}

/** The least text greater than every text with this prefix, by code point; null when there is none. */
function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.length > 0) {
    const last = points.pop() as number;
    if (last === 0x10ffff) continue;
    // U+D800 to U+DFFF are not characters: the character after U+D7FF is U+E000.
    points.push(last === 0xd7ff ? 0xe000 : last + 1);
    return String.fromCodePoint(...points);
  }
  return null;
}
