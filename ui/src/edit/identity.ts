/** A number for each object, for keys of queries: an input of a megabyte is not written out to be compared. */
const numbers = new WeakMap<object, number>();
let last = 0;

export function identityOf(value: object): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(value, last);
  return last;
}
