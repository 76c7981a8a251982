/** One operation on workflows, tasks or definitions as data: method and path, the role it requires, and what it does. */
import type { Caller, Services } from 'carillon/internal/service';
import type { Flows } from '../../../flow/flow-archetype.ts';
import type { Role } from '../../access.ts';
import type { QueryParameters } from '../query-parameter.ts';
import type { PollRecords } from './poll-records.ts';

export interface FlowCall {
  readonly flows: Flows;
  readonly services: Services;
  readonly namespace: string;
  /** The segments of the path that the operation binds. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  /** Reads the body as JSON; throws when there is none. */
  readonly body: () => unknown;
  /** The body as it was sent; empty when there is none. */
  readonly text: string;
  readonly caller: Caller;
  readonly polls: PollRecords;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborts when the server stops. */
  readonly leaving: AbortSignal;
}

export type FlowAnswer =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'text'; readonly body: string }
  /** 200 without a body. */
  | { readonly kind: 'empty' }
  /** 204. */
  | { readonly kind: 'none' };

export interface FlowOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`; `{x}` binds one segment. */
  readonly path: string;
  readonly role: Role;
  readonly handle: (call: FlowCall) => Promise<FlowAnswer>;
}

export const empty: FlowAnswer = { kind: 'empty' };
export const none: FlowAnswer = { kind: 'none' };

export function json(body: unknown): FlowAnswer {
  return { kind: 'json', body };
}

export function text(body: string): FlowAnswer {
  return { kind: 'text', body };
}
