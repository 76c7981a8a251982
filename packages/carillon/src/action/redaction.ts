/**
 * Values that were written as they are where a secret belongs: a header like Authorization, a token in an address, the
 * environment of a command. They are warned about when they are written, and never shown: everything that leaves the
 * service carries `[redacted]` in their place. Sent back in a definition, that means 'unchanged'.
 */
import type { Problem } from '../base/error.ts';
import { actionQueue } from './action.ts';
import type { StoredWork } from './action-kind.ts';
import { findKind } from './kind.ts';
import { exampleReference, hasReference } from './secret.ts';

export const redacted = '[redacted]';

type Work = StoredWork & { readonly kind: string };
type Visit = (path: string, value: string) => string;

/** Actions are immutable and shared, so their identity is the key. */
const shown = new WeakMap<object, object>();

/** The action as it may be shown. The same object when there is nothing to hide. */
export function redactAction<Action extends Work>(action: Action): Action {
  const known = shown.get(action);
  // Kept under the action that it was made of.
  if (known !== undefined) return known as Action;
  let isChanged = false;
  const input = visited(action, (_, value) => {
    if (isOpen(value)) return value;
    isChanged = true;
    return redacted;
  });
  const made = isChanged ? { ...action, input } : action;
  shown.set(action, made);
  return made;
}

/** The input of a run as it may be shown. */
export function redactRunInput(
  run: { readonly name: string; readonly queue: string },
  input: unknown,
): unknown {
  if (run.queue !== actionQueue(run.name)) return input;
  return visited({ kind: run.name, name: run.name, queue: run.queue, input }, (_, value) =>
    isOpen(value) ? value : redacted,
  );
}

/** One warning for each value that is stored as it was written. */
export function secretWarnings(action: Work): readonly Problem[] {
  const warnings: Problem[] = [];
  visited(action, (path, value) => {
    if (!isOpen(value)) {
      warnings.push({
        path,
        reason: 'SECRET_IN_DEFINITION',
        message: 'this value is stored as it was written; it is not shown again',
        fix: `write a reference such as ${exampleReference}, and give the value to the source of secrets`,
      });
    }
    return value;
  });
  return warnings;
}

/** The action with every redaction replaced by the value it stands for; what stands for nothing is a problem. */
export function restoreAction<Action extends Work>(
  action: Action,
  before: Work | undefined,
  problems: Problem[],
): Action {
  const stored = new Map<string, string>();
  if (before?.kind === action.kind) {
    visited(before, (path, value) => {
      stored.set(path, value);
      return value;
    });
  }
  let isChanged = false;
  const input = visited(action, (path, value) => {
    if (value !== redacted) return value;
    isChanged = true;
    const known = stored.get(path);
    if (known === undefined) {
      problems.push({
        path,
        reason: 'REDACTED_VALUE',
        message: `'${redacted}' stands for a value that was there before, and there was none`,
        fix: `write a reference such as ${exampleReference}, or the value itself`,
      });
    }
    return known ?? value;
  });
  return isChanged ? { ...action, input } : action;
}

/** A reference may be seen by everybody, and so may nothing. */
function isOpen(value: string): boolean {
  return value === '' || hasReference(value);
}

function visited(work: Work, visit: Visit): unknown {
  const row = findKind(work.kind);
  return row?.sensitive === undefined ? work.input : row.sensitive(work.input, visit);
}
