/** Typed views of a component of an execution: read-only views cannot write, by type and at run time. */
import type { Instant } from '../base/time.ts';
import type { AuditRow, ExecutionKey, RunRow, SlotRow } from '../store/records.ts';
import type { AnyComponent, ChildAt, FactOf, NamesOf, State } from './component.ts';
import type { Events } from './events.ts';
import type { NameHolder } from './run-names.ts';
import type { Setting } from './setting.ts';
import type { TaskName } from './task.ts';
import type { WorkShare } from './work.ts';

/** A durable address: it names the execution's incarnation and the version that created the component, so that a late answer
 *   cannot reach another component that was created later under the same path. */
export interface ComponentRef {
  readonly key: ExecutionKey;
  readonly incarnation: string;
  readonly path: string;
  /** Execution version that created the component. */
  readonly born: number;
}

export interface ReadNode<C extends AnyComponent> {
  readonly path: string;
  readonly state: State<C>;
  /** The only time of this transaction. */
  readonly now: Instant;
  readonly key: ExecutionKey;
  readonly incarnation: string;
  /** Version of the execution that was loaded; 0 while it is being created. */
  readonly version: number;
  readonly ref: ComponentRef;
  child<K extends NamesOf<C, 'one'>>(name: K): ReadNode<ChildAt<C, K>>;
  /** The children in order of creation. */
  children<K extends NamesOf<C, 'many'>>(name: K): ReadonlyMap<string, ReadNode<ChildAt<C, K>>>;
  /** The nearest ancestor of this kind. */
  ancestor<A extends AnyComponent>(component: A): ReadNode<A>;
  /** What the operator of this process set. */
  setting<T>(setting: Setting<T>): T;
}

export interface MutableNode<C extends AnyComponent> extends ReadNode<C> {
  /** This execution's share of the transaction's work, to be counted down by decisions that search. */
  readonly work: WorkShare;
  set(state: State<C>): void;
  child<K extends NamesOf<C, 'one'>>(name: K): MutableNode<ChildAt<C, K>>;
  children<K extends NamesOf<C, 'many'>>(name: K): ReadonlyMap<string, MutableNode<ChildAt<C, K>>>;
  ancestor<A extends AnyComponent>(component: A): MutableNode<A>;
  /** Creates the single child of that name. */
  create<K extends NamesOf<C, 'one'>>(name: K, state: State<ChildAt<C, K>>): MutableNode<ChildAt<C, K>>;
  add<K extends NamesOf<C, 'many'>>(
    name: K,
    id: string,
    state: State<ChildAt<C, K>>,
  ): MutableNode<ChildAt<C, K>>;
  /** Removes the child and everything below it, including their pending tasks. */
  remove<K extends NamesOf<C, 'many'>>(name: K, id: string): void;
  /** Runs inline before the commit when `at` is absent or has come, otherwise at `at`. */
  schedule<P>(task: TaskName<C, P>, payload: NoInfer<P>, at?: Instant): void;
  recordSlot(slot: Omit<SlotRow, 'incarnation'>): void;
  startRun(run: RunRow): void;
  /** The events of this execution; to be written, its state must change with them. */
  readonly events: Events;
  /**
   * The run that has an id, as far as this decision knows. A decision assumes that an id is free; it is made again when
   * the store finds that it is not.
   */
  runUnder(id: string): NameHolder | undefined;
  /** The unfinished run that has an exclusive alias in this namespace, as far as this decision knows. */
  runUnderAlias(alias: string): NameHolder | undefined;
  audit(entry: Omit<AuditRow, 'at'>): void;
  /** Reports a fact to the observer once the transaction is durable. */
  report(fact: FactOf<C>): void;
}
