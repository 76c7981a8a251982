/**
 * One execution in memory: its nodes, its pending tasks, and everything the present transaction wants written. A tree
 * belongs to one transaction at a time; states are replaced, never changed in place, so a rollback only drops the
 * tree. A tree written by one step may be used again by the next one (`resume`), as long as it equals the stored row.
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
import type { Fact } from './component.ts';
import type { PendingTask, StoredDocument, StoredNode } from './document.ts';
import { readTask } from './document.ts';
import { LoadedEvents } from './events.ts';
import type { Library } from './library.ts';
import type { RunNames } from './run-names.ts';
import { noNames } from './run-names.ts';
import type { AnyTask } from './task.ts';
import { TreeNode } from './tree-node.ts';
import { type WorkShare, workPerExecution } from './work.ts';

/** Reads the state of a cold part; the same ref always gives the same value. */
export type PartReader = (ref: PartRef) => unknown;

/** Rows a transaction adds besides the execution itself. */
export interface Emissions {
  readonly slots: SlotRow[];
  readonly runs: RunRow[];
  readonly audit: AuditRow[];
  readonly facts: Fact[];
}

function nothingEmitted(): Emissions {
  return { slots: [], runs: [], audit: [], facts: [] };
}

/** The emissions of an idle tree. */
const noEmissions = nothingEmitted();

const idleReader: PartReader = () => {
  throw new InvariantViolation('a tree is read outside of any transaction');
};

export interface TreeOrigin {
  readonly library: Library;
  readonly key: ExecutionKey;
  readonly incarnation: string;
  readonly now: Instant;
  readonly readPart: PartReader;
  /** The events that the transaction loaded, of this execution and of others. */
  readonly loadedEvents: readonly EventRow[];
  readonly names: RunNames;
  readonly mutable: boolean;
}

/** What another transaction over the same tree needs. */
export type Resumption = Pick<TreeOrigin, 'now' | 'readPart' | 'names' | 'loadedEvents'>;

const noEvents: readonly EventRow[] = [];

const nothingUnread: readonly PartRef[] = [];

/** The row of an execution before anything of it is stored. */
const emptyDocument: StoredDocument = { f: 1, n: 1, c: {}, t: [] };

export class Tree {
  readonly library: Library;
  readonly key: ExecutionKey;
  readonly incarnation: string;
  readonly mutable: boolean;
  /** The only time of the present transaction. */
  now: Instant;
  readPart: PartReader;
  /** The names of runs that are in use, as far as the present transaction knows. */
  names: RunNames;
  /** The row this tree was read from; undefined while the execution is being created. */
  row: ExecutionRow | undefined;
  readonly nodes = new Map<string, TreeNode>();
  /** The same nodes in a list, parents before their children, which every commit walks over. */
  list: readonly TreeNode[] = [];
  /** The number of cold states not read yet, or more: those of removed nodes stay counted. */
  unread = 0;
  /** True when some node is, or was, a child under an id. */
  hasLists = false;
  /** True when some row besides the execution itself is to be written. */
  emits = false;
  emitted: Emissions = nothingEmitted();
  #loadedEvents: readonly EventRow[];
  #events: LoadedEvents | undefined;
  tasks: PendingTask[];
  /** Due pure tasks waiting to run in this very transaction, in order. */
  readonly inline: PendingTask[] = [];
  nextTaskId: number;
  /** The stamp of the part with request ids; 0: there is none. */
  requestStamp: number;
  /** Stored parts of components that this transaction removed. */
  readonly orphans: PartRef[] = [];
  /** The work that this execution may still do in the present transaction. */
  readonly work: WorkShare = { left: workPerExecution };
  /** True when something is to be written: a state, a task, a child. */
  touched = false;
  /** True when code outside the transaction may hold a piece of this tree, and change it. */
  exposed = false;

  private constructor(origin: TreeOrigin, row: ExecutionRow | undefined, document: StoredDocument) {
    this.library = origin.library;
    this.key = origin.key;
    this.incarnation = origin.incarnation;
    this.now = origin.now;
    this.readPart = origin.readPart;
    this.names = origin.names;
    this.mutable = origin.mutable;
    this.#loadedEvents = origin.loadedEvents;
    this.row = row;
    this.tasks = document.t.map(readTask);
    this.nextTaskId = document.n;
    this.requestStamp = document.r ?? 0;
  }

