/** The lines of a log that are shown. Pure. */
export interface Line {
  readonly at: string;
  readonly attempt: number;
  readonly text: string;
}

export function linesOf<L extends Line>(lines: readonly L[], find: string): readonly L[] {
  const wanted = find.trim().toLowerCase();
  return wanted === '' ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted));
}

/** A text cut at each place that has what is looked for: every second part is such a place. */
export function partsOf(text: string, find: string): readonly string[] {
  const wanted = find.trim().toLowerCase();
  if (wanted === '') return [text];
  const low = text.toLowerCase();
  // A few letters change their length with their case; then no place of one is a place of the other.
  if (low.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

/** The attempts that a log may be narrowed to: those that are known, and those that have lines. */
export function attemptNumbers(known: readonly number[], lines: readonly Line[]): readonly number[] {
  return [...new Set([...known, ...lines.map(({ attempt }) => attempt)])].sort((a, b) => a - b);
}

/** How long to wait before a log that grows is read again: a long one costs more. */
export function restOf(lines: number): number {
  return lines < 500 ? 2000 : lines < 2000 ? 5000 : 15_000;
}

const failing = /error\b|\bfatal\b|^attempt \d+ on .* failed/i;

/** Whether a line tells of a failure. */
export function isBad(text: string): boolean {
  return failing.test(text);
}
