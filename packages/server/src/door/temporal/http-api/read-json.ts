/**
 * A proto3 JSON value as a message object that can be encoded. Names come in either spelling, enumerations as names or
 * numbers, 64-bit numbers as texts or numbers; unknown fields are refused.
 */
import type { ServiceError } from 'carillon/internal/base';
import type { EnumType, MessageField, MessageType } from '../protocol.ts';
import { badRequest } from '../status.ts';
import { enumNumber, fieldNamed, isMessage } from './json-names.ts';
import { fromShorthand, readBytes } from './payload-shorthand.ts';
import { readDurationText, readTimestampText } from './well-known.ts';

type Json = Readonly<Record<string, unknown>>;

/** `path` names the place in errors; empty for the whole body. */
export function readJson(type: MessageType, value: unknown, path = ''): object {
  const special = forms[type.fullName];
  if (special !== undefined) {
    const read = special(value);
    if (read !== undefined) return read;
    // The other special types are never written as objects.
    if (type.fullName.startsWith('.google.')) throw refusal(path, value);
  }
  if (!isObject(value)) throw refusal(path, value);
  const message: Record<string, unknown> = {};
  const taken = new Map<string, string>();
  for (const [name, each] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    const field = fieldNamed(type, name);
    if (field === undefined) throw badRequest(`proto: unknown field ${JSON.stringify(place)}`);
    if (each === null) continue;
    if (Object.hasOwn(message, field.name))
      throw badRequest(`proto: duplicate field ${JSON.stringify(place)}`);
    const group = field.partOf?.name;
    if (group !== undefined) {
      if (taken.has(group)) {
        throw badRequest(`proto: error parsing ${JSON.stringify(place)}, oneof ${group} is already set`);
      }
      taken.set(group, name);
    }
    message[field.name] = readField(field, each, place);
  }
  return message;
}

function readField(field: MessageField, value: unknown, path: string): unknown {
  if (field.map) {
    if (!isObject(value)) throw refusal(path, value);
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, readValue(field, each, `${path}.${key}`)]),
    );
  }
  if (field.repeated) {
    if (!Array.isArray(value)) throw refusal(path, value);
    return value.map((each, index) => readValue(field, each, `${path}[${index}]`));
  }
  return readValue(field, value, path);
}

function readValue({ type, resolvedType }: MessageField, value: unknown, path: string): unknown {
  if (isMessage(resolvedType)) return readJson(resolvedType, value, path);
  const read = resolvedType === null ? scalars[type]?.(value) : readEnum(resolvedType as EnumType, value);
  if (read === undefined) throw refusal(path, value);
  return read;
}

function readEnum(type: EnumType, value: unknown): number | undefined {
  return typeof value === 'string' ? enumNumber(type, value) : int32(value);
}

function int32(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) && number === (number | 0) ? number : undefined;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value)
    ? Number(value)
    : undefined;
}

/** The number as a text, which the encoder reads without loss. */
function int64(value: unknown): string | undefined {
  const isWhole = typeof value === 'string' ? /^-?\d{1,19}$/.test(value) : Number.isSafeInteger(value);
  if (!isWhole) return undefined;
  const exact = BigInt(value as string | number);
  return BigInt.asIntN(64, exact) === exact ? String(exact) : undefined;
}

function double(value: unknown): number | undefined {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : numberOf(value);
}

const scalars: Readonly<Record<string, (value: unknown) => unknown>> = {
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  string: (value) => (typeof value === 'string' ? value : undefined),
  bytes: readBytes,
  int32,
  sint32: int32,
  uint32: (value) => {
    const number = numberOf(value);
    return number !== undefined && Number.isInteger(number) && number === number >>> 0 ? number : undefined;
  },
  int64,
  sint64: int64,
  uint64: (value) => (String(value).startsWith('-') ? undefined : int64(value)),
  float: double,
  double,
};

const forms: Readonly<Record<string, (value: unknown) => object | undefined>> = {
  '.google.protobuf.Timestamp': (value) => (typeof value === 'string' ? readTimestampText(value) : undefined),
  '.google.protobuf.Duration': (value) => (typeof value === 'string' ? readDurationText(value) : undefined),
  '.google.protobuf.DoubleValue': (value) => {
    const number = double(value);
    return number === undefined ? undefined : { value: number };
  },
  '.google.protobuf.FieldMask': (value) =>
    typeof value === 'string' ? { paths: value === '' ? [] : value.split(',').map(snake) } : undefined,
  '.temporal.api.common.v1.Payload': fromShorthand,
  // A list is shorthand, an object has the list as its field.
  '.temporal.api.common.v1.Payloads': (value) =>
    Array.isArray(value) ? { payloads: value.map(fromShorthand) } : value === null ? {} : undefined,
};

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: string, value: unknown): ServiceError {
  const shown = (JSON.stringify(value) ?? '').slice(0, 100);
  return badRequest(
    path === '' ? `proto: unexpected ${shown}: send an object` : `proto: invalid value for ${path}: ${shown}`,
  );
}
