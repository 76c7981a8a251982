/** Finds room for a text between things that would cross it. Pure. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Where a text of `width` pixels begins that lies within `within` and meets nothing that is taken; undefined when there is no room. */
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
