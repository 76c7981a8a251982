/** The two parts of a long id: the first is cut where there is no room for both. Pure. */

/** Shorter ids have room in a row. */
const longest = 28;
const shown = 12;

export function partsOfId(id: string): { readonly begin: string; readonly end: string } | undefined {
  const letters = [...id];
  if (letters.length <= longest) return undefined;
  return { begin: letters.slice(0, -shown).join(''), end: letters.slice(-shown).join('') };
}
