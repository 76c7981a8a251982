/**
 * A workflow as an execution. The state that changes with every step is small; definition, values and tasks are parts of
 * their own, which are written only when they change.
 *
 * The tree is loaded into a `Flow`, the decision changes this value, and the differences are written back.
 */

import type { MutableNode, ReadNode } from 'carillon/engine';
import { defineComponent, many, one, stateOf } from 'carillon/engine';
import type { Instant } from 'carillon/internal/base';
import type { Parameters } from './definition.ts';
import type { Flow, FlowOrigin, FlowStatus, FlowTask } from './flow.ts';

export interface FlowState {
  readonly status: FlowStatus;
  /** The ordinal of the next task. */
  readonly next: number;
  /** The ordinal of the next run. */
  readonly starts: number;
  /** The runs up to this ordinal must be stopped, because the workflow has ended; null when there are none. */
  readonly stopping: number | null;
  readonly updatedAt: Instant;
  readonly endedAt: Instant | null;
  readonly lastRetriedAt: Instant | null;
}

export interface FlowValues {
  readonly output: Parameters;
  readonly variables: Parameters;
  readonly reason?: string;
  readonly failedReferences: readonly string[];
}

export const Origin = defineComponent({ name: 'origin', state: stateOf<FlowOrigin>(), storage: 'cold' });
export const Values = defineComponent({ name: 'values', state: stateOf<FlowValues>(), storage: 'cold' });
export const Task = defineComponent({ name: 'task', state: stateOf<FlowTask>(), storage: 'cold' });

export const FlowRoot = defineComponent({
  name: 'flow',
  state: stateOf<FlowState>(),
  children: { origin: one(Origin), values: one(Values), tasks: many(Task) },
  isOpen: ({ status, stopping }) => status === 'RUNNING' || status === 'PAUSED' || stopping !== null,
});

export type FlowNode = MutableNode<typeof FlowRoot>;
export type FlowView = ReadNode<typeof FlowRoot>;

export const flowArchetype = 'flow';

export function flowKey(namespace: string, id: string) {
  return { namespace, archetype: flowArchetype, id };
}

export function newState(flow: Flow): FlowState {
  const { status, next, updatedAt, endedAt, lastRetriedAt } = flow;
  return { status, next, starts: 0, stopping: null, updatedAt, endedAt, lastRetriedAt };
}

/** Writes a workflow into a new tree. */
export function writeNewFlow(root: FlowNode, flow: Flow): void {
  root.create('origin', flow.origin);
  root.create('values', valuesOf(flow));
  for (const task of flow.tasks) root.add('tasks', String(task.ordinal), task);
}

export function loadFlow(root: FlowView): Flow {
  const { status, next, updatedAt, endedAt, lastRetriedAt } = root.state;
  const tasks = [...root.children('tasks').values()].map(({ state }) => state);
  return {
    origin: root.child('origin').state,
    ...root.child('values').state,
    status,
    next,
    updatedAt,
    endedAt,
    lastRetriedAt,
    tasks: tasks.sort((a, b) => a.seq - b.seq || a.ordinal - b.ordinal),
  };
}

/** Writes the differences between two values of the workflow. */
export function saveFlow(root: FlowNode, before: Flow, after: Flow): void {
  if (after === before) return;
  const { status, next, updatedAt, endedAt, lastRetriedAt } = after;
  root.set({ ...root.state, status, next, updatedAt, endedAt, lastRetriedAt });
  if (before.origin !== after.origin) root.child('origin').set(after.origin);
  if (
    before.output !== after.output ||
    before.variables !== after.variables ||
    before.reason !== after.reason ||
    before.failedReferences !== after.failedReferences
  )
    root.child('values').set(valuesOf(after));
  const known = new Map(before.tasks.map((task) => [task.id, task]));
  const nodes = root.children('tasks');
  for (const task of after.tasks) {
    const old = known.get(task.id);
    known.delete(task.id);
    if (old === undefined) root.add('tasks', String(task.ordinal), task);
    else if (old !== task) nodes.get(String(task.ordinal))?.set(task);
  }
  for (const { ordinal } of known.values()) root.remove('tasks', String(ordinal));
}

function valuesOf({ output, variables, reason, failedReferences }: Flow): FlowValues {
  return { output, variables, failedReferences, ...(reason === undefined ? {} : { reason }) };
}
