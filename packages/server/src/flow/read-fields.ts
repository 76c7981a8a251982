/**
 * Reads JSON as Conductor's clients know it: numbers and booleans become texts, texts of digits become numbers, an empty text
 * is an absent number or false, and so is the text `null`. A value that cannot be read is a problem with its path; all problems
 * are reported at once.
 */
import type { Problem } from 'carillon/internal/base';

export type Fields = Readonly<Record<string, unknown>>;

const longest = { long: 2 ** 63, int: 2 ** 31 - 1 } as const;

export class Reading {
  readonly problems: Problem[] = [];

  problem(path: string, message: string, fix?: string): undefined {
    return this.refuse(path, 'INVALID', message, fix);
  }

  refuse(path: string, reason: string, message: string, fix?: string): undefined {
    this.problems.push({ path, reason, message, ...(fix === undefined ? {} : { fix }) });
  }

  /** Reads a text. Null and absent are undefined. */
  text(value: unknown, path: string): string | undefined {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'object') return this.#wrong(path, `must be a text, not ${kindOf(value)}`);
    return String(value);
  }

  /** Reads a whole number. A fraction is cut off; an empty text is absent. Numbers beyond 2^53 become the largest safe integer. */
  whole(value: unknown, path: string, size: keyof typeof longest = 'long'): number | undefined {
    if (value === undefined || isNothing(value)) return undefined;
    const number = typeof value === 'string' ? wholeText(value.trim()) : value;
    if (typeof number !== 'number' || !Number.isFinite(number))
      return this.#wrong(path, `${JSON.stringify(value)} is not a whole number`);
    const cut = Math.trunc(number);
    if (cut > longest[size] || cut < -longest[size] - 1)
      return this.problem(path, `${JSON.stringify(value)} is out of range`);
    const safe = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, cut));
    return safe === 0 ? 0 : safe;
  }

  /** Reads a flag. Null and an empty text are false. */
  flag(value: unknown, path: string, absent = false): boolean {
    if (value === undefined) return absent;
    if (isNothing(value)) return false;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isInteger(value)) return value !== 0;
    if (typeof value === 'string') {
      const word = value.trim();
      if (/^(?:true|True|TRUE)$/.test(word)) return true;
      if (/^(?:false|False|FALSE)$/.test(word)) return false;
    }
    this.#wrong(path, `${JSON.stringify(value)} is neither true nor false`);
    return false;
  }

  /** Reads an object. Null stays null, because clients distinguish it from an absent field. */
  map(value: unknown, path: string): Fields | null | undefined {
    if (value === null || value === undefined) return value;
    if (isFields(value)) return value;
    return this.#wrong(path, `must be an object, not ${kindOf(value)}`);
  }

  /** Reads a list. Null is absent. */
  list(value: unknown, path: string): readonly unknown[] | undefined {
    if (value === null || value === undefined) return undefined;
    if (Array.isArray(value)) return value;
    return this.#wrong(path, `must be a list, not ${kindOf(value)}`);
  }

  texts(value: unknown, path: string): readonly string[] {
    return (this.list(value, path) ?? []).flatMap(
      (item, index) => this.text(item, `${path}[${index}]`) ?? [],
    );
  }

  /** Reads one of `words`, which may also be given by its index. */
  oneOf<T extends string>(value: unknown, path: string, words: readonly T[]): T | undefined {
    if (value === undefined || value === null) return undefined;
    const found = typeof value === 'number' ? words[value] : words.find((each) => each === value);
    if (found === undefined)
      this.refuse(
        path,
        'UNKNOWN_WORD',
        `${JSON.stringify(value)} is not known here; it must be one of ${words.join(', ')}`,
      );
    return found;
  }

  #wrong(path: string, message: string): undefined {
    return this.refuse(path, 'WRONG_TYPE', message);
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === null || (typeof value === 'string' && ['', 'null'].includes(value.trim()));
}

function wholeText(text: string): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
