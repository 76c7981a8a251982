/**
 * Reads the protobuf wire format one level deep: the fields of a message as the bytes in which they arrived. The door stores
 * and returns these bytes unchanged, so that clients get back every bit, including fields that this version does not know.
 */

import { ServiceError } from 'carillon/internal/base';

/** One field as encoded on the wire. */
export interface RawField {
  readonly number: number;
  /** The bytes of tag and value. */
  readonly bytes: Uint8Array;
  /** The content of a length-delimited field; undefined for the other kinds. */
  readonly content: Uint8Array | undefined;
}

const varint = 0;
const eightBytes = 1;
const delimited = 2;
const fourBytes = 5;

/** Throws an `invalidArgument` when the bytes are not a message. */
export function* fieldsOf(message: Uint8Array): Generator<RawField> {
  let at = 0;
  const read = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = message[at];
      if (byte === undefined) throw broken('a field ends too early');
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = read();
    const number = Math.floor(tag / 8);
    let content: Uint8Array | undefined;
    switch (tag % 8) {
      case varint:
        read();
        break;
      case eightBytes:
        at += 8;
        break;
      case delimited: {
        const length = read();
        content = message.subarray(at, at + length);
        at += length;
        break;
      }
      case fourBytes:
        at += 4;
        break;
      default:
        throw broken('it has a field of a kind that proto3 does not have');
    }
    if (at > message.length) throw broken('a field ends too early');
    yield { number, bytes: message.subarray(start, at), content };
  }
}

function broken(what: string): ServiceError {
  return new ServiceError({
    code: 'invalidArgument',
    reason: 'MALFORMED',
    message: `the request cannot be decoded: ${what}`,
  });
}

/**
 * The content of a message field; undefined when the field is absent. When a field occurs several times, protobuf merges the
 * occurrences, and their concatenated bytes encode the merged message.
 */
export function contentOf(message: Uint8Array, number: number): Uint8Array | undefined {
  const found: Uint8Array[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number === number && field.content !== undefined) found.push(field.content);
  }
  const [only] = found;
  return found.length <= 1 ? only : Buffer.concat(found);
}

/** All fields except those with the given numbers, unchanged. */
export function without(message: Uint8Array, numbers: ReadonlySet<number>): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const { number, bytes } of fieldsOf(message)) if (!numbers.has(number)) kept.push(bytes);
  return Buffer.concat(kept);
}

/** The message with this content in a field, at the place where the field was; all other bytes stay unchanged. */
export function withField(message: Uint8Array, number: number, content: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  let isWritten = false;
  for (const each of fieldsOf(message)) {
    if (each.number !== number) kept.push(each.bytes);
    else if (!isWritten) {
      kept.push(field(number, content));
      isWritten = true;
    }
  }
  if (!isWritten) kept.push(field(number, content));
  return Buffer.concat(kept);
}

/** Encodes a length-delimited field. */
export function field(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([writeVarint(number * 8 + delimited), writeVarint(content.length), content]);
}

function writeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** Wraps an encoded message, or a part of one, so that protobufjs writes it unchanged. */
export function encoded(...pieces: readonly Uint8Array[]): { readonly $unknowns: readonly Uint8Array[] } {
  return { $unknowns: pieces };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
