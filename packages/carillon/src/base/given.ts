/** The fields that were given: those that are undefined are left out, as types with exact optional fields want them. */
export type Given<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** `given({ a, b })` instead of a spread with a condition per field. Not for hot paths: it copies. */
export function given<T extends object>(fields: T): Given<T> {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Exactly the fields whose value is there, which is what the type says.
  return Object.fromEntries(found) as Given<T>;
}
