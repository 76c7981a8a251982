/** JSON of a text, as `JSON.stringify` gives it; two to four times as fast where nothing must be escaped. */
export function jsonText(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Printable ASCII without quotation mark and backslash. */
const plain = /^[ !#-[\]-~]*$/;
