/** Schemas of any library with the Standard Schema interface. */

/** The part of the Standard Schema interface, version 1, that is used here. `Input` is what it accepts, `Output` what it makes of it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Checked<Output> =
  | { readonly value: Output; readonly problems?: undefined }
  | { readonly problems: readonly { readonly path: string; readonly message: string }[] };

/** The value as the schema gives it, or its problems with their paths. */
export async function checkWith<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Promise<Checked<Output>> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { value: result.value };
  return {
    problems: result.issues.map(({ message, path = [] }) => ({
      path: path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
      message,
    })),
  };
}
