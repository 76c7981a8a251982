/** Whether two values are the same JSON. The order of fields does not matter, and an undefined field counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, inOrder(each)]));
}
