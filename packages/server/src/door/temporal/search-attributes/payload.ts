/** Search attributes as payloads: JSON with the name of its type as metadata. */
import type { Problem } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { Attributes, AttributeType, AttributeTypes, AttributeValue } from 'carillon/internal/service';
import type { Payload } from '../protocol.ts';
import { inferredType, jsonValue, storedValue } from './attribute-value.ts';
import { predefinedAttributes, systemAttributes } from './system-attributes.ts';

/** The message on the wire: `temporal.api.common.v1.SearchAttributes`. */
export interface WireAttributes {
  readonly indexedFields?: Readonly<Record<string, Payload>> | null;
}

/** Temporal's limits: attributes of one schedule, bytes of one value, bytes of all values. */
const mostAttributes = 100;
const largestValue = 2 * 1024;
const largestTotal = 40 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/**
 * The values for the store to compare. Drops predefined names, which mean nothing on a schedule. Refuses system names and
 * names that are not registered in the namespace.
 */
export function readSearchAttributes(
  proto: WireAttributes | null | undefined,
  types: AttributeTypes,
): Readonly<Record<string, AttributeValue>> {
  const fields = Object.entries(proto?.indexedFields ?? {});
  const problems: Problem[] = [];
  const refuse = (name: string, reason: string, message: string, fix?: string) =>
    problems.push({
      path: `searchAttributes.${name}`,
      reason,
      message,
      ...(fix === undefined ? {} : { fix }),
    });
  const values: [string, AttributeValue][] = [];
  let total = 0;
  for (const [name, payload] of fields) {
    const size = payload.data?.length ?? 0;
    total += encoder.encode(name).length + size;
    if (systemAttributes.has(name)) {
      refuse(name, 'RESERVED', `${name} attribute can't be set in SearchAttributes`);
      continue;
    }
    const predefined = predefinedAttributes.get(name);
    const type = predefined ?? types.get(name);
    if (type === undefined) {
      refuse(
        name,
        'UNKNOWN_ATTRIBUTE',
        `search attribute ${name} is not defined`,
        'add it to the namespace with AddSearchAttributes (temporal operator search-attribute create)',
      );
      continue;
    }
    if (size > largestValue) {
      refuse(
        name,
        'TOO_LARGE',
        `search attribute ${name} value size ${size} exceeds size limit ${largestValue}`,
      );
      continue;
    }
    const value = readPayload(payload, type);
    if (value === undefined) {
      refuse(name, 'BAD_VALUE', `invalid value for search attribute ${name} of type ${type}`);
    } else if (value !== null && predefined === undefined) values.push([name, value]);
  }
  if (fields.length > mostAttributes) {
    refuse('', 'TOO_MANY', `number of search attributes ${fields.length} exceeds limit ${mostAttributes}`);
  }
  if (total > largestTotal) {
    refuse('', 'TOO_LARGE', `total size of search attributes ${total} exceeds size limit ${largestTotal}`);
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
  return Object.fromEntries(values);
}

/** The same for stored attributes; leaves out values that cannot be compared. */
export function comparableAttributes(
  proto: WireAttributes | null | undefined,
  types: AttributeTypes,
): Readonly<Record<string, AttributeValue>> {
  const values: [string, AttributeValue][] = [];
  for (const [name, payload] of Object.entries(proto?.indexedFields ?? {})) {
    const type = types.get(name);
    const value = type === undefined ? undefined : readPayload(payload, type);
    if (value !== undefined && value !== null) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** Undefined when the payload is not a value of the type, null for "no value". The payload's own `type` does not matter. */
function readPayload(payload: Payload, type: AttributeType): AttributeValue | null | undefined {
  const encoding = metadataText(payload, 'encoding');
  if (encoding === 'binary/null') return null;
  try {
    const text = decoder.decode(payload.data ?? new Uint8Array());
    return text === '' ? null : storedValue(JSON.parse(text), type);
  } catch {
    return undefined;
  }
}

function metadataText(payload: Payload, name: string): string | undefined {
  const bytes = payload.metadata?.[name];
  if (bytes === undefined || bytes === null) return undefined;
  return new TextDecoder().decode(bytes);
}

/** Clients drop values without a type, so an unregistered attribute (from another door) gets the type of its value. */
export function writeSearchAttributes(
  values: Attributes,
  types: AttributeTypes,
): { readonly indexedFields: Readonly<Record<string, Payload>> } {
  const fields: [string, Payload][] = [];
  for (const [name, value] of Object.entries(values)) {
    const registered = types.get(name) ?? predefinedAttributes.get(name);
    const json = registered === undefined ? undefined : jsonValue(value, registered);
    if (registered !== undefined && json !== undefined) {
      fields.push([name, attributePayload(json, registered)]);
    } else {
      const type = inferredType(value);
      fields.push([name, attributePayload(jsonValue(value, type), type)]);
    }
  }
  return { indexedFields: Object.fromEntries(fields) };
}

/** The attributes that a client sent, with missing types added. Leaves out names that mean nothing on a schedule. */
export function withTypes(
  proto: WireAttributes,
  types: AttributeTypes,
): { readonly indexedFields: Readonly<Record<string, Payload>> } {
  const fields: [string, Payload][] = [];
  for (const [name, payload] of Object.entries(proto.indexedFields ?? {})) {
    const type = types.get(name);
    // A null is not a value: clients send it for an attribute that they do not set.
    if (type === undefined || readPayload(payload, type) === null) continue;
    const metadata = { ...payload.metadata, type: encoder.encode(type) };
    fields.push([name, { ...payload, metadata }]);
  }
  return { indexedFields: Object.fromEntries(fields) };
}

export function attributePayload(json: unknown, type: AttributeType): Payload {
  return {
    metadata: { encoding: encoder.encode('json/plain'), type: encoder.encode(type) },
    data: encoder.encode(JSON.stringify(json)),
  };
}
