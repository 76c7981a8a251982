/**
 * What a filter means. Every store that promises all filters agrees with this function.
 *
 * - `id` is the id of the key; otherwise an attribute is looked for, then a signal.
 * - A field that is absent satisfies no condition, `!=` included; `not` is plain negation, so
 *   `not (a = 1)` holds where `a` is absent and `a != 1` does not.
 * - Only values of one type compare; order is defined for numbers and for text (by code point).
 * - A list satisfies a condition when one of its elements does; `!=` wants all of them to differ.
 *   `contains` looks for a substring in text and for an equal element in a list.
 */
import { unreachable } from '../base/assert.ts';
import { compareText } from './order.ts';
import type { Attributes, AttributeValue } from './records.ts';
import type { Filter } from './store.ts';

/** What a filter looks at. */
export interface Findable {
  readonly key: { readonly id: string };
  readonly attributes: Attributes;
  readonly signals: Readonly<Record<string, number>>;
}

type Scalar = string | number | boolean;
type Comparison = Extract<Filter, { readonly value: Scalar }>;

export function matchesFilter(filter: Filter, row: Findable): boolean {
  if ('all' in filter) return filter.all.every((each) => matchesFilter(each, row));
  if ('any' in filter) return filter.any.some((each) => matchesFilter(each, row));
  if ('not' in filter) return !matchesFilter(filter.not, row);
  const found = findValue(filter.field, row);
  if (found === undefined) return false;
  if (filter.is === 'present') return true;
  if (filter.is === 'in') return filter.values.some((value) => isAmong(found, value));
  return compares(found, filter.is, filter.value);
}

function findValue(field: string, row: Findable): AttributeValue | undefined {
  if (field === 'id') return row.key.id;
  // Own properties only: a field named `constructor` is absent unless a caller wrote it.
  if (Object.hasOwn(row.attributes, field)) return row.attributes[field];
  if (Object.hasOwn(row.signals, field)) return row.signals[field];
  return undefined;
}

function compares(found: AttributeValue, is: Comparison['is'], value: Scalar): boolean {
  switch (is) {
    case '=':
      return isAmong(found, value);
    case '!=':
      return !isAmong(found, value);
    case 'contains':
      if (typeof found === 'string') return typeof value === 'string' && found.includes(value);
      return Array.isArray(found) && isAmong(found, value);
    case 'startsWith':
      return (
        typeof value === 'string' &&
        someOf(found, (each) => typeof each === 'string' && each.startsWith(value))
      );
    case '<':
      return someOf(found, (each) => isOrdered(each, value, (order) => order < 0));
    case '<=':
      return someOf(found, (each) => isOrdered(each, value, (order) => order <= 0));
    case '>':
      return someOf(found, (each) => isOrdered(each, value, (order) => order > 0));
    case '>=':
      return someOf(found, (each) => isOrdered(each, value, (order) => order >= 0));
    default:
      return unreachable(is);
  }
}

function isAmong(found: AttributeValue, value: Scalar): boolean {
  return someOf(found, (each) => each === value);
}

function someOf(found: AttributeValue, holds: (each: Scalar) => boolean): boolean {
  return typeof found === 'object' ? found.some(holds) : holds(found);
}

function isOrdered(a: Scalar, b: Scalar, holds: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(a - b);
  if (typeof a === 'string' && typeof b === 'string') return holds(compareText(a, b));
  return false;
}
