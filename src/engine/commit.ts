/** Turns a settled tree into the value that is written: one hot row, the cold parts that changed, emitted rows. */
import type { Instant } from '../base/time.ts';
import type { ExecutionRow, ExecutionWrite, PartRef, PartRow } from '../store/records.ts';
import { asIs } from './component.ts';
import type { PendingTask, StoredDocument, StoredNode } from './document.ts';
import { writeTask } from './document.ts';
import { historyForm } from './history.ts';
import { partName } from './path.ts';
import type { Tree } from './tree.ts';

export interface TreeCommit {
  readonly execution: ExecutionWrite;
  /** What `execution.state` says, to the last field; undefined where code outside may hold a piece of it. */
  readonly document: StoredDocument | undefined;
  readonly parts: readonly PartRow[];
  readonly dropParts: readonly PartRef[];
}

/** The part that remembers the request ids of an execution. */
export const requestPart = '#requests';

/** Undefined when nothing changed: then nothing is written and the version stays. */
export function commitOf(tree: Tree, requests: unknown): TreeCommit | undefined {
  if (!tree.touched && !tree.emits && requests === undefined && !tree.isDirty) return undefined;

  const version = tree.nextVersion;
  const parts: PartRow[] = [];
  const dropParts: PartRef[] = [...tree.orphans];
  const put = (name: string, state: unknown, previous: { stamp: number | undefined; keep: boolean }) => {
    const data = JSON.stringify(state);
    parts.push({ incarnation: tree.incarnation, name, stamp: version, data, at: tree.now });
    if (previous.stamp !== undefined && !previous.keep) {
      dropParts.push({ incarnation: tree.incarnation, name, stamp: previous.stamp });
    }
  };

  const stored: Record<string, StoredNode> = {};
  // A state that is written as it is may hold objects of others, and fields that JSON leaves out; a packed form is ours.
  let isOurs = true;
  let coldChanged = tree.row === undefined;
  for (const node of tree.nodes.values()) {
    const { component, born } = node;
    if (component.storage === 'hot') {
      stored[node.path] = node.hotForm;
      if (component.packing === asIs) isOurs = false;
    } else if (node.dirty) {
      coldChanged = true;
      put(partName(node.path), historyForm(component, component.packing.pack(node.state)), {
        stamp: node.stamp,
        keep: component.keepHistory,
      });
      stored[node.path] = [null, component.version, born, version];
    } else {
      stored[node.path] = [null, node.storedVersion, born, node.stamp as number];
    }
  }

  let requestStamp = tree.requestStamp;
  if (requests !== undefined) {
    put(requestPart, requests, { stamp: requestStamp, keep: false });
    requestStamp = version;
  }

  const isOpen = tree.root.isOpen;
  if (!isOpen) tree.tasks = [];
  const t = tree.tasks.map(writeTask);
  const n = tree.nextTaskId;
  // Two plain literals: spreading conditional fields costs more than writing the whole row.
  const document: StoredDocument =
    requestStamp === undefined ? { f: 1, n, c: stored, t } : { f: 1, n, c: stored, t, r: requestStamp };
  for (const { payload } of tree.tasks) if (typeof payload === 'object' && payload !== null) isOurs = false;
  const kept = isOurs ? document : undefined;
  const { visibility } = tree.library;
  const execution: ExecutionWrite = {
    key: tree.key,
    incarnation: tree.incarnation,
    version,
    status: isOpen ? 'open' : 'closed',
    wakeAt: isOpen ? earliest(tree.tasks) : null,
    state: JSON.stringify(document),
    signals: visibility.signals(tree.root),
    incident: null,
    createdAt: tree.row?.createdAt ?? tree.now,
    closedAt: isOpen ? null : (tree.row?.closedAt ?? tree.now),
  };
  if (!coldChanged) return { execution, document: kept, parts, dropParts };
  const attributes = visibility.attributes(tree.root);
  return { execution: { ...execution, attributes }, document: kept, parts, dropParts };
}

/** One timer per execution: the earliest of all its pending tasks and leases. */
export function earliest(tasks: readonly PendingTask[]): Instant | null {
  let wakeAt = Number.POSITIVE_INFINITY;
  for (const task of tasks) wakeAt = Math.min(wakeAt, Math.max(task.at, task.leaseUntil));
  return wakeAt === Number.POSITIVE_INFINITY ? null : (wakeAt as Instant);
}

/** Sets an execution aside as it was, with the reason, until a person or a new version releases it. */
export function quarantineOf(row: ExecutionRow, incident: string): ExecutionWrite {
  return { ...row, version: row.version + 1, wakeAt: null, incident };
}
