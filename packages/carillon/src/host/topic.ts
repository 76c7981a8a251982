/**
 * A topic carries the type of its payloads. With a schema the payload is also checked at run time, when it is published;
 * any library with the Standard Schema interface will do.
 */

declare const payloadType: unique symbol;

export interface Topic<Payload> {
  readonly schema: StandardSchema<Payload> | null;
  readonly [payloadType]?: Payload;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of topics holds every payload type
export type Topics = Readonly<Record<string, Topic<any>>>;

export type PayloadOf<T> = T extends Topic<infer Payload> ? Payload : never;

/** The part of the Standard Schema interface, version 1, that is used here. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A topic whose payloads have this type; they are any JSON. */
export function topic<Payload>(): Topic<Payload>;
/** A topic whose payloads are checked, and typed, by a schema. */
export function topic<Output>(schema: StandardSchema<Output>): Topic<Output>;
export function topic<Payload>(schema: StandardSchema<Payload> | null = null): Topic<Payload> {
  return { schema };
}

/** The problems of a payload, each with its path; none when it is right or the topic has no schema. */
export async function payloadProblems(
  { schema }: Topic<unknown>,
  payload: unknown,
): Promise<readonly string[]> {
  if (schema === null) return [];
  const result = await schema['~standard'].validate(payload);
  return (result.issues ?? []).map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
}
