/**
 * What an execution is made of. A component owns plain readonly state and may have children: exactly one under a
 * name (`one`) or any number under ids (`many`). Behaviour is functions over nodes, never methods in here.
 *
 * Names are persisted; renaming one is a migration. `version` counts the shapes of the state; `upgrade` turns any
 * older shape into today's and is proved by golden files.
 */
import type { Attributes } from '../store/records.ts';
import { NewerVersion } from './newer-version.ts';
import type { ReadNode } from './node.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: unknown };

/** Where the state is stored: `hot` in the row that every step rewrites, `cold` in a part of its own. */
export type Storage = 'hot' | 'cold';

declare const stateType: unique symbol;

/** Carries a state type through a definition without a value. */
export interface StateOf<State> {
  readonly [stateType]?: State;
}

export function stateOf<State>(): StateOf<State> {
  return {};
}

/** A structured observation. Facts are reported with the commit; one observer per concern turns them into metrics and logs. */
export interface Fact {
  readonly type: string;
}

declare const factType: unique symbol;

/** Carries the union of the facts a component reports through its definition, without a value. */
export interface FactsOf<F extends Fact> {
  readonly [factType]?: F;
}

export function factsOf<F extends Fact>(): FactsOf<F> {
  return {};
}

export interface ChildSlot<C extends AnyComponent = AnyComponent> {
  readonly kind: 'one' | 'many';
  readonly component: C;
}

export function one<C extends AnyComponent>(component: C): { readonly kind: 'one'; readonly component: C } {
  return { kind: 'one', component };
}

export function many<C extends AnyComponent>(component: C): { readonly kind: 'many'; readonly component: C } {
  return { kind: 'many', component };
}

export type ChildMap = Readonly<Record<string, ChildSlot>>;

export interface Component<State, Children extends ChildMap, Facts extends Fact = never> {
  readonly name: string;
  readonly version: number;
  readonly state: StateOf<State>;
  /** The facts its nodes may report; by default none. */
  readonly facts: FactsOf<Facts>;
  readonly storage: Storage;
  /** Cold only: earlier stamps stay readable as history instead of being dropped. */
  readonly keepHistory: boolean;
  readonly children: Children;
  /** Closed components freeze: they and all below them take no tasks and no changes. */
  readonly isOpen: (state: State) => boolean;
  /** Turns the stored (packed) shape of version `from` into today's state. */
  readonly upgrade: (stored: unknown, from: number) => State;
  /** How the state is written. Every fire writes hot rows, so their form should be small. */
  readonly packing: Packing<State>;
}

/**
 * A compact JSON form of a state, and its inverse: unpacking must restore every field of the packed state. The form is
 * persisted: changing it is a new version.
 */
export interface Packing<State> {
  pack(state: State): unknown;
  unpack(packed: unknown): State;
}

// biome-ignore lint/suspicious/noExplicitAny: a definition is invariant in its state; only `any` admits them all
export type AnyComponent = Component<any, any, any>;

export type State<C> = C extends Component<infer S, ChildMap, Fact> ? S : never;
export type FactOf<C extends AnyComponent> = NonNullable<C['facts'][typeof factType]>;
export type Children<C> =
  C extends Component<unknown, infer M, Fact> ? M : C extends AnyComponent ? C['children'] : never;
export type NamesOf<C, Kind extends 'one' | 'many'> = {
  [K in keyof Children<C> & string]: Children<C>[K] extends { readonly kind: Kind } ? K : never;
}[keyof Children<C> & string];
export type ChildAt<C, K extends keyof Children<C>> = Children<C>[K] extends {
  readonly component: infer D extends AnyComponent;
}
  ? D
  : never;

export interface ComponentFields<S, M extends ChildMap, F extends Fact> {
  readonly name: string;
  readonly version?: number;
  readonly state: StateOf<S>;
  readonly facts?: FactsOf<F>;
  readonly storage?: Storage;
  readonly keepHistory?: boolean;
  readonly children?: M;
  readonly isOpen?: (state: S) => boolean;
  readonly upgrade?: (stored: unknown, from: number) => S;
  /** Default: the state itself. */
  readonly packing?: Packing<S>;
}

export function packedText({ packing }: AnyComponent, state: unknown): string {
  return JSON.stringify(packing.pack(state)) ?? 'null';
}

/** The state that was stored in the form of version `from`. */
export function readState<C extends AnyComponent>(component: C, stored: unknown, from: number): State<C> {
  const { name, version, packing, upgrade } = component;
  if (from === version) return packing.unpack(stored);
  if (from > version) {
    throw new NewerVersion(
      `${name} was stored as version ${from}, this code knows ${version}; run the newer code`,
    );
  }
  return upgrade(stored, from);
}

/** Writes any state unchanged. */
export const asIs: Packing<unknown> = {
  pack: (state: unknown) => state,
  unpack: (packed: unknown) => packed,
};

// biome-ignore lint/complexity/noBannedTypes: "no children" is exactly the empty object type
export function defineComponent<S, M extends ChildMap = {}, F extends Fact = never>(
  fields: ComponentFields<S, M, F>,
): Component<S, M, F> {
  return {
    name: fields.name,
    version: fields.version ?? 1,
    state: fields.state,
    facts: fields.facts ?? {},
    storage: fields.storage ?? 'hot',
    keepHistory: fields.keepHistory ?? false,
    children: fields.children ?? ({} as M),
    isOpen: fields.isOpen ?? (() => true),
    packing: fields.packing ?? (asIs as Packing<S>),
    upgrade:
      fields.upgrade ??
      ((_, from) => {
        throw new Error(`component ${fields.name} has no upgrade from version ${from}`);
      }),
  };
}

/** What an execution can be found by, computed from its tree at commit. */
export interface Visibility<C extends AnyComponent> {
  /** May depend on cold components only: recomputed when one of `sources` was written. */
  attributes(root: ReadNode<C>): Attributes;
  /**
   * The cold components that `attributes` reads; by default all of them. Naming them keeps a part that changes with every run
   * (a last result) from writing the same attributes again.
   */
  readonly sources?: readonly AnyComponent[];
  /** Numbers that move with hot state; recomputed at every commit. */
  signals(root: ReadNode<C>): Readonly<Record<string, number>>;
}
