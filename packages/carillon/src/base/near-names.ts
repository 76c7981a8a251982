/** Names similar to a mistyped one, nearest first. */

const mostNames = 3;

export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const plain = normal(wanted);
  if (plain === '') return [];
  return names
    .map((name) => ({ name, distance: nearness(plain, name) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(plain.length / 4)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, mostNames)
    .map(({ name }) => name);
}

/** A city alone is close to its full name: `berlin` means Europe/Berlin. */
function nearness(plain: string, name: string): number {
  const whole = editDistance(plain, normal(name));
  const city = name.includes('/')
    ? editDistance(plain, normal(name.slice(name.lastIndexOf('/') + 1)))
    : whole;
  return Math.min(whole, city + 1);
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
