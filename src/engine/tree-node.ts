/** One component of a tree. Typed as a read or a mutable node by whoever hands it out. */
import { assert } from '../base/assert.ts';
import type { Instant } from '../base/time.ts';
import type { AuditRow, EventRow, ExecutionKey, RunRow, SlotRow } from '../store/records.ts';
import type { AnyComponent, ChildSlot } from './component.ts';
import type { StoredNode } from './document.ts';
import { packedIn } from './history.ts';
import { NewerVersion } from './newer-version.ts';
import type { ComponentRef, Fact, MutableNode } from './node.ts';
import { childPath, parentPath, partName } from './path.ts';
import type { Tree } from './tree.ts';

const noChildren: ReadonlyMap<string, TreeNode> = new Map();

/** The cold state has not been read yet. */
const unread = Symbol('unread');

export class TreeNode implements MutableNode<AnyComponent> {
  readonly path: string;
  readonly component: AnyComponent;
  readonly born: number;
  /** Stamp of the stored cold state; undefined for hot ones and for those not written yet. */
  readonly stamp: number | undefined;
  /** The state differs from what is stored. */
  dirty = false;
  #tree: Tree;
  #state: unknown;
  #storedVersion: number;
  /** As it was read. */
  readonly #stored: StoredNode;

  private constructor(tree: Tree, path: string, component: AnyComponent, stored: StoredNode) {
    this.#tree = tree;
    this.#stored = stored;
    this.path = path;
    this.component = component;
    this.#storedVersion = stored[1];
    this.born = stored[2];
    this.stamp = stored[3];
    this.#state = component.storage === 'cold' && this.stamp !== undefined ? unread : this.#read(stored[0]);
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
      const { incarnation } = this.#tree;
      const stamp = this.stamp as number;
      const written = this.#tree.readPart({ incarnation, name: partName(this.path), stamp });
      this.#state = this.#read(packedIn(written));
    }
    return this.#state;
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

  /** How the node is written: hot state in place, cold state by the stamp of its part. */
  get storedVersion(): number {
    return this.#storedVersion;
  }

  /** What a hot node is written as: what was read, as long as nothing changed. */
  get hotForm(): StoredNode {
    const { component, born } = this;
    if (!this.dirty && this.#stored[1] === component.version) return this.#stored;
    return [component.packing.pack(this.state), component.version, born];
  }

  get isOpen(): boolean {
    return this.component.isOpen(this.state);
  }

  set(state: unknown): void {
    this.#mustWrite();
    if (state === this.#state) return;
    this.#state = state;
    this.dirty = true;
  }

  child(name: string): TreeNode {
    return this.#tree.node(childPath(this.path, name));
  }

  children(name: string): ReadonlyMap<string, TreeNode> {
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
    let path = this.path;
    while (path !== '') {
      path = parentPath(path);
      const node = this.#tree.node(path);
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
    this.#mustWrite();
    const path = childPath(this.path, name, id);
    this.#tree.node(path);
    this.#tree.drop(path);
  }

  schedule(named: { readonly name: string }, payload: unknown, at?: Instant): void {
    const task = this.#tree.task(named.name);
    assert(
      task.component === this.component,
      () => `task ${task.name} does not belong to ${this.component.name}`,
    );
    const pending = {
      id: this.#tree.nextTaskId,
      path: this.path,
      name: task.name,
      at: at ?? this.now,
      payload,
      attempt: 0,
      leaseUntil: 0,
    };
    this.#tree.nextTaskId += 1;
    this.#tree.schedule(pending, task);
  }

  recordSlot(slot: Omit<SlotRow, 'incarnation'>): void {
    this.#mustWrite();
    const { cause, nominal, until, count, verdict, at, runId, detail } = slot;
    const { incarnation } = this.#tree;
    // Field by field: copying an object of unknown shape costs several times as much, on every fire.
    this.#tree.emits = true;
    this.#tree.emitted.slots.push({ incarnation, cause, nominal, until, count, verdict, at, runId, detail });
  }

  startRun(run: RunRow): void {
    this.#mustWrite();
    this.#tree.emits = true;
    assert(
      run.owner === this.incarnation,
      () => `run ${run.id} is not owned by the execution that starts it`,
    );
    this.#tree.emitted.runs.push(run);
  }

  publish(event: Omit<EventRow, 'sequence' | 'at'>): void {
    this.#mustWrite();
    this.#tree.emits = true;
    this.#tree.emitted.events.push({ ...event, sequence: 0, at: this.now });
  }

  audit(entry: Omit<AuditRow, 'at'>): void {
    this.#mustWrite();
    this.#tree.emits = true;
    this.#tree.emitted.audit.push({ ...entry, at: this.now });
  }

  report(fact: Fact): void {
    this.#tree.emitted.facts.push(fact);
  }

  #adopt(name: string, path: string, state: unknown): TreeNode {
    this.#mustWrite();
    const slot = (this.component.children as Record<string, ChildSlot>)[name];
    assert(slot !== undefined, () => `component ${this.component.name} has no child ${name}`);
    assert(!this.#tree.nodes.has(path), () => `${this.component.name} has a child at ${path} already`);
    const node = TreeNode.created(this.#tree, path, slot.component, state);
    this.#tree.nodes.set(path, node);
    return node;
  }

  #mustWrite(): void {
    assert(this.#tree.mutable, 'a read view cannot write');
  }

  #read(stored: unknown): unknown {
    const { component } = this;
    if (stored === null) return stored;
    if (this.#storedVersion === component.version) return component.packing.unpack(stored);
    if (this.#storedVersion > component.version) {
      throw new NewerVersion(
        `${component.name} was stored as version ${this.#storedVersion}, this code knows ${component.version}; run the newer code`,
      );
    }
    const state = component.upgrade(stored, this.#storedVersion);
    // Written with today's version at the next commit that has another reason to write.
    this.#storedVersion = component.version;
    if (component.storage === 'cold') this.dirty = this.#tree.mutable;
    return state;
  }
}
