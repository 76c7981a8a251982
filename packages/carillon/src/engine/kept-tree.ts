/**
 * Trees kept between transactions. Reading a tree from its row costs more than most decisions over it, and the next
 * transaction over an execution is usually made by the process that made the last one. So a committed tree is kept, good for
 * the very text that was written and no other.
 *
 * States of a tree in this file:
 * - *kept*: entered by `keep`, after its commit is durable and only if no code outside the transaction can hold a piece of it
 *     (`Tree.exposed`). It is idle: it has no transaction, no row and no part reader, and reading it is an error. Left by `take`, or
 *     dropped with the bundle of cached parts that contains it.
 * - *taken*: entered by `take`, when a transaction that isolates its trees selects a row with that very text. It belongs to that
 *     transaction alone. Left to *resumed* when the decision opens it, or dropped with the transaction.
 * - *resumed*: part of a decision. Left to *kept* by the commit; a refused or repeated decision drops it and reads the row.
 *
 * Invariants: a tree is handed out once; the text decides and not the version, because a store that lost its last commits (a
 * failover, a restored backup) writes the same version again with another text; after any error the row is read.
 *
 * Benchmark: bench/fire-cpu.mjs; without kept trees a fire costs 11 to 15 % more.
 */
import type { Tree } from './tree.ts';

/** Holds the kept tree of one execution. */
export class KeptTree {
  #kept: { readonly state: string; readonly tree: Tree } | undefined;

  keep(state: string, tree: Tree): void {
    tree.release();
    this.#kept = { state, tree };
  }

  take(state: string): Tree | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept?.state === state ? kept.tree : undefined;
  }
}

/** The trees one transaction has taken, by incarnation. */
export class TakenTrees {
  readonly #trees = new Map<string, Tree>();

  add(incarnation: string, tree: Tree): void {
    this.#trees.set(incarnation, tree);
  }

  /** Undefined when the row must be read: no tree was taken, or an earlier decision has resumed it. */
  get(incarnation: string): Tree | undefined {
    const tree = this.#trees.get(incarnation);
    return tree?.isIdle ? tree : undefined;
  }
}
