/**
 * One operation of the REST door as data: method and path, input, answer, and the role it requires. The router, the OpenAPI
 * document and the API reference are all derived from the same list.
 */

import type { Caller, RunWatch, Services } from 'carillon/internal/service';
import type { z } from 'zod';
import type { Identity, Role } from '../access.ts';
import type { ServerPort } from '../server-port.ts';

/** HTTP preconditions in terms of the conflict token. */
export interface Precondition {
  /** `If-Match: "7"`; `any` for `*`. */
  readonly match?: number | 'any';
  /** `If-None-Match: *`. */
  readonly isNew?: true;
}

export interface Call<Query, Body> {
  readonly services: Services;
  readonly namespace: string;
  /** Decoded path parameters by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  /** Who calls, with what role, for which namespaces. */
  readonly identity: Identity;
  /** The server around this door. */
  readonly server: ServerPort;
  readonly precondition: Precondition;
  /** Waits for runs to end; every wait ends when the server stops. */
  readonly watch: RunWatch;
  /** Aborts when the server stops: long polls then end. */
  readonly leaving: AbortSignal;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface OperationAnswer {
  /** Default: the operation's status. */
  readonly status?: number;
  /** Absent when the answer has no content. */
  readonly body?: unknown;
  /** The conflict token, sent as the ETag. */
  readonly token?: number;
  readonly location?: string;
}

/** A schema, and the function that turns what was sent into the operation's input. */
export interface Reader<T> {
  readonly schema: z.ZodType;
  read(sent: unknown): T;
}

export interface OperationOf<Query, Body> {
  /** Stable name in the OpenAPI document and in logs. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after prefix and namespace; `{name}` binds one segment. */
  readonly path: string;
  /** The verb after the last segment: `/schedules/nightly:pause`. */
  readonly verb?: string;
  readonly summary: string;
  readonly role: Role;
  readonly query?: Reader<Query>;
  readonly body?: Reader<Body>;
  /**
   * Whether the operation supports If-Match and If-None-Match (true) or If-Match only, as the caller's conflict token. Other
   * operations refuse these headers rather than ignore them.
   */
  readonly isConditional?: true | 'match';
  /** HTTP status of success. */
  readonly status: number;
  /** HTTP status when the call created something, for calls that create or replace. */
  readonly statusWhenCreated?: number;
  readonly response?: z.ZodType;
  /** The dry run of the operation, for `dryRun=true`. Absent when the operation has none. */
  readonly rehearsal?: {
    readonly response: z.ZodType;
    rehearse(
      call: Call<Query, Body>,
      handle: (call: Call<Query, Body>) => Promise<OperationAnswer>,
      withTrial: boolean,
    ): Promise<unknown>;
  };
  readonly handle: (call: Call<Query, Body>) => Promise<OperationAnswer>;
}

export type Operation = OperationOf<unknown, unknown>;

/** Checks the types of one operation and erases them, so that all operations fit into one list. */
export function defineOperation<Query = undefined, Body = undefined>(
  operation: OperationOf<Query, Body>,
): Operation {
  // The cast is safe: the dispatcher passes each operation only what its own readers returned.
  return operation as unknown as Operation;
}
