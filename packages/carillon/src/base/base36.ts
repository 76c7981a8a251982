/** The lowest `length` digits of a whole number in base 36, padded with zeros. Ids consist of such digits. */
export function base36(value: number, length: number): string {
  return value.toString(36).padStart(length, '0').slice(-length);
}
