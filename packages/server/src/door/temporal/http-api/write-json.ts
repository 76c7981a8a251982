/** A decoded message as proto3 JSON: fields with their default value are left out, 64-bit numbers and bytes are texts. */
import type { EnumType, MessageField, MessageType } from '../protocol.ts';
import { decode, typeNamed } from '../protocol.ts';
import { isMessage, jsonName } from './json-names.ts';
import { toShorthand } from './payload-shorthand.ts';
import { writeDuration, writeTimestamp } from './well-known.ts';

export interface WriteOptions {
  /** Whether payloads are shown as plain JSON where that loses nothing. */
  readonly shorthand: boolean;
}

type Message = Readonly<Record<string, unknown>>;

export function writeJson(type: MessageType, message: object, options: WriteOptions): unknown {
  const special = forms[type.fullName];
  if (special !== undefined) {
    const form = special(message as Message, options);
    if (form !== undefined) return form.value;
  }
  const written: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    field.resolve();
    const value = (message as Message)[field.name];
    if (!Object.hasOwn(message, field.name) || isLeftOut(field, value)) continue;
    written[jsonName(field.name)] = writeField(field, value, options);
  }
  return written;
}

function isLeftOut(field: MessageField, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (field.map) return Object.keys(value).length === 0;
  if (field.repeated) return (value as readonly unknown[]).length === 0;
  // A field of a group is present when it was sent; a message knows whether it is there.
  if (field.partOf !== null || isMessage(field.resolvedType)) return false;
  return isDefault(value);
}

function isDefault(value: unknown): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  if (isLong(value)) return value.toString() === '0';
  return value === '' || value === 0 || value === false;
}

function writeField(field: MessageField, value: unknown, options: WriteOptions): unknown {
  if (field.map) {
    const entries = Object.entries(value as Message).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, each]) => [key, writeValue(field, each, options)]));
  }
  if (field.repeated) {
    return (value as readonly unknown[]).map((each) => writeValue(field, each, options));
  }
  return writeValue(field, value, options);
}

function writeValue({ resolvedType }: MessageField, value: unknown, options: WriteOptions): unknown {
  if (isMessage(resolvedType)) return writeJson(resolvedType, value as object, options);
  // A number of a newer definition has no name.
  if (resolvedType !== null) return (resolvedType as EnumType).valuesById[value as number] ?? value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (isLong(value)) return value.toString();
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function isLong(value: unknown): value is { toString(): string; toNumber(): number } {
  return typeof value === 'object' && value !== null && 'toNumber' in value;
}

function partsOf({ seconds, nanos }: Message) {
  return {
    seconds: isLong(seconds) ? seconds.toNumber() : Number(seconds ?? 0),
    nanos: Number(nanos ?? 0),
  };
}

/** Types with their own forms; undefined falls back to the fields. */
const forms: Readonly<
  Record<string, (message: Message, options: WriteOptions) => { readonly value: unknown } | undefined>
> = {
  '.google.protobuf.Timestamp': (message) => ({ value: writeTimestamp(partsOf(message)) }),
  '.google.protobuf.Duration': (message) => ({ value: writeDuration(partsOf(message)) }),
  '.google.protobuf.DoubleValue': ({ value = 0 }) => ({ value }),
  '.google.protobuf.FieldMask': ({ paths }) => ({
    value: ((paths ?? []) as readonly string[]).map(jsonName).join(','),
  }),
  '.google.protobuf.Any': ({ type_url: url, value }, options) => {
    const type = typeNamed(String(url).slice(String(url).lastIndexOf('/') + 1));
    const inner = writeJson(type, decode(type, (value ?? new Uint8Array()) as Uint8Array), options);
    return { value: { '@type': url, ...(inner as object) } };
  },
  '.temporal.api.common.v1.Payload': (message, { shorthand }) =>
    shorthand ? toShorthand(message) : undefined,
  '.temporal.api.common.v1.Payloads': ({ payloads }, { shorthand }) => {
    if (!shorthand) return undefined;
    const values = ((payloads ?? []) as readonly Message[]).map(toShorthand);
    return values.some((each) => each === undefined)
      ? undefined
      : { value: values.map((each) => each?.value) };
  },
};
