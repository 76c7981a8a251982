/**
 * Reads JSON as Conductor's clients know it: numbers and booleans become texts, texts of digits become numbers, an empty text
 * is an absent number or false. What cannot be read is a problem with its field; all problems are reported at once.
 */
import type { Problem } from 'carillon/internal/base';

export type Fields = Readonly<Record<string, unknown>>;

const longest = { long: 2n ** 63n - 1n, int: 2n ** 31n - 1n } as const;

export class Reading {
  readonly problems: Problem[] = [];

  problem(path: string, message: string, fix?: string): undefined {
    this.problems.push({ path, reason: 'INVALID', message, ...(fix === undefined ? {} : { fix }) });
  }

  /** Null and absent are undefined. */
  text(value: unknown, path: string): string | undefined {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.problem(path, `must be a text, not ${kindOf(value)}`);
  }

  /** A whole number. A fraction is cut off; an empty text is absent. */
  whole(value: unknown, path: string, size: keyof typeof longest = 'long'): number | undefined {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() === '') return undefined;
    const number = typeof value === 'string' ? wholeText(value.trim()) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) {
      return this.problem(path, `${JSON.stringify(value)} is not a whole number`);
    }
    const cut = Math.trunc(number);
    const exact = BigInt(cut);
    if (exact > longest[size] || exact < -longest[size] - 1n) {
      return this.problem(path, `${JSON.stringify(value)} is out of range`);
    }
    return cut === 0 ? 0 : cut;
  }

  /** Null, absent and an empty text are false. */
  flag(value: unknown, path: string): boolean {
    if (value === null || value === undefined) return false;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isInteger(value)) return value !== 0;
    if (typeof value === 'string') {
      const word = value.trim();
      if (word === '') return false;
      if (/^(?:true|True|TRUE)$/.test(word)) return true;
      if (/^(?:false|False|FALSE)$/.test(word)) return false;
    }
    this.problem(path, `${JSON.stringify(value)} is neither true nor false`);
    return false;
  }

  /** An object; null stays null, which clients tell from absent. */
  map(value: unknown, path: string): Fields | null | undefined {
    if (value === null || value === undefined) return value;
    if (isFields(value)) return value;
    return this.problem(path, `must be an object, not ${kindOf(value)}`);
  }

  /** A list, each item with its path; null is absent. */
  list(value: unknown, path: string): readonly unknown[] | undefined {
    if (value === null || value === undefined) return undefined;
    if (Array.isArray(value)) return value;
    return this.problem(path, `must be a list, not ${kindOf(value)}`);
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wholeText(text: string): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
