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

/** A text split at each match of `find`: every second part is a match. */
export function partsOf(text: string, find: string): readonly string[] {
  const wanted = find.trim().toLowerCase();
  if (wanted === '') return [text];
  const low = text.toLowerCase();
  // A few letters change their length with their case, and then positions in the two texts differ.
  if (low.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

/** The attempts by which a log can be filtered: the known ones, and those that have lines. */
export function attemptNumbers(known: readonly number[], lines: readonly Line[]): readonly number[] {
  return [...new Set([...known, ...lines.map(({ attempt }) => attempt)])].sort((a, b) => a - b);
}

/** How long to wait before a growing log is read again, in ms: longer for a long log, which costs more. */
export function restOf(lines: number): number {
  return lines < 500 ? 2000 : lines < 2000 ? 5000 : 15_000;
}

const failing = /error\b|\bfatal\b|^attempt \d+ on .* failed/i;

/** Whether a line reports a failure. */
export function isBad(text: string): boolean {
  return failing.test(text);
}
