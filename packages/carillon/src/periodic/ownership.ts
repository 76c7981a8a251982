/**
 * Which fields of a task belong to the code, and which to people. The code owns the declaration and restores it at
 * every start; people own the pause and the overrides, and no deploy removes those. Both are stored in the schedule
 * itself, the overrides in its memo, so that there is no second copy to keep in sync.
 */
import { ServiceError } from '../base/error.ts';
import type { Pause, ScheduleDefinition } from '../scheduler/definition.ts';
import type { DeclarationChange, Declared } from '../service/declaration.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import { aboutOf } from '../service/schedule-fields.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import { completeTask } from './registry.ts';
import type { StoredPeriodicTask } from './stored-task.ts';
import type { PeriodicTask, RegisteredTask, TaskDeclaration, TaskOverrides } from './task.ts';
import { overridable } from './task.ts';
import { scheduleOf } from './translate.ts';

/** What the schedule's memo holds under `periodic`. */
export interface TaskMemo {
  /** `runtime`: the task was made by `add`, and no deploy prunes it. */
  readonly source: 'code' | 'runtime';
  /** The version of the code that declared the task last. */
  readonly version: number;
  /** The last declared `enabled`; only a change of this value changes the pause. */
  readonly enabled: boolean;
  readonly maxRuns: number | null;
  /** Whether no code declares the task any more. */
  readonly orphaned: boolean;
  readonly overrides: TaskOverrides;
  /** The declaration by the code, without the overrides. */
  readonly declared: TaskDeclaration;
}

/** The note of a pause that the code made. */
export const disabledNote = 'disabled in code';
export const orphanedNote = 'no longer declared in code';

export interface TaskOrigin {
  readonly owner: string;
  readonly version: number;
  readonly source: TaskMemo['source'];
}

/** The value of `declaredBy` in schedules that a periodic registry made. */
export const periodicDeclaration = 'periodic';

/** The actor of the registry's changes. The registry only ends pauses that this actor made. */
export function actorOf(owner: string): string {
  return `periodic:${owner}`;
}

export function memoOf({ memo }: { readonly memo: ScheduleDefinition['memo'] }): TaskMemo | undefined {
  return memo.periodic as TaskMemo | undefined;
}

/** The declared task with its overrides applied. */
export function effectiveTask(declared: TaskDeclaration, overrides: TaskOverrides): RegisteredTask {
  const base: Record<string, unknown> = { ...declared };
  // An overriding `cron` replaces a declared `every`, and the reverse.
  if (overrides.cron !== undefined) delete base.every;
  if (overrides.every !== undefined) delete base.cron;
  return completeTask({ ...base, ...overrides } as PeriodicTask);
}

/** Whether `override` accepts the field; all other fields belong to the code. */
export function isOverridable(field: string): boolean {
  return (overridable as readonly string[]).includes(field);
}

/** The declaration without its handler: plain data that can be stored. */
export function declarationOf({ run: _, ...declared }: RegisteredTask): TaskDeclaration {
  return JSON.parse(JSON.stringify(declared)) as TaskDeclaration;
}

/** A task as a declared schedule. It refuses to change a task that newer code declared. */
export function declaredTask(
  task: RegisteredTask,
  origin: TaskOrigin,
): Declared<StoredPeriodicTask, DeclarationChange> {
  return {
    id: task.id,
    create: { draft: firstDraft(task, origin) },
    update: (present) => {
      checkVersion(memoOf(present), task.id, origin.version);
      return { draft: nextDraft(task, origin, { before: present.definition, used: usedRuns(present) }) };
    },
  };
}

/** The reason of the refusal to change a task that newer code declared. */
export const newerVersion = 'NEWER_VERSION';

function checkVersion(memo: TaskMemo | undefined, id: string, version: number): void {
  if (memo === undefined || memo.version <= version) return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: newerVersion,
    message: `schedule '${id}' was declared by version ${memo.version}; this code is version ${version}`,
  });
}

/** The number of runs so far, of those that `maxRuns` allows. */
function usedRuns({ definition, actions, remaining }: StoredPeriodicTask): number {
  const allowed = memoOf(definition)?.maxRuns ?? null;
  return allowed === null ? actions : allowed - (remaining ?? allowed);
}

/** The schedule of a task that no code declares any more: paused, with everything else kept. */
export function orphanedDraft({ definition }: StoredPeriodicTask): DefinitionDraft {
  const { seed: _, timeZoneVersion: __, paused, remaining: ___, ...rest } = definition;
  return {
    ...rest,
    ...aboutOf(rest),
    memo: { ...rest.memo, periodic: { ...(rest.memo.periodic as TaskMemo), orphaned: true } },
    ...(paused === null ? { paused: { note: orphanedNote } } : {}),
  };
}

/** The first draft of a task's schedule. */
function firstDraft(task: RegisteredTask, origin: TaskOrigin): DefinitionDraft {
  const { enabled, maxRuns = null } = task;
  return {
    ...draftOf(task, origin, {}),
    remaining: maxRuns,
    ...(enabled ? {} : { paused: { note: disabledNote } }),
  };
}

/** The present definition with the declaration restored and the overrides kept. `used` is the number of runs so far. */
function nextDraft(
  task: RegisteredTask,
  origin: TaskOrigin,
  { before, used }: { readonly before: ScheduleDefinition; readonly used: number },
): DefinitionDraft {
  const known = memoOf(before);
  const { maxRuns = null } = task;
  const paused = pauseAfter(task, origin, before);
  return {
    ...draftOf(task, origin, known?.overrides ?? {}),
    note: before.note,
    ...(known !== undefined && known.maxRuns === maxRuns
      ? {}
      : { remaining: maxRuns === null ? null : Math.max(0, maxRuns - used) }),
    ...(paused === undefined ? {} : { paused }),
  };
}

/** Like `nextDraft`, with other overrides of the same declaration. */
export function overriddenDraft(
  before: ScheduleDefinition,
  known: TaskMemo,
  overrides: TaskOverrides,
): DefinitionDraft {
  const origin = { owner: before.owner, version: known.version, source: known.source };
  const draft = draftOf(completeTask(known.declared), origin, overrides);
  return { ...draft, memo: { periodic: { ...known, overrides } }, note: before.note };
}

/** The pause after a declaration: undefined keeps the present state, null resumes. */
function pauseAfter(
  { enabled }: RegisteredTask,
  { owner }: TaskOrigin,
  before: ScheduleDefinition,
): { readonly note: string } | null | undefined {
  const known = memoOf(before);
  const isOurs = (pause: Pause | null) => pause !== null && pause.by === actorOf(owner);
  const changed = known === undefined || known.enabled !== enabled || known.orphaned;
  if (!changed) return undefined;
  if (!enabled) return before.paused === null ? { note: disabledNote } : undefined;
  return isOurs(before.paused) ? null : undefined;
}

function draftOf(task: RegisteredTask, origin: TaskOrigin, overrides: TaskOverrides): DefinitionDraft {
  const declared = declarationOf(task);
  const memo: TaskMemo = {
    source: origin.source,
    version: origin.version,
    enabled: task.enabled,
    maxRuns: task.maxRuns ?? null,
    orphaned: false,
    overrides,
    declared,
  };
  const draft = readScheduleInput(scheduleOf(effectiveTask(declared, overrides)));
  const declarer = { owner: origin.owner, declaredBy: periodicDeclaration };
  return { ...draft, ...declarer, memo: { periodic: memo } };
}
