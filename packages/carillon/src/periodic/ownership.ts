/**
 * Who owns what of a task. The code owns its declaration and puts it back at every start; people own the pause and the
 * overrides, and no deploy takes those away. Both live in the schedule itself, the people's share under one memo field, so
 * that there is no second truth to keep in step.
 */
import type { Pause, ScheduleDefinition } from '../scheduler/definition.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import { completeTask } from './registry.ts';
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

/** Changes of ours carry this actor: a pause of anybody else is not ours to end. */
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

/** A new schedule for a task. */
export function firstDraft(task: RegisteredTask, claim: Claim): DefinitionDraft {
  const { enabled, maxRuns = null } = task;
  return {
    ...draftOf(task, claim, {}),
    remaining: maxRuns,
    ...(enabled ? {} : { paused: { note: disabledNote } }),
  };
}

/** The present definition with the code's share put back and the people's share kept. `used`: runs it has had. */
export function nextDraft(
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

/** Whether an update would change nothing. */
export function isApplied(draft: DefinitionDraft, definition: ScheduleDefinition): boolean {
  if (draft.paused !== undefined || draft.remaining !== undefined) return false;
  const said = ({
    spec,
    action,
    policy,
    description,
    owner,
    tags,
    memo,
    attributes,
  }: DefinitionDraft | ScheduleDefinition) =>
    canonical({ spec, action, policy, description, owner, tags, memo, attributes });
  return said(draft) === said(definition);
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
  return { ...draft, owner: claim.owner, memo: { periodic: memo } };
}

/** Text that is the same for the same JSON, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
