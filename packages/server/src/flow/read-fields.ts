/**
 * Reads fields of JSON that a client sent, with Jackson's habits: a number or boolean becomes a text, a text of digits a
 * number, null is as good as absent. What cannot be read becomes a problem with its path.
 */
import type { Problem } from 'carillon/internal/base';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class FieldReader {
  readonly problems: Problem[] = [];

  refuse(path: string, reason: string, message: string, fix?: string): void {
    this.problems.push({ path, reason, message, ...(fix === undefined ? {} : { fix }) });
  }

  text(value: unknown, path: string): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') return this.#wrong(path, 'a text');
    return String(value);
  }

  whole(value: unknown, path: string): number | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return this.#wrong(path, 'a whole number');
    return Math.trunc(number);
  }

  flag(value: unknown, path: string): boolean | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
    return this.#wrong(path, 'true or false');
  }

  fields(value: unknown, path: string): Fields | undefined {
    if (value === undefined || value === null) return undefined;
    return isFields(value) ? value : this.#wrong(path, 'an object');
  }

  list(value: unknown, path: string): readonly unknown[] | undefined {
    if (value === undefined || value === null) return undefined;
    return Array.isArray(value) ? value : this.#wrong(path, 'a list');
  }

  texts(value: unknown, path: string): readonly string[] {
    return (this.list(value, path) ?? []).flatMap(
      (item, index) => this.text(item, `${path}[${index}]`) ?? [],
    );
  }

  oneOf<T extends string>(value: unknown, path: string, words: readonly T[]): T | undefined {
    const word = this.text(value, path);
    if (word === undefined) return undefined;
    const found = words.find((each) => each === word);
    if (found === undefined)
      this.refuse(path, 'UNKNOWN_WORD', `'${word}' is not known here`, `one of ${words.join(', ')}`);
    return found;
  }

  #wrong(path: string, wanted: string): undefined {
    this.refuse(path, 'WRONG_TYPE', `must be ${wanted}`);
    return undefined;
  }
}
