/**
 * Who owns what of a task. The code owns its declaration and puts it back at every start; people own the pause and the
 * overrides, and no deploy takes those away. Both live in the schedule itself, the people's share under one memo field, so
 * that there is no second truth to keep in step.
 */
import { ServiceError } from '../base/error.ts';
import type { Pause, ScheduleDefinition } from '../scheduler/definition.ts';
import type { Change, Declared } from '../service/declaration.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import { aboutOf } from '../service/schedule-fields.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import { completeTask } from './registry.ts';
import type { StoredTask } from './stored-task.ts';
import type { PeriodicTask, RegisteredTask, TaskDeclaration, TaskOverrides } from './task.ts';
import { overridable } from './task.ts';
import { scheduleOf } from './translate.ts';

/** Kept in the schedule's memo under `periodic`. */
export interface TaskMemo {
  /** `runtime`: made by `add`; no deploy prunes it. */
  readonly source: 'code' | 'runtime';
  /** Of the code that declared it last. */
  readonly version: number;
  /** What the code said last about `enabled`; only a change of it touches the pause. */
  readonly enabled: boolean;
  readonly maxRuns: number | null;
  /** No code declares it any more. */
  readonly orphaned: boolean;
  readonly overrides: TaskOverrides;
  /** What the code said, without the overrides. */
  readonly declared: TaskDeclaration;
}

/** What a person should see when the code itself paused a task. */
export const disabledNote = 'disabled in code';
export const orphanedNote = 'no longer declared in code';

export interface Claim {
  readonly owner: string;
  readonly version: number;
  readonly source: TaskMemo['source'];
}

/** How a schedule says that a periodic registry of its owner made it. */
export const periodicDeclaration = 'periodic';

/** Changes of the registry carry this actor: it never ends a pause of another one. */
export function actorOf(owner: string): string {
  return `periodic:${owner}`;
}

export function memoOf({ memo }: { readonly memo: ScheduleDefinition['memo'] }): TaskMemo | undefined {
  return memo.periodic as TaskMemo | undefined;
}

/** The task with what people changed at run time. */
export function effectiveTask(declared: TaskDeclaration, overrides: TaskOverrides): RegisteredTask {
  const base: Record<string, unknown> = { ...declared };
  // One way to say when takes the place of the other.
  if (overrides.cron !== undefined) delete base.every;
  if (overrides.every !== undefined) delete base.cron;
  return completeTask({ ...base, ...overrides } as PeriodicTask);
}

/** What `override` accepts; anything else belongs to the code. */
export function isOverridable(field: string): boolean {
  return (overridable as readonly string[]).includes(field);
}

/** The declaration without its code: plain data that can be stored. */
export function declarationOf({ run: _, ...declared }: RegisteredTask): TaskDeclaration {
  return JSON.parse(JSON.stringify(declared)) as TaskDeclaration;
}

/** A task as a declared schedule. Refuses to change what newer code declared. */
export function declaredTask(task: RegisteredTask, claim: Claim): Declared<StoredTask, Change> {
  return {
    id: task.id,
    create: { draft: firstDraft(task, claim) },
    update: (present) => {
      checkVersion(memoOf(present), task.id, claim.version);
      return { draft: nextDraft(task, claim, { before: present.definition, used: usedRuns(present) }) };
    },
  };
}

/** The reason of a task that newer code declared. */
export const newerVersion = 'NEWER_VERSION';

function checkVersion(memo: TaskMemo | undefined, id: string, version: number): void {
  if (memo === undefined || memo.version <= version) return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: newerVersion,
    message: `schedule '${id}' was declared by version ${memo.version}; this code is version ${version}`,
  });
}

/** Runs that it has had, of those it may have in all. */
function usedRuns({ definition, actions, remaining }: StoredTask): number {
  const allowed = memoOf(definition)?.maxRuns ?? null;
  return allowed === null ? actions : allowed - (remaining ?? allowed);
}

/** The schedule of a task that no code declares any more: paused, with all that it knows. */
export function orphanedDraft({ definition }: StoredTask): DefinitionDraft {
  const { seed: _, timeZoneVersion: __, paused, remaining: ___, ...rest } = definition;
  return {
    ...rest,
    ...aboutOf(rest),
    memo: { ...rest.memo, periodic: { ...(rest.memo.periodic as TaskMemo), orphaned: true } },
    ...(paused === null ? { paused: { note: orphanedNote } } : {}),
  };
}

/** A new schedule for a task. */
function firstDraft(task: RegisteredTask, claim: Claim): DefinitionDraft {
  const { enabled, maxRuns = null } = task;
  return {
    ...draftOf(task, claim, {}),
    remaining: maxRuns,
    ...(enabled ? {} : { paused: { note: disabledNote } }),
  };
}

/** The present definition with the code's share put back and the people's share kept. `used`: runs it has had. */
function nextDraft(
  task: RegisteredTask,
  claim: Claim,
  { before, used }: { readonly before: ScheduleDefinition; readonly used: number },
): DefinitionDraft {
  const known = memoOf(before);
  const { maxRuns = null } = task;
  const paused = pauseAfter(task, claim, before);
  return {
    ...draftOf(task, claim, known?.overrides ?? {}),
    note: before.note,
    ...(known !== undefined && known.maxRuns === maxRuns
      ? {}
      : { remaining: maxRuns === null ? null : Math.max(0, maxRuns - used) }),
    ...(paused === undefined ? {} : { paused }),
  };
}

/** As `nextDraft`, for other overrides of the same declaration. */
export function overriddenDraft(
  before: ScheduleDefinition,
  known: TaskMemo,
  overrides: TaskOverrides,
): DefinitionDraft {
  const claim = { owner: before.owner, version: known.version, source: known.source };
  const draft = draftOf(completeTask(known.declared), claim, overrides);
  return { ...draft, memo: { periodic: { ...known, overrides } }, note: before.note };
}

/** Undefined: as it is; null: running. */
function pauseAfter(
  { enabled }: RegisteredTask,
  { owner }: Claim,
  before: ScheduleDefinition,
): { readonly note: string } | null | undefined {
  const known = memoOf(before);
  const isOurs = (pause: Pause | null) => pause !== null && pause.by === actorOf(owner);
  const changed = known === undefined || known.enabled !== enabled || known.orphaned;
  if (!changed) return undefined;
  if (!enabled) return before.paused === null ? { note: disabledNote } : undefined;
  return isOurs(before.paused) ? null : undefined;
}

function draftOf(task: RegisteredTask, claim: Claim, overrides: TaskOverrides): DefinitionDraft {
  const declared = declarationOf(task);
  const memo: TaskMemo = {
    source: claim.source,
    version: claim.version,
    enabled: task.enabled,
    maxRuns: task.maxRuns ?? null,
    orphaned: false,
    overrides,
    declared,
  };
  const draft = readScheduleInput(scheduleOf(effectiveTask(declared, overrides)));
  const declarer = { owner: claim.owner, declaredBy: periodicDeclaration };
  return { ...draft, ...declarer, memo: { periodic: memo } };
}
