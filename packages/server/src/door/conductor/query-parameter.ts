/**
 * Reads parameters of a query as Spring does. An empty parameter is absent. When a text is given twice, its values are joined;
 * of a number or a flag, the first value is used.
 */
import { ServiceError } from 'carillon/internal/base';

export type QueryParameters = Readonly<Record<string, unknown>>;

export function textOf(query: QueryParameters, name: string): string | undefined {
  const value = query[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function firstOf(query: QueryParameters, name: string): string | undefined {
  const value = query[name];
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text.trim() : undefined;
}

export function numberOf(query: QueryParameters, name: string): number | undefined {
  const text = firstOf(query, name);
  if (text === undefined || text === '') return undefined;
  if (/^(?:[+-]?\d{1,19}|0[xX][\da-fA-F]{1,15})$/.test(text)) return Number(text);
  throw refused(name, `${JSON.stringify(text)} is not a whole number`);
}

/** A number that an `int` holds. */
export function intOf(query: QueryParameters, name: string): number | undefined {
  const number = numberOf(query, name);
  if (number === undefined || Math.abs(number) < 2 ** 31) return number;
  throw refused(name, `${number} is out of range`);
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

export function flagOf(query: QueryParameters, name: string): boolean | undefined {
  const text = firstOf(query, name);
  if (text === undefined || text === '') return undefined;
  const flag = words.get(text.toLowerCase());
  if (flag !== undefined) return flag;
  throw refused(name, `${JSON.stringify(text)} is neither true nor false`);
}

export interface Paging {
  readonly start: number;
  readonly size: number;
}

/** The most results of one answer. */
const largestSize = 10_000;

export function pagingOf(query: QueryParameters): Paging {
  const start = intOf(query, 'start') ?? 0;
  const size = intOf(query, 'size') ?? 100;
  if (start < 0) throw refused('start', 'must not be negative');
  if (size < 0) throw refused('size', 'must not be negative');
  if (size > largestSize) throw refused('size', `at most ${largestSize} results are given at once`);
  return { start, size };
}

export function refused(path: string, message: string): ServiceError {
  return ServiceError.invalid([{ path, reason: 'INVALID', message }]);
}
