/**
 * Plain data by type: what JSON gives back as it was. `PlainData<T>` is `T` when all of it is plain; a part that JSON would change
 * has another type, whose name the compiler shows where the value was written. An index signature such as
 * `{ [key: string]: Json }` would refuse every interface, so the check looks at the members instead.
 *
 * What types cannot say (NaN, an `unknown` that holds a Date) is refused at runtime by `plain-json.ts`.
 */

/** Types that JSON turns into something else, or into nothing. */
export type NotPlain =
  | bigint
  | symbol
  | ((...values: never) => unknown)
  | { toJSON(...values: never): unknown }
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | WeakMap<object, unknown>
  | WeakSet<object>
  | Promise<unknown>
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView;

/**
 * Shown by the compiler in the place of a type that is not plain. An interface, because a bigint that is also a literal would
 * be `never`, which says nothing.
 */
export interface JsonWouldChangeThis {
  readonly 'Give texts, numbers, booleans, null, lists and plain objects': true;
}
/** Shown by the compiler in the place of an item that may be undefined. */
export interface JsonHasNoUndefinedInLists {
  readonly 'Leave it out, or write null': true;
}

/** The type itself when all of it is plain; a type that nothing has in the place of each part that is not. */
export type PlainData<T> = 0 extends 1 & T
  ? T
  : unknown extends T
    ? T
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends NotPlain
        ? JsonWouldChangeThis
        : T extends readonly unknown[]
          ? { [Index in keyof T]: PlainItem<T[Index]> }
          : { [Key in keyof T]: PlainData<T[Key]> };

/** The same for an item of a list. */
export type PlainItem<T> = unknown extends T
  ? T
  : undefined extends T
    ? JsonHasNoUndefinedInLists
    : PlainData<T>;

/** `T` where it is plain data; infers `T` from the value that is given. */
export type Plain<T> = T & PlainData<T>;
