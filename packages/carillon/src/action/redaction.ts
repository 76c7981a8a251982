/**
 * Redaction of secret values that a user wrote directly: in a header like Authorization, a token in an address, the
 * environment of a command. The service warns about them when they are written and never shows them: every answer has
 * `[redacted]` in their place. In an update, `[redacted]` means 'unchanged'.
 */
import type { Problem } from '../base/error.ts';
import { actionQueue } from './action.ts';
import type { StoredWork } from './action-kind.ts';
import { findKind } from './kind.ts';
import { exampleReference, hasReference } from './secret.ts';

export const redacted = '[redacted]';

type Work = StoredWork & { readonly kind: string };
type Visit = (path: string, value: string) => string;

/** Redacted actions by action. Actions are immutable and shared, so their identity is the key. */
const shown = new WeakMap<object, object>();

/** The action with its secret values redacted; the same object when there are none. */
export function redactAction<Action extends Work>(action: Action): Action {
  const known = shown.get(action);
  // The map holds the redacted copy of this very action.
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

/** The input of a run with its secret values redacted. */
export function redactRunInput(
  run: { readonly name: string; readonly queue: string },
  input: unknown,
): unknown {
  if (run.queue !== actionQueue(run.name)) return input;
  return visited({ kind: run.name, name: run.name, queue: run.queue, input }, (_, value) =>
    isOpen(value) ? value : redacted,
  );
}

/** One warning per secret value that is stored as written. */
export function secretWarnings(action: Work): readonly Problem[] {
  const warnings: Problem[] = [];
  visited(action, (path, value) => {
    if (!isOpen(value)) {
      warnings.push({
        path,
        reason: 'SECRET_IN_DEFINITION',
        message: 'this value looks like a secret and is stored as written; it is not shown again',
        fix: `write a reference such as ${exampleReference}, and put the value into the source of secrets`,
      });
    }
    return value;
  });
  return warnings;
}

/**
 * The action with every `[redacted]` replaced by the stored value. A `[redacted]` without a stored value is a
 * problem.
 */
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
        message: `'${redacted}' means 'keep the stored value', but there is none`,
        fix: `write a reference such as ${exampleReference}, or the value itself`,
      });
    }
    return known ?? value;
  });
  return isChanged ? { ...action, input } : action;
}

/** References to secrets and empty texts need no redaction. */
function isOpen(value: string): boolean {
  return value === '' || hasReference(value);
}

function visited(work: Work, visit: Visit): unknown {
  const row = findKind(work.kind);
  return row?.sensitive === undefined ? work.input : row.sensitive(work.input, visit);
}
