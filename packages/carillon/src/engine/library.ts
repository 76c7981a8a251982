/** A library describes one archetype: its root component, its tasks, and the attributes its executions are found by. */
import { assert } from '../base/assert.ts';
import type { RunRow } from '../store/records.ts';
import type { EventNeed } from '../store/store.ts';
import type { AnyComponent, ChildSlot, Visibility } from './component.ts';
import type { MutableNode } from './node.ts';
import type { Settings } from './setting.ts';
import { noSettings } from './setting.ts';
import type { AnyTask } from './task.ts';

export interface Library<C extends AnyComponent = AnyComponent> {
  /** The archetype of its executions, e.g. `scheduler`. Persisted. */
  readonly name: string;
  readonly root: C;
  readonly tasks: ReadonlyMap<string, AnyTask>;
  readonly visibility: Visibility<C>;
  /** The definition of the component at a path. */
  readonly componentAt: (path: string) => AnyComponent;
  /** What the operator set for these executions. */
  readonly settings: Settings;
  /** Called in the transaction that finishes a run of this execution. */
  readonly runFinished: (root: MutableNode<C>, run: RunRow) => undefined;
  /** The events that a transaction over this run may change. */
  readonly runEvents?: (run: RunRow) => readonly EventNeed[];
}

export interface LibraryFields<C extends AnyComponent> {
  readonly name: string;
  readonly root: C;
  readonly tasks: readonly AnyTask[];
  readonly visibility?: Partial<Visibility<C>>;
  readonly settings?: Settings;
  readonly runFinished?: (root: MutableNode<C>, run: RunRow) => undefined;
  readonly runEvents?: (run: RunRow) => readonly EventNeed[];
}

const stableName = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export function defineLibrary<C extends AnyComponent>(fields: LibraryFields<C>): Library<C> {
  assert(stableName.test(fields.name), `library name ${fields.name} must match ${stableName}`);
  const components = reachable(fields.root);
  const tasks = new Map<string, AnyTask>();
  for (const task of fields.tasks) {
    assert(stableName.test(task.name), `task name ${task.name} must match ${stableName}`);
    assert(!tasks.has(task.name), `library ${fields.name} defines the task ${task.name} twice`);
    assert(
      components.has(task.component),
      `task ${task.name} belongs to ${task.component.name}, which is not in ${fields.name}`,
    );
    tasks.set(task.name, task);
  }
  return {
    name: fields.name,
    root: fields.root,
    tasks,
    visibility: { attributes: () => ({}), signals: () => ({}), ...fields.visibility },
    componentAt: componentFinder(fields.root),
    settings: fields.settings ?? noSettings,
    runFinished: fields.runFinished ?? (() => undefined),
    ...(fields.runEvents === undefined ? {} : { runEvents: fields.runEvents }),
  };
}

/** Every component of the tree; checks names on the way. A component may appear under several paths. */
function reachable(root: AnyComponent): ReadonlySet<AnyComponent> {
  const seen = new Set<AnyComponent>();
  const visit = (component: AnyComponent) => {
    if (seen.has(component)) return;
    assert(stableName.test(component.name), `component name ${component.name} must match ${stableName}`);
    seen.add(component);
    for (const [name, slot] of Object.entries(component.children as Record<string, ChildSlot>)) {
      assert(stableName.test(name), `child name ${name} of ${component.name} must match ${stableName}`);
      visit(slot.component);
    }
  };
  visit(root);
  return seen;
}

/** Paths of single children are few and needed at every step, so they are remembered; paths with ids are not. */
function componentFinder(root: AnyComponent): (path: string) => AnyComponent {
  const known = new Map<string, AnyComponent>([['', root]]);
  return (path) => {
    let component = known.get(path);
    if (component === undefined) {
      component = componentAt(root, path);
      if (!path.includes(':')) known.set(path, component);
    }
    return component;
  };
}

function componentAt(root: AnyComponent, path: string): AnyComponent {
  let component = root;
  if (path === '') return component;
  for (const segment of path.split('/')) {
    const name = segment.split(':', 1)[0] ?? segment;
    const slot = (component.children as Record<string, ChildSlot>)[name];
    assert(slot !== undefined, `component ${component.name} has no child ${name}`);
    component = slot.component;
  }
  return component;
}