  static open(origin: TreeOrigin, row: ExecutionRow, document: StoredDocument): Tree {
    const tree = new Tree(origin, row, document);
    for (const path in document.c) {
      const stored = document.c[path] as StoredNode;
      tree.nodes.set(path, TreeNode.stored(tree, path, origin.library.componentAt(path), stored));
    }
    tree.list = [...tree.nodes.values()];
    return tree;
  }

  static create(origin: TreeOrigin, rootState: unknown): Tree {
    const tree = new Tree(origin, undefined, emptyDocument);
    tree.add(TreeNode.created(tree, '', origin.library.root, rootState));
    return tree;
  }

  /** Begins another transaction over the tree that the last one wrote. */
  resume({ now, readPart, names, loadedEvents }: Resumption, row: ExecutionRow): void {
    this.now = now;
    this.readPart = readPart;
    this.names = names;
    this.#loadedEvents = loadedEvents;
    this.#events = undefined;
    this.row = row;
    this.emits = false;
    this.touched = false;
    this.work.left = workPerExecution;
    this.emitted = nothingEmitted();
    if (this.orphans.length > 0) this.orphans.length = 0;
  }

  get events(): LoadedEvents {
    this.#events ??= new LoadedEvents(this.incarnation, this.#loadedEvents);
    return this.#events;
  }

  /** The events of this transaction; undefined when no code asked for them. */
  get usedEvents(): LoadedEvents | undefined {
    return this.#events;
  }

  /** Whether the tree is idle: no transaction uses it. */
  get isIdle(): boolean {
    return this.readPart === idleReader;
  }

  /** Releases everything that belongs to the transaction which wrote it. */
  release(): void {
    for (const node of this.list) if (node.dirty) node.committed();
    this.readPart = idleReader;
    this.names = noNames;
    this.row = undefined;
    this.emitted = noEmissions;
    this.#loadedEvents = noEvents;
    this.#events = undefined;
  }

  /** Parts that a decision over this tree may want to read. */
  unreadParts(): readonly PartRef[] {
    if (this.unread === 0) return nothingUnread;
    const refs: PartRef[] = [];
    for (const node of this.list) if (node.isUnread) refs.push(node.partRef);
    return refs;
  }

  get root(): TreeNode {
    return this.list[0] ?? this.node('');
  }

  add(node: TreeNode): void {
    this.nodes.set(node.path, node);
    this.list = [...this.list, node];
    this.touched = true;
  }

  /** The version this transaction will write. */
  get nextVersion(): number {
    return (this.row?.version ?? 0) + 1;
  }

  node(path: string): TreeNode {
    const node = this.nodes.get(path);
    // No assertion with a message: every fire calls this dozens of times.
    if (node === undefined) throw new InvariantViolation(`${this.key.id} has no component at '${path}'`);
    return node;
  }

  task(name: string): AnyTask {
    const task = this.library.tasks.get(name);
    if (task === undefined) throw new InvariantViolation(`library ${this.library.name} has no task ${name}`);
    return task;
  }

  schedule(task: PendingTask, definition: AnyTask): void {
    assert(this.mutable, 'a read view cannot schedule a task');
    this.touched = true;
    // A task that the commit would drop must not replace one that it would keep.
    const displaces = definition.singleton !== undefined;
    if (displaces && !definition.validate(this.node(task.path), task.payload, task.at)) return;
    if (displaces && !this.#makeRoom(task, definition)) return;
    if (definition.kind === 'pure' && task.at <= this.now) this.inline.push(task);
    else this.tasks.push(task);
  }

  /** At most one task of a singleton may be pending. False when the pending one stays. */
  #makeRoom(task: PendingTask, { singleton }: AnyTask): boolean {
    if (this.tasks.length + this.inline.length === 0) return true;
    const same = (other: PendingTask) => other.path === task.path && other.name === task.name;
    if (singleton === 'keep' && (this.tasks.some(same) || this.inline.some(same))) return false;
    this.tasks = this.tasks.filter((other) => !same(other));
    const waiting = this.inline.findIndex(same);
    if (waiting >= 0) this.inline.splice(waiting, 1);
    return true;
  }

  /** Removes a node and all below it. */
  drop(path: string): void {
    for (const [other, node] of [...this.nodes]) {
      if (other !== path && !other.startsWith(`${path}/`)) continue;
      this.nodes.delete(other);
      if (node.stamp > 0) this.orphans.push(node.partRef);
    }
    this.list = [...this.nodes.values()];
    this.touched = true;
  }
}
