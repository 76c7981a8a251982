/** `run`: the name of a handler in the user's program. */
import { z } from 'zod';
import { field } from '../base/fields.ts';
import type { StandardSchema } from '../base/standard-schema.ts';
import type { ActionKind } from './action-kind.ts';

/** The queue of runs without a `queue`. */
export const defaultQueue = 'default';

/** A handler as `handle` returns it, with its queue, the type of input that callers give, and the type of its result. */
export interface HandlerRef<Input = unknown, Result = unknown> {
  readonly name: string;
  readonly queue: string;
  /** Checks inputs before they are queued; from `defineHandler`. */
  readonly inputSchema?: StandardSchema<Input, unknown>;
  readonly inputType?: Input;
  readonly resultType?: Result;
}

export const queueFix = "write a name of 1 to 1000 characters that does not begin with '@'";
export const queueShape = z.string().min(1).max(1000).regex(/^[^@]/, "queues beginning with '@' are ours");
const handlerName = z.string().min(1).max(1000);
const shape = z.union([handlerName, z.object({ name: handlerName, queue: queueShape })]);

export const runKind: ActionKind<'run', string> = {
  kind: 'run',
  // An embedded caller may pass the handler itself; `TypedSchedule` types its input.
  schema: field(shape, 'write the name of a handler, or what handle() returned'),
  problems: () => [],
  store: (handler: string | HandlerRef, { input = null, queue }) => {
    const ref = typeof handler === 'string' ? { name: handler, queue: defaultQueue } : handler;
    return { name: ref.name, queue: queue ?? ref.queue, input };
  },
  write: ({ name, queue, input }) => ({ run: name, queue, input }),
  summary: ({ name, queue }) => `${name} on the queue ${queue}`,
  isTimed: () => false,
  commandLine: {
    choosing: [{ flags: '--run <handler>', description: 'a handler of your program' }],
    further: [],
    read: ({ run }) => run,
  },
};
