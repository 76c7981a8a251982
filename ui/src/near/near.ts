/** Finds the name that a mistyped word probably means. Pure. */

/** The number of letters that differ; two exchanged neighbours count once. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let place = 1; place <= b.length; place += 1) {
      const isSame = a[row - 1] === b[place - 1];
      const isSwapped = a[row - 1] === b[place - 2] && a[row - 2] === b[place - 1];
      next[place] = Math.min(
        (last[place] ?? 0) + 1,
        (next[place - 1] ?? 0) + 1,
        (last[place - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[place - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
}

/** The word of the names that differs least, by at most a third of its letters; undefined when none is near. */
export function nearestOf(word: string, names: readonly string[]): string | undefined {
  const asked = word.toLowerCase();
  const most = Math.min(2, Math.floor(asked.length / 3));
  let nearest: { readonly word: string; readonly by: number } | undefined;
  for (const name of names) {
    for (const part of [name, ...name.split(/[^\p{L}\p{N}]+/u)]) {
      const by = distance(asked, part.toLowerCase());
      if (by > 0 && by <= most && (nearest === undefined || by < nearest.by)) nearest = { word: part, by };
    }
  }
  return nearest?.word;
}
