/**
 * The type of `input` follows from `run`. There is one signature and no overloads, because the compiler reports a call that
 * no overload accepts at the whole call or at `run`; so it reports a wrong input where it was written. `test/tarball` compiles
 * wrong programs and compares the places of their errors.
 */
import type { Plain, PlainData } from '../base/plain-data.ts';
import type { HandlerRef } from '../service/action-input.ts';

/** The name of a handler, or a handler from `handle` or `defineHandler`. */
export type Runnable = string | Pick<HandlerRef, 'name' | 'queue'>;

/** The `input` beside a `run`. `Data` is what was given for a name, or for a handler that accepts anything. */
export type InputFor<Run, Data> = [Run] extends [HandlerRef<infer Input>]
  ? TypedInput<Input, Data>
  : { readonly input?: Plain<Data> };

/** `input` is required unless the handler accepts undefined. */
export type TypedInput<Input, Data> = unknown extends Input
  ? { readonly input?: Plain<Data> }
  : undefined extends Input
    ? { readonly input?: NoInfer<PlainData<Input>> }
    : { readonly input: NoInfer<PlainData<Input>> };

/** The type of the result of a handler; unknown for a name. */
export type ResultOf<Run> = [Run] extends [HandlerRef<unknown, infer Result>] ? Result : unknown;
