/**
 * Every member of a union of words, as a list. A union has no values, so the caller writes a record; the compiler refuses
 * the record when a word is missing, misspelt or too many.
 */
export function closedList<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
