/**
 * A topic carries the type of its payloads. With a schema the payload is also checked at run time, when it is published;
 * any library with the Standard Schema interface will do.
 */

import type { StandardSchema } from '../base/standard-schema.ts';
import { checkWith } from '../base/standard-schema.ts';

export type { SchemaIssue, SchemaResult, StandardSchema } from '../base/standard-schema.ts';

declare const payloadType: unique symbol;

export interface Topic<Payload> {
  readonly schema: StandardSchema<Payload, unknown> | null;
  readonly [payloadType]?: Payload;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of topics holds every payload type
export type Topics = Readonly<Record<string, Topic<any>>>;

export type PayloadOf<T> = T extends Topic<infer Payload> ? Payload : never;

/** A topic whose payloads have this type; they are any JSON. */
export function topic<Payload>(): Topic<Payload>;
/** A topic whose payloads are checked, and typed, by a schema. */
export function topic<Payload>(schema: StandardSchema<Payload, unknown>): Topic<Payload>;
export function topic<Payload>(schema: StandardSchema<Payload, unknown> | null = null): Topic<Payload> {
  return { schema };
}

/** The problems of a payload, each with its path; none when it is right or the topic has no schema. */
export async function payloadProblems(
  { schema }: Topic<unknown>,
  payload: unknown,
): Promise<readonly string[]> {
  if (schema === null) return [];
  const { problems = [] } = await checkWith(schema, payload);
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}
