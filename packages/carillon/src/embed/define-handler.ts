/** Handlers with schemas: their input is checked when it is queued and when it runs, their result before it is stored. */
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { StandardSchema } from '../base/standard-schema.ts';
import { checkWith } from '../base/standard-schema.ts';
import type { RunContext } from '../runs/context.ts';
import { failureTypes, NonRetryable } from '../runs/failure.ts';
import type { HandlerRef } from '../service/action-input.ts';
import { defaultQueue } from '../service/action-input.ts';
import type { HandleOptions, HandlerSettings } from './handlers.ts';

export interface HandlerOptions<Input, Result, Given = Input> extends HandleOptions {
  readonly name: string;
  /**
   * The schema of the input, of any library with the Standard Schema interface. Callers give what it accepts (`Given`, stored as JSON),
   * the handler gets what it makes of it (`Input`), with defaults filled in for example. Default: not checked.
   */
  readonly input?: StandardSchema<Given, Input>;
  /** The schema of the result. Default: not checked. */
  readonly result?: StandardSchema<unknown, Result>;
  readonly run: (context: RunContext<Input, Result>) => Result | Promise<Result>;
}

/** A handler that `carillon.handle` registers, and that schedules and `runs.enqueue` accept as `run`. */
export interface HandlerDefinition<Input = unknown, Result = unknown>
  extends HandlerRef<Input, Result>,
    HandlerSettings {
  readonly handler: (context: RunContext<never, Result>) => Promise<Result>;
}

/** Gives a handler a name, and checks for its input and its result. */
export function defineHandler<Input = unknown, Result = unknown, Given = Input>(
  options: HandlerOptions<Input, Result, Given>,
): HandlerDefinition<Given, Result> {
  const { name, queue = defaultQueue, concurrency, backoff, input, result, run } = options;
  return {
    name,
    queue,
    ...given({ inputSchema: input, concurrency, backoff }),
    handler: async (context) => {
      const checked = input === undefined ? context : await withInput(context, input);
      const value = await run(checked);
      return result === undefined ? value : await checkedResult(value, result);
    },
  };
}

/** Refuses an input that the handler's schema does not accept, with its place under `input`. */
export async function demandInput(run: unknown, input: unknown): Promise<void> {
  const schema = (run as HandlerRef | null | undefined)?.inputSchema;
  if (schema === undefined) return;
  const { problems } = await checkWith(schema, input);
  if (problems === undefined) return;
  throw ServiceError.invalid(
    problems.map(({ path, message }) => ({
      path: path === '' ? 'input' : `input.${path}`,
      reason: 'BAD_INPUT',
      message,
    })),
  );
}

async function withInput<Input, Result>(
  context: RunContext<Input, Result>,
  schema: StandardSchema<unknown, Input>,
): Promise<RunContext<Input, Result>> {
  const { value, problems } = { problems: undefined, ...(await checkWith(schema, context.input)) } as {
    readonly value?: Input;
    readonly problems?: readonly { readonly path: string; readonly message: string }[];
  };
  if (problems !== undefined) throw refused('BadInput', 'the input', problems);
  // The context itself stays as it is; only `input` is what the schema made of it.
  return new Proxy(context, {
    get: (target, field) => (field === 'input' ? value : Reflect.get(target, field, target)),
  });
}

async function checkedResult<Result>(
  value: Result,
  schema: StandardSchema<unknown, Result>,
): Promise<Result> {
  const checked = await checkWith(schema, value);
  if (checked.problems !== undefined) throw refused(failureTypes.badResult, 'the result', checked.problems);
  return checked.value;
}

/** Another attempt would meet the same schema. */
function refused(
  type: string,
  what: string,
  problems: readonly { readonly path: string; readonly message: string }[],
): NonRetryable {
  const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return Object.assign(new NonRetryable(`${what} is not as its schema says: ${texts.join('; ')}`), {
    name: type,
  });
}
