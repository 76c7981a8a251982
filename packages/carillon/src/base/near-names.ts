/** Names similar to a mistyped one, nearest first. */

const mostNames = 3;

/** The comparison takes time in proportion to the product of both lengths, and any caller may send a name. */
const longestCompared = 200;

export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  if (wanted.length > longestCompared) return [];
  const plain = normal(wanted);
  if (plain === '') return [];
  const furthest = Math.max(2, Math.floor(plain.length / 4));
  return names
    .filter((name) => name.length <= longestCompared)
    .map((name) => ({ name, distance: nearness(plain, name, furthest) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, mostNames)
    .map(({ name }) => name);
}

/** `did you mean 'a' or 'b'?`; undefined when there is no similar name. */
export function didYouMean(near: readonly string[]): string | undefined {
  if (near.length === 0) return undefined;
  return `did you mean ${near.map((name) => `'${name}'`).join(' or ')}?`;
}

/** A city alone is close to its full name: `berlin` means Europe/Berlin. */
function nearness(plain: string, name: string, furthest: number): number {
  const whole = distance(plain, normal(name), furthest);
  if (!name.includes('/')) return whole;
  const city = normal(name.slice(name.lastIndexOf('/') + 1));
  return Math.min(whole, distance(plain, city, furthest) + 1);
}

/** Names whose lengths differ by more than the furthest distance need no comparison. */
function distance(a: string, b: string, furthest: number): number {
  return Math.abs(a.length - b.length) > furthest ? Number.POSITIVE_INFINITY : editDistance(a, b);
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9+-]/g, '');
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
