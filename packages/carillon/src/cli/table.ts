/** Tables and times as text. */

import type { Instant } from '../base/time.ts';
import { parseInstant } from '../base/time.ts';
import { distanceText } from './next-view.ts';
import { paintWith } from './paint.ts';

export function tableText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  colored: boolean,
): string {
  const color = paintWith(colored);
  const cells = rows.map((row) => row.map(clean));
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[color.dim(line(titles)), ...cells.map(line)].join('\n')}\n`;
}

/** Names and values, one per line; those without a value are left out. */
export function factsText(
  facts: readonly (readonly [name: string, value: string])[],
  colored: boolean,
): string {
  const color = paintWith(colored);
  const shown = facts.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${color.dim(name.padEnd(width))}  ${clean(value)}\n`).join('');
}

/**
 * Removes control characters. Texts of other users may contain codes that move the cursor or change colours, which is
 * an attack on a terminal.
 */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');
}

/** A time such as `2026-03-01T09:00:00Z (in 3 h)`; empty when there is none. */
export function whenText(time: string | null, now: Instant): string {
  return time === null ? '' : `${time} (${sinceText(time, now)})`;
}

export function sinceText(time: string | null, now: Instant): string {
  const at = time === null ? undefined : parseInstant(time);
  return at === undefined ? '' : distanceText(at - now);
}
