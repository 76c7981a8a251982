/**
 * Runs a few calls concurrently: enough to hide network latency, few enough not to load a server. Results are in the
 * order of the items.
 */
const atOnce = 6;

export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  told: (done: number, item: T) => void = () => {},
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  let done = 0;
  const take = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      const item = items[index] as T;
      results[index] = await work(item, index);
      done += 1;
      told(done, item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, take));
  return results;
}
