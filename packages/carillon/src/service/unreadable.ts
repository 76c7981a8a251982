/**
 * Schedules whose row this node cannot read, because it is damaged or because a newer version of the program wrote
 * it, which is normal during a rolling upgrade. Views show the readable parts (their attributes, and the definition
 * if it is intact) with the reason, so that one of them never hides the others.
 */
import { isServiceError, ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { readStamp } from '../engine/history.ts';
import { NewerVersion } from '../engine/newer-version.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import { Definition, defaultPolicy } from '../scheduler/definition.ts';
import type { ScheduleState, ScheduleView } from '../scheduler/schedule.ts';
import { isStoreError } from '../store/error.ts';
import type { AttributeValue, ListedExecution } from '../store/records.ts';
import type { Store } from '../store/store.ts';

export interface Unreadable {
  /** `newer`: nodes with the newer program can read the row, and the schedule works there. */
  readonly kind: 'damaged' | 'newer';
  readonly reason: string;
}

/** What an error during a read says about the row; undefined when it says nothing. */
export function unreadableBy(error: unknown): Unreadable | undefined {
  if (error instanceof NewerVersion) return { kind: 'newer', reason: error.message };
  if (isServiceError(error) || (isStoreError(error) && error.trouble !== 'corrupt')) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'damaged', reason: `its stored state cannot be read: ${reason}` };
}

export function unreadableError(id: string, { kind, reason }: Unreadable): ServiceError {
  const remedy =
    kind === 'newer' ? 'ask a node that runs the newer version' : 'delete it, or restore it from a backup';
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'UNREADABLE',
    message: `schedule '${id}': ${reason}; ${remedy}`,
  });
}

/** The row for views: a damaged row counts as quarantined, even before a step has found the damage. */
export function markedRow(row: ListedExecution, { kind, reason }: Unreadable): ListedExecution {
  return kind === 'newer' ? row : { ...row, incident: row.incident ?? reason };
}

/** The newest definition, if it can be read. */
async function storedDefinition(store: Store, incarnation: string): Promise<ScheduleDefinition | undefined> {
  try {
    const newest = (await store.parts({ incarnation, name: Definition.name })).at(-1);
    return newest === undefined ? undefined : readStamp(Definition, newest.data);
  } catch (error) {
    if (unreadableBy(error) === undefined) throw error;
    return undefined;
  }
}

/** A substitute for the tree that cannot be read: it has the values of the row and is empty otherwise. */
export async function standInView(store: Store, row: ListedExecution, now: Instant): Promise<ScheduleView> {
  const definition = (await storedDefinition(store, row.incarnation)) ?? definitionFrom(row);
  const { $next, $failures } = row.signals;
  const state: ScheduleState = {
    token: 0,
    updatedAt: row.createdAt,
    closed: row.status === 'closed' ? 'deleted' : null,
    remaining: definition.remaining,
    failures: $failures ?? 0,
    lastEventAt: row.createdAt,
    causes: 0,
    counters: { actions: 0, overlapSkipped: 0, missedCatchupWindow: 0, bufferDropped: 0 },
  };
  const children = {
    definition,
    generator: { cursor: now, next: $next ?? null, eras: [], stretch: null },
    invoker: { waiting: [], open: 0, newest: [], starts: 0, stopping: null },
    lastCompletion: { result: null, failure: null },
  };
  const view = {
    path: '',
    state,
    now,
    key: row.key,
    incarnation: row.incarnation,
    version: row.version,
    child: (name: keyof typeof children) => ({ state: children[name] }),
    children: () => new Map(),
  };
  // The code that shows schedules uses only these members of a view.
  return view as unknown as ScheduleView;
}

function definitionFrom({ key, attributes, createdAt }: ListedExecution): ScheduleDefinition {
  const { $name, $queue, $kind, $owner, $tags, $paused, $text: _, ...custom } = attributes;
  return {
    spec: {},
    action: {
      kind: text($kind),
      queue: text($queue),
      name: text($name),
      input: null,
      priority: 0,
      workflowId: '',
      settings: {},
    },
    policy: defaultPolicy,
    paused: $paused === true ? { at: createdAt, by: '', note: '' } : null,
    remaining: null,
    note: '',
    description: '',
    owner: text($owner),
    tags: Array.isArray($tags) ? $tags : [],
    memo: {},
    attributes: custom,
    seed: key.id,
    timeZoneVersion: '',
  };
}

function text(value: AttributeValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
