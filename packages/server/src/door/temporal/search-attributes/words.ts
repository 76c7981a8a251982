/**
 * Text search by words, ignoring case. The store compares whole values, so a text is stored as a list: first the text itself,
 * then its words. A search for a word is then a search for an element of the list.
 */

/** Lower-case words, each once, in order of appearance. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
}

export function searchableText(text: string): readonly string[] {
  return [text, ...wordsOf(text)];
}

/** The original text of a list made by `searchableText`. */
export function textOf(searchable: readonly string[]): string {
  return searchable[0] ?? '';
}
