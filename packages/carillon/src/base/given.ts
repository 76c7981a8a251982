/** The fields that have a value. Undefined fields are left out, as types with exact optional fields require. */
export type Given<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Write `given({ a, b })` instead of a spread with a condition per field. It copies, so do not use it on hot paths. */
export function given<T extends object>(fields: T): Given<T> {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Only fields with a value are left, which is what the type says.
  return Object.fromEntries(found) as Given<T>;
}
