/** A side-effect task that this transaction leased to this node, to be run once the commit is durable. */

import type { AnyComponent } from './component.ts';
import type { PendingTask } from './document.ts';
import type { ComponentRef } from './node.ts';
import type { AnyTask, SideEffectTask } from './task.ts';
import type { Tree } from './tree.ts';

export interface Dispatch {
  readonly ref: ComponentRef;
  readonly task: PendingTask;
  readonly definition: SideEffectTask<AnyComponent, unknown>;
  readonly prepared: unknown;
}

export function isSideEffect(task: AnyTask): task is SideEffectTask<AnyComponent, unknown> {
  return task.kind === 'sideEffect';
}

/** Leases every side-effect task whose time has come and that has no lease. */
export function leaseDue(tree: Tree): readonly Dispatch[] {
  const isDue = (task: PendingTask) =>
    task.at <= tree.now && task.leaseUntil <= tree.now && isSideEffect(tree.task(task.name));
  if (!tree.tasks.some(isDue)) return none;
  const dispatches: Dispatch[] = [];
  tree.tasks = tree.tasks.map((task) => {
    const definition = tree.task(task.name);
    if (!isDue(task) || !isSideEffect(definition)) return task;
    const node = tree.node(task.path);
    const leased = { ...task, attempt: task.attempt + 1, leaseUntil: tree.now + definition.lease };
    dispatches.push({
      ref: node.ref,
      task: leased,
      definition,
      prepared: definition.prepare(node, task.payload),
    });
    return leased;
  });
  tree.touched = true;
  // The argument of a side effect may be a piece of some state.
  tree.exposed = true;
  return dispatches;
}

const none: readonly Dispatch[] = [];
