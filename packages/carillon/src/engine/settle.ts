/**
 * Settles a tree before its commit: runs every due pure task and the pure tasks that those cause, in one
 * deterministic order (first those stored and due, by time and then by age, then the new ones as they were asked
 * for). More than `inlineBound` of them in one transaction mean an endless loop in a library's code: the transaction fails as a
 * programmer error instead of spinning.
 */
import { InvariantViolation } from '../base/assert.ts';
import type { AnyComponent } from './component.ts';
import type { PendingTask } from './document.ts';
import type { PureTask } from './task.ts';
import type { Tree } from './tree.ts';

/** Far above the handful that a healthy transition needs, far below a noticeable delay. */
export const inlineBound = 1000;

/** With `later`, stored tasks whose time has come are left to another transaction: the tree stays due. */
export function settle(tree: Tree, later = false): void {
  if (!later) takeDue(tree);
  let ran = 0;
  for (let task = tree.inline.shift(); task !== undefined; task = tree.inline.shift()) {
    if (!isValid(tree, task)) continue;
    ran += 1;
    if (ran > inlineBound) {
      throw new InvariantViolation(
        `task ${task.name} of ${tree.key.archetype} '${tree.key.id}' was the ${ran}th to run inline in one transaction; ` +
          'a task that schedules itself for now never ends',
      );
    }
    const definition = tree.task(task.name) as PureTask<AnyComponent, unknown>;
    definition.execute(tree.node(task.path), task.payload, task.at);
  }
  dropStale(tree);
}

/** Moves the stored pure tasks whose time has come ahead of those asked for in this transaction. */
function takeDue(tree: Tree): void {
  const isDue = (task: PendingTask) => task.at <= tree.now && tree.task(task.name).kind === 'pure';
  if (!tree.tasks.some(isDue)) return;
  const due = tree.tasks.filter(isDue).sort((a, b) => a.at - b.at || a.id - b.id);
  tree.tasks = tree.tasks.filter((task) => !isDue(task));
  tree.inline.unshift(...due);
  tree.touched = true;
}

/** Pending tasks that are no longer valid are dropped here, so that they never cause a wake-up. */
function dropStale(tree: Tree): void {
  const stays = (task: PendingTask) => isValid(tree, task);
  if (tree.tasks.every(stays)) return;
  tree.tasks = tree.tasks.filter(stays);
  tree.touched = true;
}

export function isValid(tree: Tree, task: PendingTask): boolean {
  const node = tree.nodes.get(task.path);
  if (node === undefined || !node.isLive) return false;
  const definition = tree.task(task.name);
  return definition.component === node.component && definition.validate(node, task.payload, task.at);
}
