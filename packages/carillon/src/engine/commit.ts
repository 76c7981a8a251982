/** Turns a settled tree into the value that is written: one hot row, the cold parts that changed, emitted rows. */
import type { Instant } from '../base/time.ts';
import type { ExecutionRow, ExecutionWrite, PartRef, PartRow } from '../store/records.ts';
import { asIs } from './component.ts';
import type { PendingTask } from './document.ts';
import { documentText } from './document.ts';
import { historyForm } from './history.ts';
import { partName } from './path.ts';
import type { Tree } from './tree.ts';
import type { TreeNode } from './tree-node.ts';

export interface TreeCommit {
  readonly execution: ExecutionWrite;
  readonly tree: Tree;
  readonly parts: readonly PartRow[];
  readonly dropParts: readonly PartRef[];
}

/** The part that remembers the request ids of an execution. */
export const requestPart = '#requests';

/** Undefined when nothing changed: then nothing is written and the version stays. */
export function commitOf(tree: Tree, requests: unknown): TreeCommit | undefined {
  if (!tree.touched && !tree.emits && requests === undefined) return undefined;

  const version = tree.nextVersion;
  const parts: PartRow[] = [];
  const dropParts: PartRef[] = tree.orphans.length === 0 ? [] : [...tree.orphans];
  const { visibility } = tree.library;
  let attributesChange = tree.row === undefined;
  let nodes = '';
  for (const node of tree.list) {
    if (node.component.storage === 'hot') {
      // A state that is written unpacked may contain objects of callers, and fields that JSON leaves out; a packed state is our own.
      if (node.component.packing === asIs) tree.exposed = true;
    } else if (node.dirty) {
      attributesChange ||= visibility.sources?.includes(node.component) ?? true;
      if (node.stamp > 0 && !node.component.keepHistory) dropParts.push(node.partRef);
      node.moveTo(version);
      parts.push(partOf(tree, node));
    }
    nodes += nodes === '' ? node.text : `,${node.text}`;
  }
  if (requests !== undefined) {
    const { incarnation, requestStamp } = tree;
    if (requestStamp > 0) dropParts.push({ incarnation, name: requestPart, stamp: requestStamp });
    const data = JSON.stringify(requests);
    parts.push({ incarnation, name: requestPart, stamp: version, data, at: tree.now });
    tree.requestStamp = version;
  }

  for (const { payload } of tree.tasks)
    if (typeof payload === 'object' && payload !== null) tree.exposed = true;
  const isOpen = tree.root.isOpen;
  if (!isOpen) tree.tasks = [];
  const execution: ExecutionWrite = {
    key: tree.key,
    incarnation: tree.incarnation,
    version,
    status: isOpen ? 'open' : 'closed',
    wakeAt: isOpen ? earliest(tree.tasks) : null,
    state: documentText(tree, nodes),
    signals: visibility.signals(tree.root),
    incident: null,
    createdAt: tree.row?.createdAt ?? tree.now,
    closedAt: isOpen ? null : (tree.row?.closedAt ?? tree.now),
  };
  if (!attributesChange) return { execution, tree, parts, dropParts };
  const attributes = visibility.attributes(tree.root);
  return { execution: { ...execution, attributes }, tree, parts, dropParts };
}

function partOf(tree: Tree, { path, component, state }: TreeNode): PartRow {
  const data = JSON.stringify(historyForm(component, component.packing.pack(state)));
  const { incarnation, nextVersion: stamp, now: at } = tree;
  return { incarnation, name: partName(path), stamp, data, at };
}

/** One timer per execution: the earliest of all its pending tasks and leases. */
export function earliest(tasks: readonly PendingTask[]): Instant | null {
  let wakeAt = Number.POSITIVE_INFINITY;
  for (const task of tasks) wakeAt = Math.min(wakeAt, Math.max(task.at, task.leaseUntil));
  return wakeAt === Number.POSITIVE_INFINITY ? null : (wakeAt as Instant);
}

/** Quarantines an execution unchanged, with the reason, until a person or a new version releases it. */
export function quarantineOf(row: ExecutionRow, incident: string): ExecutionWrite {
  return { ...row, version: row.version + 1, wakeAt: null, incident };
}
