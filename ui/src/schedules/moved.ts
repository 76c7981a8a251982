/**
 * How many rows would move if the list were sorted again: those outside of the longest run of rows that keep their order.
 * Pure.
 */
export function movedCount(shown: readonly string[], sorted: readonly string[]): number {
  const placeOf = new Map(sorted.map((id, place) => [id, place]));
  const places = shown.flatMap((id) => placeOf.get(id) ?? []);
  // The last position of the best increasing sequence of each length.
  const ends: number[] = [];
  for (const place of places) {
    const length = ends.findIndex((end) => end > place);
    ends[length < 0 ? ends.length : length] = place;
  }
  // A row that is new on this page or has left it counts as moved too.
  return Math.max(shown.length, sorted.length) - ends.length;
}
