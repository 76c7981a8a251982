/**
 * Payloads as handlers see them. Clients encode arguments. Readable payloads become plain data; others (encrypted,
 * protobuf, raw bytes) reach the handler unchanged, which may be able to decode them.
 */
import { isDeeperJson } from 'carillon/internal/base';
import type { Payload } from './protocol.ts';

/** A payload that the server cannot decode. */
export interface OpaquePayload {
  readonly payload: {
    readonly metadata: Readonly<Record<string, string>>;
    /** Base64. */
    readonly data: string;
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** One argument becomes its value, several become a list, none becomes null. */
export function readArguments(payloads: readonly Payload[] | null | undefined): unknown {
  const values = (payloads ?? []).map(readPayload);
  return values.length > 1 ? values : (values[0] ?? null);
}

/** Levels of nesting beyond which a payload stays encoded. */
const deepestPayload = 200;

export function readPayloads(
  fields: Readonly<Record<string, Payload>> | null | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, payload]) => [name, readPayload(payload)]),
  );
}

export function readPayload(payload: Payload): unknown {
  const encoding = textOf(payload.metadata?.encoding);
  if (encoding === 'binary/null') return null;
  if (encoding !== 'json/plain') return opaque(payload);
  try {
    const text = utf8.decode(payload.data ?? new Uint8Array());
    // Code that processes the value later recurses once per level.
    return isDeeperJson(text, deepestPayload) ? opaque(payload) : (JSON.parse(text) as unknown);
  } catch {
    return opaque(payload);
  }
}

function opaque({ metadata, data }: Payload): OpaquePayload {
  return {
    payload: {
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, bytes]) => [name, textOf(bytes)]),
      ),
      data: Buffer.from(data ?? new Uint8Array()).toString('base64'),
    },
  };
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? new Uint8Array()).toString('utf8');
}

/** Encodes plain data as clients expect it; an opaque payload is returned unchanged. */
export function payloadOf(value: unknown): Payload {
  if (value === null || value === undefined) return { metadata: { encoding: Buffer.from('binary/null') } };
  if (isOpaque(value)) {
    const { metadata, data } = value.payload;
    return {
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, Buffer.from(text)])),
      data: Buffer.from(data, 'base64'),
    };
  }
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}

function isOpaque(value: unknown): value is OpaquePayload {
  const inner = (value as { readonly payload?: unknown }).payload as Partial<OpaquePayload['payload']> | null;
  return (
    typeof inner === 'object' &&
    inner !== null &&
    typeof inner.data === 'string' &&
    typeof inner.metadata === 'object' &&
    inner.metadata !== null &&
    Object.values(inner.metadata).every((text) => typeof text === 'string')
  );
}
