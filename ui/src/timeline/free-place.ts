/** Finds room for a text between elements that would cross it. Pure. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The start of a free range of `width` pixels inside `within` that overlaps none of the taken ones; undefined without room. */
export function freePlace(taken: readonly Gap[], within: Gap, width: number): number | undefined {
  let from = within.from;
  const inside = taken
    .filter((each) => each.to >= within.from && each.from <= within.to)
    .sort((a, b) => a.from - b.from);
  for (const each of [...inside, { from: within.to, to: within.to }]) {
    if (each.from - from >= width) return from + (each.from - from - width) / 2;
    from = Math.max(from, each.to);
  }
  return undefined;
}

/** The leftmost place within `within` where nothing is taken; undefined when there is no room. */
export function firstPlace(taken: readonly Gap[], within: Gap, width: number): number | undefined {
  let { from } = within;
  for (const each of taken.toSorted((a, b) => a.from - b.from)) {
    if (each.to > from && each.from < from + width) from = each.to;
  }
  return from + width <= within.to ? from : undefined;
}
