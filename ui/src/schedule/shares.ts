/**
 * Counts as percentages that add up to 100, in tenths, by the largest remainder. A count above zero is never shown as 0: a share
 * below a tenth has words of its own, and the others leave room for it.
 */
export function sharesOf(counts: readonly number[]): readonly string[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => '0 %');
  const exact = counts.map((count) => (1000 * count) / total);
  const tenths = exact.map((share) => (share > 0 ? Math.max(1, Math.floor(share)) : 0));
  const order = exact
    .map((share, place) => ({ place, rest: share - (tenths[place] ?? 0) }))
    .sort((a, b) => b.rest - a.rest)
    .map(({ place }) => place);
  let left = 1000 - tenths.reduce((sum, each) => sum + each, 0);
  // At most one for each: every share was cut by less than one, or raised to one.
  for (const place of order) {
    if (left <= 0) break;
    tenths[place] = (tenths[place] ?? 0) + 1;
    left -= 1;
  }
  const largest = tenths.indexOf(Math.max(...tenths));
  tenths[largest] = (tenths[largest] ?? 0) + left;
  return tenths.map((each, place) =>
    (exact[place] ?? 0) > 0 && (exact[place] ?? 0) < 1 && each === 1
      ? '< 0.1 %'
      : `${each % 10 === 0 ? each / 10 : (each / 10).toFixed(1)} %`,
  );
}
