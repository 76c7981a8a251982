/**
 * Describes actions for the linter. This is apart from its rules, which a browser loads without the kinds of work and
 * their schemas.
 */
import { isTimedAction } from '../../action/kind.ts';
import type { Problem } from '../../base/error.ts';
import { ServiceError } from '../../base/error.ts';
import { readAction } from '../../service/action-input.ts';
import type { ScheduleInput } from '../../service/schedule-input.ts';
import type { LintAction } from './finding.ts';

/** What a schedule would start, to recognise duplicates. */
export function lintAction(input: ScheduleInput): LintAction {
  const problems: Problem[] = [];
  const action = readAction(input, problems);
  if (action === undefined) throw ServiceError.invalid(problems);
  return timedAction(action);
}

export function timedAction<A extends LintAction>(action: A): A & { readonly isTimed: boolean } {
  return { ...action, isTimed: isTimedAction(action) };
}
