/**
 * A JSON value as text; an object or a list as JSON. It does not use `String`, which would call a `toString` that a client may
 * have put into the object.
 */
export function jsonText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
