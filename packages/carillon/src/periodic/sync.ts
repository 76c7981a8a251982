/**
 * Syncs the store with the code's declarations: upserts the declared tasks of an owner, then prunes those no longer
 * declared. Any number of processes may do it at once and repeatedly: each task is one transaction over its schedule,
 * a repeated declaration changes nothing, and a process with an older version leaves everything to the newer one.
 */
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { SchedulePatch } from '../scheduler/patch.ts';
import type { DeclarationStep, Declarer, Refused } from '../service/declaration.ts';
import { applyStep, belonging, planPrune, planStep } from '../service/declaration.ts';
import { ServiceDeclarations } from '../service/service-declarations.ts';
import type { Documents } from '../store/documents.ts';
import type { TaskOrigin } from './ownership.ts';
import {
  actorOf,
  declaredTask,
  memoOf,
  newerVersion,
  orphanedDraft,
  orphanedNote,
  periodicDeclaration,
} from './ownership.ts';
import type { StoredPeriodicTask } from './stored-task.ts';
import { storedTask, storedTasks } from './stored-task.ts';
import type { RegisteredTask } from './task.ts';

/** What happens to a schedule that the code no longer declares. */
export type PrunePolicy =
  /**
   * It is paused with its state and continues when it is declared again. This is the default: a rollback loses
   * nothing.
   */
  | 'disable'
  /** It is closed; its ledger is kept as long as the retention policy says. */
  | 'delete'
  /** It is left as it is and goes on firing. */
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
  /** Tasks that are no longer declared, handled by the prune policy. */
  readonly pruned: readonly string[];
  /** Tasks that could not be synced. If there is one, nothing was pruned. */
  readonly failed: readonly Problem[];
  /** The version of newer code that this process left everything to; null when there is none. */
  readonly supersededBy: number | null;
}

/** The reason when a schedule of another declarer has the task's id. */
export const otherOwner = 'OTHER_OWNER';

const untouched = { created: [], updated: [], unchanged: [], pruned: [], failed: [] };

type Applied = 'created' | 'updated' | 'unchanged';

export async function syncTasks(tasks: readonly RegisteredTask[], options: SyncOptions): Promise<SyncReport> {
  const { owner, version } = options;
  const newest = await recordVersion(tasks, options);
  if (newest > version) return { ...untouched, supersededBy: newest };

  const done: Record<Applied, string[]> = { created: [], updated: [], unchanged: [] };
  const failed: Problem[] = [];
  await inChunks(tasks, async (task) => {
    try {
      done[await applyTask(task, options, { owner, version, source: 'code' })].push(task.id);
    } catch (error) {
      const { reason, message } = ServiceError.from(error);
      // Newer code declares the task, which is an expected answer and not a failure.
      if (reason !== newerVersion) failed.push({ path: task.id, reason, message });
    }
  });
  for (const ids of Object.values(done)) ids.sort();
  const overtaken = await withdrawCreated(done.created, options);
  if (overtaken !== null) return { ...done, pruned: [], failed, supersededBy: overtaken };
  const pruned = failed.length > 0 ? [] : await pruneOthers(tasks, options);
  return { ...done, pruned, failed, supersededBy: null };
}

/** Creates the schedule of a task, or restores its declaration. */
export async function applyTask(
  task: RegisteredTask,
  { carillon, owner }: Pick<SyncOptions, 'carillon' | 'owner'>,
  origin: TaskOrigin,
): Promise<Applied> {
  // The trigger is part of the transaction that creates the schedule, so that a crash cannot cause two runs or none.
  const isTriggered = task.runOnRegister === true && task.enabled;
  const port = portOf({ carillon, owner }, isTriggered ? { trigger: {} } : undefined);
  const declared = declaredTask(task, origin);
  for (;;) {
    const step = planStep(declarerOf(owner), declared, await storedTask(carillon, task.id));
    if (step.kind === 'foreign') throw foreignTask(step, owner);
    const outcome = await applyStep(port, step);
    if (outcome.ok)
      return step.kind === 'create' ? 'created' : step.kind === 'update' ? 'updated' : 'unchanged';
    // Another process was faster; its schedule is read and handled like any existing one.
    if (!outcome.moved) throw outcome.error;
  }
}

function declarerOf(owner: string): Declarer {
  return { owner, declaredBy: periodicDeclaration };
}

function portOf({ carillon, owner }: Pick<SyncOptions, 'carillon' | 'owner'>, onCreate?: SchedulePatch) {
  return new ServiceDeclarations({
    service: internalsOf(carillon).services.schedules,
    namespace: carillon.namespace,
    caller: { actor: actorOf(owner), door: 'periodic' },
    pruneNote: orphanedNote,
    ...given({ onCreate }),
  });
}

/** Records this version and returns the newest one: this one, unless another process has newer code. */
async function recordVersion(tasks: readonly RegisteredTask[], options: SyncOptions): Promise<number> {
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
 * Newer code may have synced meanwhile and pruned tasks that this process then created. Prunes those again. Returns
 * null when no newer code came.
 */
async function withdrawCreated(created: readonly string[], options: SyncOptions): Promise<number | null> {
  const { carillon, registries, owner, version } = options;
  const record = (await registries.get(carillon.namespace, owner))?.data;
  if (record === undefined || record.version <= version) return null;
  const port = portOf(options);
  for (const id of created) {
    const present = await storedTask(carillon, id);
    const isOurs = present !== undefined && memoOf(present)?.version === version;
    if (isOurs && !record.ids.includes(id)) await settle(port, { kind: 'prune', id, token: present.token });
  }
  return record.version;
}

async function pruneOthers(
  tasks: readonly RegisteredTask[],
  options: SyncOptions,
): Promise<readonly string[]> {
  const { carillon, owner, version, prune } = options;
  if (prune === 'keep') return [];
  const declared = new Set(tasks.map(({ id }) => id));
  const candidates = (await storedTasks(carillon, owner)).tasks.filter((task) => {
    const memo = memoOf(task);
    const isOurs = memo?.source === 'code' && memo.version <= version;
    return isOurs && !(prune === 'disable' && memo.orphaned);
  });
  const byId = new Map(candidates.map((task) => [task.id, task]));
  const port = portOf(options);
  const pruned: string[] = [];
  for (const step of planPrune(declarerOf(owner), declared, candidates)) {
    const task = byId.get(step.id) as StoredPeriodicTask;
    const { id, token } = task;
    const done: DeclarationStep =
      prune === 'delete' ? step : { kind: 'update', id, token, change: { draft: orphanedDraft(task) } };
    if (await settle(port, done)) pruned.push(id);
  }
  return pruned;
}

/** Returns false when another process with the same code, or a person, was faster; their change is kept. */
async function settle(port: ServiceDeclarations, step: DeclarationStep): Promise<boolean> {
  const outcome = await applyStep(port, step);
  if (!outcome.ok && !outcome.moved) throw outcome.error;
  return outcome.ok;
}

function foreignTask(step: Refused, owner: string): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: otherOwner,
    message: `schedule '${step.id}' ${belonging(step)}, not to the tasks of '${owner}'; rename the task, or delete that schedule`,
  });
}

/** Tasks processed together, because stores combine concurrent commits. */
const chunkSize = 100;

async function inChunks<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += chunkSize) {
    results.push(...(await Promise.all(items.slice(from, from + chunkSize).map(each))));
  }
  return results;
}
