/** A noun with its indefinite article, for messages whose noun is not known beforehand. */
export function withArticle(noun: string): string {
  // A leading u is spoken as in 'you' in words like 'unique' and 'user'.
  return /^(?!uni|use)[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}
