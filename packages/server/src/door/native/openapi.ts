/** Derives the OpenAPI 3.1 document from the operations and schemas that serve the requests. */
import { z } from 'zod';
import { eventsPath, streamedEvent } from './event-schema.ts';
import type { Operation, Reader } from './operation.ts';
import { dryRunName } from './rehearsal.ts';
import { error as errorShape } from './schemas.ts';

type Json = Record<string, unknown>;

export interface OpenApiOptions {
  readonly version: string;
  readonly prefix: string;
}

export function openApi(operations: readonly Operation[], { version, prefix }: OpenApiOptions): Json {
  const schemas = new Schemas();
  const failure = {
    description: 'Refused or failed; `reason` is a stable word, `problems` name the places',
    content: { 'application/json': { schema: schemas.place(errorShape, 'output') } },
  };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describe(operation, schemas, failure);
  }
  paths['/events'] = eventsPath(failure, schemas.place(streamedEvent, 'output'));
  return {
    openapi: '3.1.0',
    info: { title: 'Carillon', version, description: 'A durable scheduler. Times are RFC 3339 in UTC.' },
    servers: [
      { url: prefix, description: 'the default namespace, or that of the header Carillon-Namespace' },
      { url: `${prefix}/namespaces/{namespace}`, variables: { namespace: { default: 'default' } } },
    ],
    security: [{}, { key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'an API key' } },
      schemas: schemas.placed,
    },
  };
}

export function pathOf({ path, verb }: Pick<Operation, 'path' | 'verb'>): string {
  return verb === undefined ? path : `${path}:${verb}`;
}

/** Whether a request without a body is refused, found out with the reader that serves requests. */
function isNeeded(body: Reader<unknown>): boolean {
  try {
    body.read(undefined);
    return false;
  } catch {
    return true;
  }
}

function describe(operation: Operation, schemas: Schemas, failure: Json): Json {
  const { id, summary, role, status, statusWhenCreated, body, response, rehearsal } = operation;
  const content = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: schemas.place(schema, io) },
  });
  const answer = (description: string) =>
    response === undefined ? { description } : { description, content: content(response, 'output') };
  const dryRun =
    rehearsal === undefined
      ? {}
      : { 200: { description: 'With dryRun', content: content(rehearsal.response, 'output') } };
  const done = answer('Done');
  const isShared = rehearsal !== undefined && status === 200 && response !== undefined;
  const both = isShared
    ? {
        description: 'Done; with dryRun the effects',
        content: content(z.union([response, rehearsal.response]), 'output'),
      }
    : done;
  return {
    operationId: id,
    summary,
    description: `Needs the role ${role}.`,
    tags: [operation.path.split('/')[1]],
    parameters: [...inPath(operation), ...inQuery(operation), ...inHeaders(operation)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isNeeded(body),
            content: content(body.schema, 'input'),
          },
        }),
    responses: {
      ...dryRun,
      [status]: both,
      ...(statusWhenCreated === undefined ? {} : { [statusWhenCreated]: answer('Created') }),
      default: failure,
    },
  };
}

function inPath({ path }: Operation): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function inQuery({ query, rehearsal }: Operation): readonly Json[] {
  const dryRun = {
    name: dryRunName,
    in: 'query',
    required: false,
    description:
      'answer what would happen, and change nothing; `trial` also tries a definition on the past week',
    schema: { type: 'string', enum: ['true', 'false', 'trial'] },
  };
  const last = rehearsal === undefined ? [] : [dryRun];
  if (query === undefined) return last;
  const { properties = {}, required = [] } = jsonSchema(query.schema, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const fields = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
  return [...fields, ...last];
}

function inHeaders({ method, isConditional }: Operation): readonly Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  if (method === 'GET') return [];
  return [
    header('Idempotency-Key', 'a repeated key changes nothing and gets the first answer again'),
    ...(isConditional === undefined
      ? []
      : [header('If-Match', 'the ETag that was read: change only this version')]),
    ...(isConditional === true ? [header('If-None-Match', '*: create, do not replace')] : []),
  ];
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withoutBlanks });
  const { $schema: _, ...rest } = json as Json;
  return rest;
}

/** A type that JSON lacks (a `Date`) becomes the empty schema, which inside a union would allow any value. */
function withoutBlanks({
  jsonSchema: node,
}: {
  jsonSchema: { anyOf?: readonly unknown[] | undefined };
}): void {
  if (node.anyOf === undefined) return;
  const kept = node.anyOf.filter((each) => Object.keys(each as object).length > 0);
  if (kept.length < node.anyOf.length && kept.length > 0) node.anyOf = kept;
}

/** Collects the schemas that have a name. */
class Schemas {
  readonly placed: Record<string, Json> = {};

  place(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs = {}, ...root } = jsonSchema(schema, io) as { $defs?: Record<string, Json> } & Json;
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    const { id } = root;
    if (typeof id !== 'string') return pointed(root);
    this.#add(id, root);
    return { $ref: `#/components/schemas/${id}` };
  }

  #add(name: string, { id: _, ...definition }: Json): void {
    this.placed[name] = pointed(definition);
  }
}

/** Makes references point into the document instead of into the schema. */
function pointed(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
