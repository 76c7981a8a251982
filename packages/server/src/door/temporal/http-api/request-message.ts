/** The request message of an HTTP request: its body or the parameters of its query, and the texts of its path. */
import type { MessageField, MessageType } from '../protocol.ts';
import { badRequest } from '../status.ts';
import { fieldNamed, isMessage, jsonName } from './json-names.ts';
import { readJson } from './read-json.ts';
import type { Match } from './routes.ts';

export interface HttpRequest {
  readonly query: URLSearchParams;
  /** Undefined when the request has no body. */
  readonly body: unknown;
}

export function requestMessage({ route, fields }: Match, { query, body }: HttpRequest): object {
  const { request: type } = route.procedure;
  const taken = fields.map(({ path }) => path.map(jsonName).join('.'));
  const json = route.hasBody ? (body ?? {}) : queryJson(type, query, new Set(taken));
  const message = readJson(type, json) as Record<string, unknown>;
  for (const { path, text } of fields) place(message, path.map(jsonName), text);
  return message;
}

/** Parameters by the path of their field: `execution.runId=…`. Unknown ones are ignored, as by the original. */
function queryJson(type: MessageType, query: URLSearchParams, taken: ReadonlySet<string>): object {
  const json: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const path = name.split('.').map(jsonName);
    const field = fieldAt(type, path);
    if (field === undefined || taken.has(path.join('.'))) continue;
    const texts = query.getAll(name);
    if (!field.repeated && texts.length > 1) throw badRequest(`too many values for field "${name}"`);
    const values = texts.map((text) => jsonOf(field, text));
    place(json, path, field.repeated ? values : values[0]);
  }
  return json;
}

function fieldAt(type: MessageType, path: readonly string[]): MessageField | undefined {
  let at: MessageType | undefined = type;
  let field: MessageField | undefined;
  for (const name of path) {
    if (at === undefined) return undefined;
    field = fieldNamed(at, name);
    if (field === undefined) return undefined;
    at = isMessage(field.resolvedType) && !field.repeated && !field.map ? field.resolvedType : undefined;
  }
  return field;
}

/** The text of a query parameter as the JSON value of its field. */
function jsonOf({ type, resolvedType }: MessageField, text: string): unknown {
  if (type === 'bool') {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : text;
  }
  const isEnum = resolvedType !== null && !isMessage(resolvedType);
  return isEnum && /^\d+$/.test(text) ? Number(text) : text;
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = (target[name] ?? {}) as Record<string, unknown>;
  target[name] = inner;
  place(inner, rest, value);
}
