/** A value while it is put together: fields that are mostly absent are added one by one. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
