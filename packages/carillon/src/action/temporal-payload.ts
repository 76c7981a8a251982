/**
 * Payloads of Temporal as plain data. JSON becomes its value; what only the client's codec can read (encrypted, protobuf, raw bytes)
 * is `{ payload: { metadata, data } }` with its data in base64, and is sent again as it came.
 */
import { base64 } from '../base/base64.ts';

// A byte order mark is part of the text, which then is not JSON.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** One value of a caller, encoded. */
export interface PayloadMessage {
  readonly metadata?: Readonly<Record<string, Uint8Array>> | null | undefined;
  readonly data?: Uint8Array | null | undefined;
}

/** A payload that is kept as it is. */
interface OpaquePayload {
  readonly payload: { readonly metadata: Readonly<Record<string, string>>; readonly data: string };
}

export interface ReadValue {
  readonly value: unknown;
  /** False for a payload that only the client's codec can decode. */
  readonly isPlain: boolean;
}

export function payloadValue({ metadata, data }: PayloadMessage): ReadValue {
  const bytes = data ?? new Uint8Array();
  const texts = Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, text]) => [name, utf8.decode(text)]),
  );
  const { encoding } = texts;
  if (encoding === 'binary/null') return { value: null, isPlain: true };
  try {
    if (encoding === 'json/plain') return { value: JSON.parse(utf8.decode(bytes)), isPlain: true };
  } catch {
    // It says that it is JSON and is not: kept as it is.
  }
  const value: OpaquePayload = { payload: { metadata: texts, data: base64(bytes) } };
  return { value, isPlain: false };
}

export function payloadOf(value: unknown): PayloadMessage {
  if (isOpaque(value)) {
    const { metadata, data } = value.payload;
    return {
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)])),
      data: Buffer.from(data, 'base64'),
    };
  }
  return {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(JSON.stringify(value ?? null)),
  };
}

function isOpaque(value: unknown): value is OpaquePayload {
  const { metadata, data } = (value as { readonly payload?: Partial<OpaquePayload['payload']> } | null)
    ?.payload ?? { metadata: undefined };
  if (typeof metadata !== 'object' || metadata === null || typeof data !== 'string') return false;
  return Object.values(metadata).every((text) => typeof text === 'string');
}
