/**
 * A value of JSON as text: an object or a list as JSON. `String` must not be asked, because it calls the `toString` that a
 * client may have put into the object.
 */
export function jsonText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
