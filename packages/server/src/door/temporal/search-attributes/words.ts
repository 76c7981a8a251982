/**
 * How a text is searched: by its words, whatever their case. The store compares whole values, so a text is kept as a list:
 * first itself, then its words. A word that is looked for is then simply one of the list.
 */

/** Lower-case words, each once, in order of appearance. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
}

export function searchableText(text: string): readonly string[] {
  return [text, ...wordsOf(text)];
}

/** The text itself, of a list made by `searchableText`. */
export function textOf(searchable: readonly string[]): string {
  return searchable[0] ?? '';
}
