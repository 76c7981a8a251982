/**
 * The two kinds of task, distinguished by whether their functions are async.
 *
 * A *pure task* runs synchronously inside a transaction: its `execute` must return `undefined`, so an async function
 * does not compile. It is removed when it runs. A *side-effect task* runs after the commit, outside any transaction,
 * under a lease written in the document; when the lease lapses any node may run it again (attempt + 1), so it must be
 * idempotent. It reports back through `complete`, which is applied only while its lease still holds.
 *
 * Every task has a validator. A stale task is dropped when the execution is next decided, so no task is ever cancelled.
 */
import type { Duration, Instant } from '../base/time.ts';
import type { AnyComponent } from './component.ts';
import type { ComponentRef, MutableNode, ReadNode } from './node.ts';

/** At most one pending task of this kind per component: the newer replaces the older, or the older stays. */
export type Singleton = 'replace' | 'keep';

declare const payloadType: unique symbol;

/**
 * The declaration that is needed to request a task. Transitions know tasks by name; the body is in the library, so a task whose
 * body needs the outside world is built by a factory, and no other code changes.
 */
export interface TaskName<C extends AnyComponent, P> {
  /** The persisted name. */
  readonly name: string;
  readonly component: C;
  readonly [payloadType]?: P;
}

export function taskName<C extends AnyComponent, P = null>(component: C, name: string): TaskName<C, P> {
  return { name, component };
}

export interface PureTask<C extends AnyComponent, P> extends TaskName<C, P> {
  readonly kind: 'pure';
  readonly singleton?: Singleton;
  validate(node: ReadNode<C>, payload: P, due: Instant): boolean;
  execute(node: MutableNode<C>, payload: P, due: Instant): undefined;
}

export interface Effect<P, Prepared> {
  readonly ref: ComponentRef;
  readonly payload: P;
  readonly prepared: Prepared;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Aborts when the engine stops or the lease has lapsed. */
  readonly signal: AbortSignal;
}

/** How often a side-effect task is tried, and the pauses between the attempts: they double from `initial` to `longest`. */
export interface TaskRetry {
  readonly attempts: number;
  readonly initial: Duration;
  readonly longest: Duration;
}

// biome-ignore lint/suspicious/noExplicitAny: result and preparation are private to the task that defines them
export interface SideEffectTask<C extends AnyComponent, P, Prepared = any, Result = any>
  extends TaskName<C, P> {
  readonly kind: 'sideEffect';
  readonly singleton?: Singleton;
  /** How long one try may take before another node may try. */
  readonly lease: Duration;
  readonly retry: TaskRetry;
  validate(node: ReadNode<C>, payload: P, due: Instant): boolean;
  /** Collects, inside the transaction, the argument of `execute`. */
  prepare(node: ReadNode<C>, payload: P): Prepared;
  execute(effect: Effect<P, Prepared>): Promise<Result>;
  complete(node: MutableNode<C>, payload: P, result: Result): undefined;
  /** Called when the last try failed; the task is removed afterwards. */
  exhausted(node: MutableNode<C>, payload: P, error: unknown): undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of tasks holds every payload type
export type AnyTask = PureTask<any, any> | SideEffectTask<any, any>;

export type Omitted<T> = Omit<T, 'kind'>;

export function pureTask<C extends AnyComponent, P>(task: Omitted<PureTask<C, P>>): PureTask<C, P> {
  return { kind: 'pure', ...task };
}

export function sideEffectTask<C extends AnyComponent, P, Prepared, Result>(
  task: Omitted<SideEffectTask<C, P, Prepared, Result>>,
): SideEffectTask<C, P, Prepared, Result> {
  return { kind: 'sideEffect', ...task };
}
