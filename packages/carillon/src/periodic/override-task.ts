/** Overrides of tasks: fields that a person changes, and that no deploy undoes. */
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleDescription } from '../service/schedule-view.ts';
import { checkTask, invalidTask } from './check-task.ts';
import type { TaskMemo } from './ownership.ts';
import { effectiveTask, isOverridable, memoOf, overriddenDraft } from './ownership.ts';
import type { TaskOverrides } from './task.ts';

/** Replaces all overrides of a task. Refuses fields that belong to the code, and values that make no valid task. */
export async function overrideTask(
  carillon: Carillon,
  id: string,
  overrides: TaskOverrides,
  { actor = 'embedded', note }: { readonly actor?: string; readonly note?: string },
): Promise<void> {
  const strange = Object.keys(overrides).filter((field) => !isOverridable(field));
  if (strange.length > 0) {
    throw invalidTask(
      strange.map((path) => ({
        path,
        reason: 'OWNED_BY_CODE',
        message: `${path} belongs to the code and cannot be overridden`,
        fix: 'change it where the task is registered',
      })),
    );
  }
  const change = (before: ScheduleDefinition) => {
    const memo = memoFor(before, id);
    const problems = checkTask(effectiveTask(memo.declared, overrides));
    if (problems.length > 0) throw invalidTask(problems);
    return overriddenDraft(before, memo, overrides);
  };
  const { namespace } = carillon;
  const service = internalsOf(carillon).services.schedules;
  await service.update({ namespace, id }, change, { actor, door: 'periodic', ...given({ note }) });
}

/** What the registry stored with a schedule; throws for one that is not a task. */
export function memoFor(of: Pick<ScheduleDescription, 'memo'>, id: string): TaskMemo {
  const memo = memoOf(of);
  if (memo !== undefined) return memo;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'NOT_A_TASK',
    message: `schedule '${id}' is not a periodic task; change it with carillon.schedules`,
  });
}
