/**
 * Converts search attribute values between the JSON of clients and the values that the store compares: instants are numbers,
 * texts are lists of their words. Fractions of a millisecond and digits beyond 2^53 are not compared; the client still gets
 * back what it sent, because the door returns the original bytes.
 */

import type { Instant } from 'carillon/internal/base';
import { formatInstant, parseInstant, unreachable } from 'carillon/internal/base';
import type { AttributeType, AttributeValue } from 'carillon/internal/service';
import { searchableText, textOf } from './words.ts';

/** The stored value; null for "no value"; undefined when the JSON is not of this type. */
export function storedValue(json: unknown, type: AttributeType): AttributeValue | null | undefined {
  if (json === null) return null;
  if (type === 'KeywordList') return storedList(json);
  // Clients without types send every value in a list of one.
  if (Array.isArray(json)) {
    if (json.length === 0) return null;
    return json.length === 1 ? storedValue(json[0], type) : undefined;
  }
  switch (type) {
    case 'Keyword':
      return typeof json === 'string' ? json : undefined;
    case 'Text':
      return typeof json === 'string' ? searchableText(json) : undefined;
    case 'Int':
      return Number.isInteger(json) ? (json as number) : undefined;
    case 'Double':
      return typeof json === 'number' ? json : undefined;
    case 'Bool':
      return typeof json === 'boolean' ? json : undefined;
    case 'Datetime':
      return typeof json === 'string' ? parseInstant(json) : undefined;
    default:
      return unreachable(type);
  }
}

function storedList(json: unknown): readonly string[] | null | undefined {
  if (!Array.isArray(json) || json.some((each) => typeof each !== 'string')) return undefined;
  return json.length === 0 ? null : (json as readonly string[]);
}

/** JSON of a stored value; undefined when it is not of this type, which happens when it came through another door. */
export function jsonValue(value: AttributeValue, type: AttributeType): unknown {
  switch (type) {
    case 'Text':
      return typeof value === 'string' ? value : typeof value === 'object' ? textOf(value) : undefined;
    case 'Keyword':
      return typeof value === 'string' ? value : undefined;
    case 'KeywordList':
      return typeof value === 'object' ? value : typeof value === 'string' ? [value] : undefined;
    case 'Int':
      return Number.isInteger(value) ? value : undefined;
    case 'Double':
      return typeof value === 'number' ? value : undefined;
    case 'Bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'Datetime':
      return typeof value === 'number' && Math.abs(value) <= latest
        ? formatInstant(value as Instant)
        : undefined;
    default:
      return unreachable(type);
  }
}

/** The latest time that a Date can represent, in ms. */
const latest = 8_640_000_000_000_000;

/** The type of a value whose attribute is not registered. */
export function inferredType(value: AttributeValue): AttributeType {
  switch (typeof value) {
    case 'string':
      return 'Keyword';
    case 'number':
      return Number.isInteger(value) ? 'Int' : 'Double';
    case 'boolean':
      return 'Bool';
    default:
      return 'KeywordList';
  }
}
