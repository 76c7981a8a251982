/**
 * Every member of a union of words, as a list. A union has no values, so the caller writes a record; the compiler
 * refuses a record with a missing, misspelt or extra word.
 */
export function closedList<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
