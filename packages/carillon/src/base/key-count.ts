/** Counts the keys of the objects in a piece of data. Every later step is slow for an object with very many keys. */

export interface MostKeys {
  readonly ofObject: number;
  readonly together: number;
}

/** Expects data whose depth has been checked. Stops counting as soon as the answer is known. */
export function hasMoreKeys(value: unknown, most: MostKeys): boolean {
  const open: unknown[] = [value];
  let together = 0;
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    if (Array.isArray(each)) {
      for (const inner of each) if (typeof inner === 'object' && inner !== null) open.push(inner);
      continue;
    }
    const values = Object.values(each);
    together += values.length;
    if (values.length > most.ofObject || together > most.together) return true;
    for (const inner of values) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return false;
}
