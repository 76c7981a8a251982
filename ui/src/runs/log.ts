/** The lines of a log that are shown. Pure. */
export interface Line {
  readonly at: string;
  readonly attempt: number;
  readonly text: string;
}

export function linesOf<L extends Line>(lines: readonly L[], attempt: string, find: string): readonly L[] {
  const wanted = find.trim().toLowerCase();
  return lines.filter(
    (line) =>
      (attempt === 'all' || String(line.attempt) === attempt) &&
      (wanted === '' || line.text.toLowerCase().includes(wanted)),
  );
}
