/**
 * One execution in memory for the length of one transaction: its nodes, its pending tasks, and everything the
 * transaction wants written. Nothing is shared with another transaction and nothing is mutated in place, so rolling
 * back is forgetting the tree.
 */
import { assert, InvariantViolation } from '../base/assert.ts';
import type { Instant } from '../base/time.ts';
import type {
  AuditRow,
  EventRow,
  ExecutionKey,
  ExecutionRow,
  PartRef,
  RunRow,
  SlotRow,
} from '../store/records.ts';
import type { PendingTask, StoredDocument, StoredNode } from './document.ts';
import { readTask } from './document.ts';
import type { Library } from './library.ts';
import type { Fact } from './node.ts';
import { parentPath, partName } from './path.ts';
import type { AnyTask } from './task.ts';
import { TreeNode } from './tree-node.ts';

/** Reads the state of a cold part; the same ref always gives the same value. */
export type PartReader = (ref: PartRef) => unknown;

/** Rows a transaction adds besides the execution itself. */
export interface Emissions {
  readonly slots: SlotRow[];
  readonly runs: RunRow[];
  readonly events: EventRow[];
  readonly audit: AuditRow[];
  readonly facts: Fact[];
}

export interface TreeOrigin {
  readonly library: Library;
  readonly key: ExecutionKey;
  readonly incarnation: string;
  readonly now: Instant;
  readonly readPart: PartReader;
  readonly mutable: boolean;
}

export class Tree {
  readonly library: Library;
  readonly key: ExecutionKey;
  readonly incarnation: string;
  readonly now: Instant;
  readonly readPart: PartReader;
  readonly mutable: boolean;
  /** The row this tree was read from; undefined while the execution is being created. */
  readonly row: ExecutionRow | undefined;
  readonly nodes = new Map<string, TreeNode>();
  /** Some row besides the execution itself is to be written. */
  emits = false;
  readonly emitted: Emissions = { slots: [], runs: [], events: [], audit: [], facts: [] };
  tasks: PendingTask[] = [];
  /** Due pure tasks waiting for their turn in this very transaction, in order. */
  readonly inline: PendingTask[] = [];
  nextTaskId = 1;
  requestStamp: number | undefined;
  /** Stored parts of components that this transaction removed. */
  readonly orphans: PartRef[] = [];
  /** Something other than a node's state changed: a task, a child, a request id. */
  touched = false;

  private constructor(origin: TreeOrigin, row: ExecutionRow | undefined) {
    this.library = origin.library;
    this.key = origin.key;
    this.incarnation = origin.incarnation;
    this.now = origin.now;
    this.readPart = origin.readPart;
    this.mutable = origin.mutable;
    this.row = row;
  }

  static open(origin: TreeOrigin, row: ExecutionRow, document: StoredDocument): Tree {
    const tree = new Tree(origin, row);
    for (const path in document.c) {
      const stored = document.c[path] as StoredNode;
      tree.nodes.set(path, TreeNode.stored(tree, path, origin.library.componentAt(path), stored));
    }
    tree.tasks = document.t.map(readTask);
    tree.nextTaskId = document.n;
    tree.requestStamp = document.r;
    return tree;
  }

  static create(origin: TreeOrigin, rootState: unknown): Tree {
    const tree = new Tree(origin, undefined);
    tree.nodes.set('', TreeNode.created(tree, '', origin.library.root, rootState));
    return tree;
  }

  get root(): TreeNode {
    return this.node('');
  }

  /** The state of some node differs from what is stored. */
  get isDirty(): boolean {
    for (const node of this.nodes.values()) if (node.dirty) return true;
    return false;
  }

  /** The version this transaction will write. */
  get nextVersion(): number {
    return (this.row?.version ?? 0) + 1;
  }

  node(path: string): TreeNode {
    const node = this.nodes.get(path);
    // Not an assertion with a message to be put together: this is asked for dozens of times in every fire.
    if (node === undefined) throw new InvariantViolation(`${this.key.id} has no component at '${path}'`);
    return node;
  }

  task(name: string): AnyTask {
    const task = this.library.tasks.get(name);
    if (task === undefined) throw new InvariantViolation(`library ${this.library.name} has no task ${name}`);
    return task;
  }

  /** Open itself, and nothing above it closed. */
  isOpen(path: string): boolean {
    for (let at = path; ; at = parentPath(at)) {
      if (!this.node(at).isOpen) return false;
      if (at === '') return true;
    }
  }

  schedule(task: PendingTask, definition: AnyTask): void {
    assert(this.mutable, 'a read view cannot schedule a task');
    this.touched = true;
    if (definition.singleton !== undefined) {
      // What would be dropped at the commit must not push out what would not.
      if (!definition.validate(this.node(task.path), task.payload, task.at)) return;
      const same = (other: PendingTask) => other.path === task.path && other.name === task.name;
      if (definition.singleton === 'keep' && (this.tasks.some(same) || this.inline.some(same))) return;
      this.tasks = this.tasks.filter((other) => !same(other));
      const waiting = this.inline.findIndex(same);
      if (waiting >= 0) this.inline.splice(waiting, 1);
    }
    if (definition.kind === 'pure' && task.at <= this.now) this.inline.push(task);
    else this.tasks.push(task);
  }

  /** Removes a node and all below it. */
  drop(path: string): void {
    for (const [other, node] of [...this.nodes]) {
      if (other !== path && !other.startsWith(`${path}/`)) continue;
      this.nodes.delete(other);
      if (node.stamp !== undefined) {
        this.orphans.push({ incarnation: this.incarnation, name: partName(other), stamp: node.stamp });
      }
    }
    this.touched = true;
  }
}
