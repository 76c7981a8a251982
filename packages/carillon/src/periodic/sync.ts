/**
 * Brings the store in line with what the code declares: upsert by owner, then prune what the code no longer has. Any
 * number of processes may do it at once and again: each task is one transaction over the schedule itself, saying the same
 * twice changes nothing, and a process with an older version leaves everything to the newer one.
 */
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { Documents } from '../store/documents.ts';
import type { Claim, TaskMemo } from './ownership.ts';
import { actorOf, firstDraft, isApplied, memoOf, nextDraft, orphanedNote } from './ownership.ts';
import type { StoredTask } from './stored-task.ts';
import { storedTask, storedTasks } from './stored-task.ts';
import type { RegisteredTask } from './task.ts';

/** What becomes of a schedule that the code no longer declares. */
export type PrunePolicy =
  /** Paused, with all it knows; declared again, it goes on. The default: a rollback loses nothing. */
  | 'disable'
  /** Closed; its ledger stays for as long as retention says. */
  | 'delete'
  /** Left as it is: it goes on firing. */
  | 'keep';

export interface SyncOptions {
  readonly carillon: Carillon;
  readonly owner: string;
  readonly version: number;
  readonly prune: PrunePolicy;
  readonly registries: Documents<RegistryRecord>;
  readonly instance: string;
}

/** The newest code that has synced under an owner. */
export interface RegistryRecord {
  readonly version: number;
  readonly ids: readonly string[];
  readonly instance: string;
  readonly at: Instant;
}

export interface SyncReport {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
  /** No longer declared; what became of them says the policy. */
  readonly pruned: readonly string[];
  /** Tasks that could not be brought in line; nothing was pruned then. */
  readonly failed: readonly Problem[];
  /** The version of newer code that this process left everything to; null: none. */
  readonly supersededBy: number | null;
}

/** The reason of a task whose id somebody else has. */
export const otherOwner = 'OTHER_OWNER';
const newerVersion = 'NEWER_VERSION';

const untouched = { created: [], updated: [], unchanged: [], pruned: [], failed: [] };

type Applied = 'created' | 'updated' | 'unchanged';

export async function syncTasks(tasks: readonly RegisteredTask[], options: SyncOptions): Promise<SyncReport> {
  const { owner, version } = options;
  const newest = await claimVersion(tasks, options);
  if (newest > version) return { ...untouched, supersededBy: newest };

  const done: Record<Applied, string[]> = { created: [], updated: [], unchanged: [] };
  const failed: Problem[] = [];
  await inChunks(tasks, async (task) => {
    try {
      done[await applyTask(task, options, { owner, version, source: 'code' })].push(task.id);
    } catch (error) {
      const { reason, message } = ServiceError.from(error);
      // Newer code has it in hand: that is an answer, not a failure.
      if (reason !== newerVersion) failed.push({ path: task.id, reason, message });
    }
  });
  for (const ids of Object.values(done)) ids.sort();
  const overtaken = await standBack(done.created, options);
  if (overtaken !== null) return { ...done, pruned: [], failed, supersededBy: overtaken };
  const pruned = failed.length > 0 ? [] : await pruneOthers(tasks, options);
  return { ...done, pruned, failed, supersededBy: null };
}

/** Creates the schedule of a task, or puts back what the code owns of it. */
export async function applyTask(
  task: RegisteredTask,
  { carillon, owner }: Pick<SyncOptions, 'carillon' | 'owner'>,
  claim: Claim,
): Promise<Applied> {
  const { namespace } = carillon;
  const service = internalsOf(carillon).services.schedules;
  const name = { namespace, id: task.id };
  const caller = { actor: actorOf(owner), door: 'periodic' };
  const present = await storedTask(carillon, task.id);
  if (present === undefined) {
    // In the moment of its creation or never: a crash in between cannot make it two or none.
    const patch = task.runOnRegister === true && task.enabled ? { trigger: {} } : undefined;
    try {
      await service.create(name, firstDraft(task, claim), caller, patch);
      return 'created';
    } catch (error) {
      if (ServiceError.from(error).reason !== 'ALREADY_EXISTS') throw error;
      // Another process was faster; what is there now is looked at like anything else.
      return await applyTask(task, { carillon, owner }, claim);
    }
  }
  const decide = (before: ScheduleDefinition) => {
    checkOwner(before, task.id, owner);
    checkVersion(memoOf(before), task.id, claim.version);
    return nextDraft(task, claim, { before, used: usedRuns(present) });
  };
  const { definition } = present;
  if (isApplied(decide(definition), definition)) return 'unchanged';
  try {
    await service.update(name, decide, { ...caller, token: present.token });
    return 'updated';
  } catch (error) {
    if (!hasMoved(error)) throw error;
    return await applyTask(task, { carillon, owner }, claim);
  }
}

