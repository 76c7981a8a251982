/** One component of a tree. Callers get it typed as a read-only or a mutable node. */
import { assert, InvariantViolation } from '../base/assert.ts';
import type { Instant } from '../base/time.ts';
import type { AuditRow, ExecutionKey, PartRef, RunRow, SlotRow } from '../store/records.ts';
import type { AnyComponent, ChildSlot, Fact } from './component.ts';
import { packedText, readState } from './component.ts';
import type { StoredNode } from './document.ts';
import type { Events } from './events.ts';
import { packedIn } from './history.ts';
import type { ComponentRef, MutableNode } from './node.ts';
import { childPath, parentPath, partName } from './path.ts';
import type { NameHolder } from './run-names.ts';
import type { Setting } from './setting.ts';
import type { Tree } from './tree.ts';
import type { WorkShare } from './work.ts';

const noChildren: ReadonlyMap<string, TreeNode> = new Map();

/** The cold state has not been read yet. */
const unread = Symbol('unread');

export class TreeNode implements MutableNode<AnyComponent> {
  readonly path: string;
  readonly component: AnyComponent;
  readonly born: number;
  /** Stamp of the stored cold state; 0 for hot ones and for those not written yet. */
  stamp: number;
  /** The state differs from what is stored. */
  dirty = false;
  readonly #tree: Tree;
  readonly #parent: TreeNode | undefined;
  #state: unknown;
  #storedVersion: number;

  private constructor(tree: Tree, path: string, component: AnyComponent, stored: StoredNode) {
    this.#tree = tree;
    // Parents are created, and therefore stored, before their children.
    this.#parent = path === '' ? undefined : tree.node(parentPath(path));
    if (path.includes(':')) tree.hasLists = true;
    this.path = path;
    this.component = component;
    this.#storedVersion = stored[1];
    this.born = stored[2];
    this.stamp = stored[3] ?? 0;
    if (component.storage === 'cold' && this.stamp > 0) this.#forget();
    else this.#state = this.#read(stored[0]);
  }

  static stored(tree: Tree, path: string, component: AnyComponent, stored: StoredNode): TreeNode {
    return new TreeNode(tree, path, component, stored);
  }

  static created(tree: Tree, path: string, component: AnyComponent, state: unknown): TreeNode {
    const node = new TreeNode(tree, path, component, [null, component.version, tree.nextVersion]);
    node.#state = state;
    node.dirty = true;
    return node;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the typed views in node.ts give each state its type
  get state(): any {
    if (this.#state === unread) {
      this.#state = this.#read(packedIn(this.#tree.readPart(this.partRef)));
      this.#tree.unread -= 1;
    }
    return this.#state;
  }

  #forget(): void {
    this.#state = unread;
    this.#tree.unread += 1;
  }

  get isUnread(): boolean {
    return this.#state === unread;
  }

