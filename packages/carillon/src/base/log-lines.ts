/**
 * The lines that one attempt logs, bounded in number and size, until they are stored. Lines beyond the bounds are counted and
 * not kept; the last kept line says so.
 */
import { cut } from './failure.ts';
import type { Instant } from './time.ts';

export interface LogLine {
  /** The number of the line in its attempt, from 0. */
  readonly place: number;
  readonly at: Instant;
  readonly text: string;
}

/** The bounds of one attempt. */
export const mostLogLines = 2000;
export const mostLogChars = 512 * 1024;
/** Longer lines are cut. */
export const longestLogLine = 8 * 1024;

export class LogLines {
  /** Lines that are not stored yet. */
  #waiting: LogLine[] = [];
  #written = 0;
  #chars = 0;

  write(values: readonly unknown[], at: Instant): void {
    if (this.#written > mostLogLines) return;
    const text = lineText(values);
    const isFull = this.#written === mostLogLines || this.#chars + text.length > mostLogChars;
    const kept = isFull
      ? `the log of this attempt is full (${mostLogLines} lines, ${mostLogChars} characters)`
      : text;
    this.#waiting.push({ place: this.#written, at, text: kept });
    this.#chars += kept.length;
    this.#written = isFull ? mostLogLines + 1 : this.#written + 1;
  }

  /** The lines that are not stored yet, at most `most`, oldest first. */
  waiting(most: number = Number.POSITIVE_INFINITY): readonly LogLine[] {
    return this.#waiting.length <= most ? this.#waiting : this.#waiting.slice(0, most);
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Called when these lines are stored. */
  stored(lines: readonly LogLine[]): void {
    const last = lines.at(-1);
    if (last !== undefined) this.#waiting = this.#waiting.filter(({ place }) => place > last.place);
  }
}

/** The values of one call, as one text: texts as they are, errors with their stack, everything else as JSON. */
export function lineText(values: readonly unknown[]): string {
  const text = values.map(valueText).join(' ');
  // No store keeps NUL characters or halves of characters.
  return cut(text.replaceAll('\0', '\uFFFD'), longestLogLine).replace(/\p{Cs}/gu, '\uFFFD');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    if (value instanceof Error) return errorText(value);
    return (
      JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ??
      String(value)
    );
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function errorText(error: Error): string {
  const own =
    typeof error.stack === 'string' && error.stack !== '' ? error.stack : `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${valueText(error.cause)}`;
}
