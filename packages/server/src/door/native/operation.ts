/**
 * One operation of the REST door as data: how it is reached, what it takes, what it answers, who may ask. The router, the
 * OpenAPI document and the page for people are all readings of the same list.
 */

import type { Caller, RunWatch, Services } from 'carillon/internal/service';
import type { z } from 'zod';
import type { Role } from '../access.ts';

/** Preconditions of HTTP in terms of the conflict token. */
export interface Precondition {
  /** `If-Match: "7"`; `any` for `*`. */
  readonly match?: number | 'any';
  /** `If-None-Match: *`. */
  readonly isNew?: true;
}

export interface Call<Query, Body> {
  readonly services: Services;
  readonly namespace: string;
  /** Decoded segments of the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly precondition: Precondition;
  /** Waits for runs; every wait ends when the server stops. */
  readonly watch: RunWatch;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Answer {
  /** Default: that of the operation. */
  readonly status?: number;
  /** Absent: no content. */
  readonly body?: unknown;
  /** Conflict token; sent as the ETag. */
  readonly token?: number;
  readonly location?: string;
}

/** A shape, and the way from what was sent to what the operation takes. */
export interface Reader<T> {
  readonly schema: z.ZodType;
  read(sent: unknown): T;
}

export interface OperationOf<Query, Body> {
  /** Stable name, in the OpenAPI document and in logs. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments; `{name}` binds one. Without the prefix and the namespace. */
  readonly path: string;
  /** Written after the last segment: `/schedules/nightly:pause`. */
  readonly verb?: string;
  readonly summary: string;
  readonly role: Role;
  readonly query?: Reader<Query>;
  readonly body?: Reader<Body>;
  /**
   * Whether it heeds If-Match and If-None-Match (true), or If-Match alone, as the conflict token of its caller. Others
   * refuse them rather than ignore a wish.
   */
  readonly isConditional?: true | 'match';
  /** Of success. */
  readonly status: number;
  /** When the same call may also make something new. */
  readonly statusWhenCreated?: number;
  readonly response?: z.ZodType;
  readonly handle: (call: Call<Query, Body>) => Promise<Answer>;
}

export type Operation = OperationOf<unknown, unknown>;

/** Checks the types of one operation and forgets them, so that all fit into one list. */
export function defineOperation<Query = undefined, Body = undefined>(
  operation: OperationOf<Query, Body>,
): Operation {
  // The dispatcher hands each operation only what its own readers returned.
  return operation as unknown as Operation;
}
