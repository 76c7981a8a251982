/** The quietest bin nearest to a time; undefined when the bin of the time is as quiet as any. Pure. */
export function quietest<B extends { readonly at: number; readonly starts: number }>(
  bins: readonly B[],
  time: number,
): B | undefined {
  const least = Math.min(...bins.map(({ starts }) => starts));
  const own = bins.findLast(({ at }) => at <= time);
  if (own === undefined || own.starts <= least) return undefined;
  return bins
    .filter(({ starts }) => starts === least)
    .reduce<B | undefined>(
      (best, bin) => (best === undefined || Math.abs(bin.at - time) < Math.abs(best.at - time) ? bin : best),
      undefined,
    );
}
