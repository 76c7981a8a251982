/** One operation of this door as data: methods and path, the role it requires, and what it does. */
import type { Caller, Services } from 'carillon/internal/service';
import type { Role } from '../access.ts';
import type { QueryParameters } from './query-parameter.ts';
import type { SchedulerSettings } from './settings.ts';

export interface Call {
  readonly services: Services;
  readonly namespace: string;
  readonly settings: SchedulerSettings;
  readonly name: string;
  readonly query: QueryParameters;
  /** Reads the body as JSON; throws when there is none. */
  readonly body: () => unknown;
  readonly caller: Caller;
}

export interface Operation {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[];
  /** The path under the door's prefix; `{name}` binds one segment. */
  readonly path: string;
  readonly role: Role;
  /** Set when the operation changes something. Its HTTP method does not say so. */
  readonly changes?: true;
  /** Resolves with the JSON of the answer; undefined is an empty answer. */
  readonly handle: (call: Call) => Promise<unknown>;
}
