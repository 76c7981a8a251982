/**
 * What a remote procedure of this door is: a function of the decoded request and of who calls. The transport around it
 * (framing, deadlines, errors, admission) is in one place, so a family of procedures is a plain table by name.
 */

import type { Identity } from '../access.ts';

/** The part of the request's metadata a procedure may look at. */
export interface CallMetadata {
  /** The first value of a metadata entry as text, or undefined. */
  get(name: string): string | undefined;
}

export interface Call {
  readonly identity: Identity;
  /** The request as it came, for procedures that keep what they do not understand. */
  readonly body: Uint8Array;
  /** Aborts when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  readonly metadata: CallMetadata;
}

/**
 * `request` is the message object protobufjs made of the bytes: absent messages read null, numbers of 64 bits are Long
 * objects. The answer may be a plain object in the shape of the response type.
 */
// biome-ignore lint/suspicious/noExplicitAny: each procedure knows the message type behind its own name
export type Method = (request: any, call: Call) => Promise<object>;

/** By name of the remote procedure, for example `DescribeNamespace`. */
export type Methods = Readonly<Record<string, Method>>;
