/**
 * Payloads as plain JSON: the HTTP API shows `[1, {"a": true}]` instead of base64, and reads both. A payload that plain JSON
 * cannot carry without loss (other encodings, more metadata) is shown in full.
 */
import { isDeeperJson } from 'carillon/internal/base';

interface Payload {
  readonly metadata?: Readonly<Record<string, Uint8Array>> | null;
  readonly data?: Uint8Array | null;
}

const messageTypeKey = '_protoMessageType';

/** Deeper values are shown in full, because the writer of the answer is recursive. */
const deepest = 100;

export interface Shorthand {
  readonly value: unknown;
}

/** Undefined when the payload must be shown in full. */
export function toShorthand({ metadata, data }: Payload): Shorthand | undefined {
  const names = Object.keys(metadata ?? {});
  const encoding = textOf(metadata?.encoding);
  if (encoding === 'json/plain' && names.length === 1) return plain(textOf(data));
  if (encoding === 'json/protobuf' && names.length === 2) {
    const type = textOf(metadata?.messageType);
    const { value } = plain(textOf(data)) ?? {};
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return type === '' || !isObject ? undefined : { value: { ...value, [messageTypeKey]: type } };
  }
  return undefined;
}

/** A null is shown in full: read back, it would be of the encoding `binary/null`. */
function plain(text: string): Shorthand | undefined {
  if (isDeeperJson(text, deepest)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** The payload of a JSON value: one in full, when it has its form, else the value itself. */
export function fromShorthand(value: unknown): Payload {
  const full = fullPayload(value);
  if (full !== undefined) return full;
  if (value === null) return { metadata: { encoding: Buffer.from('binary/null') } };
  if (typeof value === 'object' && messageTypeKey in value) {
    const { [messageTypeKey]: type, ...message } = value;
    if (typeof type === 'string') {
      return {
        metadata: { encoding: Buffer.from('json/protobuf'), messageType: Buffer.from(type) },
        data: Buffer.from(JSON.stringify(message)),
      };
    }
  }
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}

/** A payload in full has metadata with an encoding, all in base64, data in base64, and nothing else. */
function fullPayload(value: unknown): Payload | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { metadata, data, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof metadata !== 'object' || metadata === null || !('encoding' in metadata)) return undefined;
  const bytes = readBytes(data ?? '');
  if (Object.keys(rest).length > 0 || bytes === undefined) return undefined;
  const read = Object.entries(metadata).map(([name, text]) => [name, readBytes(text)] as const);
  if (read.some(([, each]) => each === undefined)) return undefined;
  const payload = { metadata: Object.fromEntries(read) as Readonly<Record<string, Uint8Array>> };
  // Only a payload without a value may leave its data out.
  if (data === undefined) return textOf(payload.metadata.encoding) === 'binary/null' ? payload : undefined;
  return { ...payload, data: bytes };
}

/** Base64 in either alphabet, with or without padding; undefined for anything else. */
export function readBytes(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined;
  const bare = text.replace(/=+$/, '');
  return bare.length % 4 === 1 ? undefined : Buffer.from(bare, 'base64');
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes === null || bytes === undefined ? '' : Buffer.from(bytes).toString();
}