  /** The reference of the part with the cold state. */
  get partRef(): PartRef {
    return { incarnation: this.#tree.incarnation, name: partName(this.path), stamp: this.stamp };
  }

  get now(): Instant {
    return this.#tree.now;
  }

  get key(): ExecutionKey {
    return this.#tree.key;
  }

  get incarnation(): string {
    return this.#tree.incarnation;
  }

  get version(): number {
    return this.#tree.row?.version ?? 0;
  }

  get ref(): ComponentRef {
    return { key: this.key, incarnation: this.incarnation, path: this.path, born: this.born };
  }

  /** The written form of the node, with its name: hot state in place, cold state by the stamp of its part. */
  get text(): string {
    const { component, born, stamp, path } = this;
    if (component.storage === 'cold') return `"${path}":[null,${this.#storedVersion},${born},${stamp}]`;
    return `"${path}":[${packedText(component, this.state)},${component.version},${born}]`;
  }

  /** A cold state goes into a part with this stamp. */
  moveTo(stamp: number): void {
    this.stamp = stamp;
    this.#storedVersion = this.component.version;
  }

  /**
   * The written state is now the stored one. A cold state is read back from its text when it is next needed: the caller that set it
   * may still hold, and change, the objects it was made of.
   */
  committed(): void {
    if (this.component.storage === 'cold') this.#forget();
    this.dirty = false;
  }

  get isOpen(): boolean {
    return this.component.isOpen(this.state);
  }

  /** Whether it is open and has no closed ancestor. */
  get isLive(): boolean {
    for (let node: TreeNode | undefined = this; node !== undefined; node = node.#parent) {
      if (!node.component.isOpen(node.state)) return false;
    }
    return true;
  }

  set(state: unknown): void {
    if (!this.#tree.mutable) throw readOnly();
    if (state === this.#state) return;
    if (this.#state === unread) this.#tree.unread -= 1;
    this.#state = state;
    this.dirty = true;
    this.#tree.touched = true;
  }

  child(name: string): TreeNode {
    const path = this.path === '' ? name : childPath(this.path, name);
    return this.#tree.nodes.get(path) ?? this.#tree.node(path);
  }

  children(name: string): ReadonlyMap<string, TreeNode> {
    // Most executions have no such children, and every fire asks for them.
    if (!this.#tree.hasLists) return noChildren;
    const prefix = `${childPath(this.path, name)}:`;
    let found: Map<string, TreeNode> | undefined;
    for (const [path, node] of this.#tree.nodes) {
      if (path.startsWith(prefix) && !path.includes('/', prefix.length)) {
        found ??= new Map();
        found.set(decodeURIComponent(path.slice(prefix.length)), node);
      }
    }
    return found ?? noChildren;
  }

  // biome-ignore lint/suspicious/noExplicitAny: typed by the definition that is handed in
  ancestor(component: AnyComponent): any {
    for (let node = this.#parent; node !== undefined; node = node.#parent) {
      if (node.component === component) return node;
    }
    assert(false, `${this.component.name} has no ancestor ${component.name}`);
  }

  create(name: string, state: unknown): TreeNode {
    return this.#adopt(name, childPath(this.path, name), state);
  }

  add(name: string, id: string, state: unknown): TreeNode {
    assert(id !== '', () => `a child of ${this.component.name}.${name} needs an id`);
    return this.#adopt(name, childPath(this.path, name, id), state);
  }

  remove(name: string, id: string): void {
    if (!this.#tree.mutable) throw readOnly();
    const path = childPath(this.path, name, id);
    this.#tree.node(path);
    this.#tree.drop(path);
  }

  schedule(named: { readonly name: string }, payload: unknown, at?: Instant): void {
    const tree = this.#tree;
    const task = tree.task(named.name);
    if (task.component !== this.component)
      throw new InvariantViolation(`task ${task.name} does not belong to ${this.component.name}`);
    const due = at ?? tree.now;
    if (!Number.isFinite(due)) throw new InvariantViolation(`task ${task.name} cannot be due at ${due}`);
    const pending = {
      id: tree.nextTaskId,
      path: this.path,
      name: task.name,
      at: due,
      payload,
      attempt: 0,
      leaseUntil: 0,
    };
    tree.nextTaskId += 1;
    tree.schedule(pending, task);
  }

  get work(): WorkShare {
    return this.#tree.work;
  }

  recordSlot(slot: Omit<SlotRow, 'incarnation'>): void {
    if (!this.#tree.mutable) throw readOnly();
    const tree = this.#tree;
    tree.emits = true;
    tree.emitted.slots.push({ incarnation: tree.incarnation, ...slot });
  }

  startRun(run: RunRow): void {
    if (!this.#tree.mutable) throw readOnly();
    const tree = this.#tree;
    if (run.owner !== tree.incarnation)
      throw new InvariantViolation(`run ${run.id} is not owned by the execution that starts it`);
    tree.emits = true;
    tree.emitted.runs.push(run);
    tree.names.give(run, tree.incarnation);
  }

  runUnder(id: string): NameHolder | undefined {
    const { emitted, names, row, incarnation } = this.#tree;
    // A transaction rarely starts more than one run of an execution.
    const isOwn = emitted.runs.length > 0 && emitted.runs.some((run) => run.id === id);
    return isOwn ? { runId: id, finished: false } : names.holderOfId(id, row, incarnation);
  }

  runUnderAlias(alias: string): NameHolder | undefined {
    const { names, row, incarnation, key } = this.#tree;
    return names.holderOfAlias({ namespace: key.namespace, alias }, row, incarnation);
  }

  setting<T>(setting: Setting<T>): T {
    const { settings } = this.#tree.library;
    return settings.has(setting) ? (settings.get(setting) as T) : setting.default;
  }

  get events(): Events {
    if (!this.#tree.mutable) throw readOnly();
    return this.#tree.events;
  }

  audit(entry: Omit<AuditRow, 'at'>): void {
    if (!this.#tree.mutable) throw readOnly();
    this.#tree.emits = true;
    this.#tree.emitted.audit.push({ ...entry, at: this.now });
  }

  report(fact: Fact): void {
    this.#tree.emitted.facts.push(fact);
  }

  #adopt(name: string, path: string, state: unknown): TreeNode {
    if (!this.#tree.mutable) throw readOnly();
    const slot = (this.component.children as Record<string, ChildSlot>)[name];
    assert(slot !== undefined, () => `component ${this.component.name} has no child ${name}`);
    assert(!this.#tree.nodes.has(path), () => `${this.component.name} has a child at ${path} already`);
    const node = TreeNode.created(this.#tree, path, slot.component, state);
    this.#tree.add(node);
    return node;
  }

  #read(stored: unknown): unknown {
    const { component } = this;
    if (stored === null) return stored;
    const state: unknown = readState(component, stored, this.#storedVersion);
    if (this.#storedVersion === component.version) return state;
    // A hot state is written with the current version at the next commit that has another reason to write; a stored
    // cold one keeps its version until it moves to a new part.
    if (component.storage === 'hot') this.#storedVersion = component.version;
    else if (this.#tree.mutable) {
      this.dirty = true;
      this.#tree.touched = true;
    }
    return state;
  }
}

function readOnly(): InvariantViolation {
  return new InvariantViolation('a read view cannot write');
}
