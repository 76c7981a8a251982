/**
 * A remote procedure of this door: a function of the decoded request and the call. The transport (framing, deadlines, errors,
 * admission) is separate, so that a group of procedures is a plain table by name.
 */

import type { Identity } from '../access.ts';

/** The part of the request's metadata that a procedure may read. */
export interface CallMetadata {
  /** The first value of a metadata entry as text, or undefined. */
  get(name: string): string | undefined;
}

export interface Call {
  readonly identity: Identity;
  /** The encoded request, for procedures that store unknown fields unchanged. */
  readonly body: Uint8Array;
  /** Aborts when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds until the caller's deadline; infinite without one. */
  readonly remainingMs: number;
  readonly metadata: CallMetadata;
}

/**
 * `request` is the message object that protobufjs decoded: absent messages are null, 64-bit numbers are Long objects. The
 * answer may be a plain object in the shape of the response type.
 */
// biome-ignore lint/suspicious/noExplicitAny: each procedure knows the message type behind its own name
export type Method = (request: any, call: Call) => Promise<object>;

/** Procedures by name, for example `DescribeNamespace`. */
export type Methods = Readonly<Record<string, Method>>;
