/** The execution, or one component of it, that a call is about. */
import { ServiceError } from '../base/error.ts';
import type { ExecutionKey, ExecutionRow } from '../store/records.ts';
import type { Selection } from '../store/store.ts';
import type { AnyComponent } from './component.ts';
import type { ComponentRef, MutableNode } from './node.ts';
import { notFound } from './refusals.ts';
import type { Tree } from './tree.ts';

export type Target = ExecutionKey | ComponentRef;

export function keyOf(target: Target): ExecutionKey {
  return 'key' in target ? target.key : target;
}

export function onlyKey(selection: Selection): ExecutionKey | undefined {
  return selection.kind === 'keys' && selection.keys.length === 1 ? selection.keys[0] : undefined;
}

export function sameKey(a: ExecutionKey, b: ExecutionKey): boolean {
  return a.id === b.id && a.namespace === b.namespace && a.archetype === b.archetype;
}

export function mustExist<R extends ExecutionRow>(row: R | undefined, target: Target): R {
  const gone = row !== undefined && 'incarnation' in target && row.incarnation !== target.incarnation;
  if (row === undefined || gone) throw notFound(keyOf(target));
  return row;
}

/** The component a target names; a reference to one that was since replaced is not found. */
export function nodeAt<C extends AnyComponent>(tree: Tree, component: C, target: Target): MutableNode<C> {
  const path = 'path' in target ? target.path : '';
  const node = tree.nodes.get(path);
  if (node === undefined || ('born' in target && node.born !== target.born)) throw notFound(tree.key);
  if (node.component !== component) {
    throw new ServiceError({
      code: 'internal',
      reason: 'WRONG_COMPONENT',
      message: `'${path}' of ${tree.key.archetype} is a ${node.component.name}, not a ${component.name}`,
    });
  }
  return node as MutableNode<C>;
}