/** Of the runs it may have in all. */
function usedRuns({ definition, actions, remaining }: StoredTask): number {
  const allowed = memoOf(definition)?.maxRuns ?? null;
  return allowed === null ? actions : allowed - (remaining ?? allowed);
}

/** Somebody changed or closed it since we looked; then we look again. */
function hasMoved(error: unknown): boolean {
  const { reason } = ServiceError.from(error);
  return reason === 'CONFLICT_TOKEN_MISMATCH' || reason === 'EXECUTION_CLOSED' || reason === 'NOT_FOUND';
}

/** The newest version known afterwards; ours, unless somebody's is newer. */
async function claimVersion(tasks: readonly RegisteredTask[], options: SyncOptions): Promise<number> {
  const { carillon, registries, owner, version, instance } = options;
  const ids = tasks.map(({ id }) => id);
  const record = await registries.change(carillon.namespace, owner, (before, now) => {
    if (before !== undefined && before.version > version) return before;
    if (before?.version === version && before.ids.join() === ids.join()) return before;
    return { version, ids, instance, at: now };
  });
  return record?.version ?? version;
}

/**
 * Newer code may have come while we were at it, and pruned what we were about to create. Then what only we know goes
 * again. Null: nobody came.
 */
async function standBack(created: readonly string[], options: SyncOptions): Promise<number | null> {
  const { carillon, registries, owner, version } = options;
  const record = (await registries.get(carillon.namespace, owner))?.data;
  if (record === undefined || record.version <= version) return null;
  for (const id of created) {
    const present = await storedTask(carillon, id);
    const isOurs = present !== undefined && memoOf(present.definition)?.version === version;
    if (!isOurs || record.ids.includes(id)) continue;
    await removeTask(carillon, owner, id).catch((error: unknown) => {
      if (!hasMoved(error)) throw error;
    });
  }
  return record.version;
}

async function pruneOthers(
  tasks: readonly RegisteredTask[],
  { carillon, owner, version, prune }: SyncOptions,
): Promise<readonly string[]> {
  if (prune === 'keep') return [];
  const declared = new Set(tasks.map(({ id }) => id));
  const pruned: string[] = [];
  for (const { id, definition } of (await storedTasks(carillon, owner)).tasks) {
    const memo = memoOf(definition);
    const isOurs = memo?.source === 'code' && memo.version <= version && !declared.has(id);
    if (!isOurs || (prune === 'disable' && memo.orphaned)) continue;
    try {
      if (prune === 'delete') await removeTask(carillon, owner, id);
      else await orphan(carillon, owner, id);
      pruned.push(id);
    } catch (error) {
      // Another process with the same code was faster.
      if (!hasMoved(error)) throw error;
    }
  }
  return pruned;
}

async function removeTask(carillon: Carillon, owner: string, id: string): Promise<void> {
  await carillon.schedules.delete(id, { actor: actorOf(owner), note: orphanedNote });
}

async function orphan(carillon: Carillon, owner: string, id: string): Promise<void> {
  const caller = { actor: actorOf(owner), door: 'periodic', note: orphanedNote };
  await internalsOf(carillon).services.schedules.update(
    { namespace: carillon.namespace, id },
    ({ seed: _, timeZoneVersion: __, paused, remaining: ___, ...rest }) => ({
      ...rest,
      memo: { ...rest.memo, periodic: { ...(rest.memo.periodic as TaskMemo), orphaned: true } },
      ...(paused === null ? { paused: { note: orphanedNote } } : {}),
    }),
    caller,
  );
}

function checkOwner({ owner: of }: ScheduleDefinition, id: string, owner: string): void {
  if (of === owner) return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: otherOwner,
    message: `schedule '${id}' belongs to ${of === '' ? 'nobody' : `'${of}'`}, not to '${owner}'; rename the task, or delete that schedule`,
  });
}

function checkVersion(memo: TaskMemo | undefined, id: string, version: number): void {
  if (memo === undefined || memo.version <= version) return;
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: newerVersion,
    message: `schedule '${id}' was declared by version ${memo.version}; this code is version ${version}`,
  });
}

/** Tasks looked at together: stores commit what arrives together as one. */
const chunkSize = 100;

async function inChunks<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += chunkSize) {
    results.push(...(await Promise.all(items.slice(from, from + chunkSize).map(each))));
  }
  return results;
}
