/** The views of a schedule: its definition and its state. */
import { redactAction } from '../action/redaction.ts';
import type { Instant } from '../base/time.ts';
import { optionsOf } from '../runs/run.ts';
import type { BufferedStart } from '../scheduler/buffered-start.ts';
import { slotOfRun, startOf } from '../scheduler/buffered-start.ts';
import type {
  Origin,
  Pause,
  ScheduleAction,
  ScheduleDefinition,
  SchedulePolicy,
} from '../scheduler/definition.ts';
import { idleDeadline, isEnded } from '../scheduler/idle.ts';
import type { Counters, LastCompletion, ScheduleView } from '../scheduler/schedule.ts';
import type { Occurrence, ScheduleSpec } from '../spec/index.ts';
import { describeSpec } from '../spec/index.ts';
import type { ListedExecution, RunRow } from '../store/records.ts';
import type { RecentRun } from './recent-runs.ts';
import { startOfRecent } from './recent-runs.ts';

export interface BackfillView {
  readonly id: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly handed: number;
  /** The slots in the range; null for more than 100,000. */
  readonly total: number | null;
  readonly createdAt: Instant;
}

/** A schedule as it is now. */
export interface ScheduleDescription {
  /** The namespace of the schedule. */
  readonly namespace: string;
  /** The id under which it was made. */
  readonly id: string;
  /** Tells this schedule from an earlier one of the same id. */
  readonly incarnation: string;
  /**
   * `ended`: the spec has no more times or no actions remain; only a trigger, a backfill or a change starts more
   * runs.
   */
  readonly status: 'running' | 'paused' | 'ended' | 'closed' | 'quarantined';
  /** When it is due, in the stored form. */
  readonly spec: ScheduleSpec;
  /** The spec in plain words. */
  readonly words: string;
  /** What it runs; secrets are redacted. */
  readonly action: ScheduleAction;
  /** Overlap, catch-up, retries and limits, with defaults filled in. */
  readonly policy: SchedulePolicy;
  /** Who paused it, when, why and until when; null when it is not paused. */
  readonly paused: Pause | null;
  /** The free text that was stored with it. */
  readonly note: string;
  /** What it is for, in the owner's words. */
  readonly description: string;
  /** The service or team that owns it; empty when none does. */
  readonly owner: string;
  /** The declaration that made it, such as `manifest:default`; empty when a person did. */
  readonly declaredBy: string;
  /** Words to find it by. */
  readonly tags: readonly string[];
  /** Plain data that was stored with it. */
  readonly memo: ScheduleDefinition['memo'];
  /** Custom attributes for searches. */
  readonly attributes: ScheduleDefinition['attributes'];
  /** Settings of other doors that have no field here. */
  readonly origin?: Origin;
  /** The number of its changes; `update` with it refuses to overwrite a change that it did not see. */
  readonly token: number;
  /** How many times it may still act; null when there is no limit. */
  readonly remaining: number | null;
  /** When it was created. */
  readonly createdAt: Instant;
  /** When its definition or pause was last changed. */
  readonly updatedAt: Instant;
  /** When it was deleted or closed itself; null while it is open. */
  readonly closedAt: Instant | null;
  /** When a schedule without work is closed by its `idleClose`, unless something happens to it; null when it stays. */
  readonly closesAt: Instant | null;
  /** How many slots ended in which way since it was created. */
  readonly counters: Counters;
  /** The failed runs in a row up to now. */
  readonly failures: number;
  /** The next time of the schedule; null when there is none. */
  readonly next: Instant | null;
  /** The coming times, with and without jitter; at most ten. */
  readonly future: readonly Occurrence[];
  /** Starts that wait for an earlier run to end. */
  readonly waiting: readonly BufferedStart[];
  /** The newest unfinished runs, the oldest of them first. */
  readonly running: readonly BufferedStart[];
  /** The newest finished runs, newest first; at most ten. */
  readonly recent: readonly BufferedStart[];
  /** The backfills that are under way. */
  readonly backfills: readonly BackfillView[];
  /** What its last completed run returned; null before the first. */
  readonly lastResult: unknown;
  /** How its last run failed; null when it did not fail. */
  readonly lastFailure: unknown;
  /** Why it was quarantined; null when it was not. */
  readonly incident: string | null;
  /** Why this node can read only a part of the schedule; null when it can read all of it. */
  readonly unreadable: string | null;
  /** The version of the time zone tables that this node computes with. */
  readonly timeZoneVersion: string;
  /** The bytes of the row that every fire rewrites. */
  readonly stateBytes: number;
}

export interface ShownRuns {
  /** The newest finished runs of this schedule, newest first. */
  readonly recent: readonly RecentRun[];
  /** The newest unfinished runs, the oldest of them first. */
  readonly running: readonly RunRow[];
}

export function describe(
  view: ScheduleView,
  row: ListedExecution,
  runs: ShownRuns,
  future: readonly Occurrence[],
): ScheduleDescription {
  const { definition, ...rest } = summarize(view, row);
  const { waiting } = view.child('invoker').state;
  const last = view.child('lastCompletion').state;
  return {
    ...rest,
    memo: definition.memo,
    action: redactAction(definition.action),
    future,
    waiting: waiting.map(({ overlap: _, ...slot }) => slot),
    running: runs.running.map((run) => startOf(slotOfRun(run, optionsOf(run)), run)),
    recent: runs.recent.map(startOfRecent),
    backfills: [...view.children('backfills')].map(([id, { state }]) => ({
      id,
      from: state.from,
      to: state.to,
      handed: state.handed,
      total: state.total,
      createdAt: state.createdAt,
    })),
    lastResult: parsed(last.result),
    lastFailure: parsed(last.failure),
    stateBytes: row.state.length,
  };
}

export type ScheduleSummary = Omit<
  ScheduleDescription,
  | 'future'
  | 'waiting'
  | 'running'
  | 'recent'
  | 'backfills'
  | 'lastResult'
  | 'lastFailure'
  | 'stateBytes'
  | 'memo'
  | 'action'
> & {
  /** The action, without its input unless the list includes payloads. */
  readonly action: Omit<ScheduleAction, 'input'> & { readonly input?: unknown };
  readonly runningCount: number;
  readonly waitingCount: number;
};

/** The summary in lists without payloads. */
export function withoutPayloads({ action, origin: _, ...summary }: ScheduleSummary): ScheduleSummary {
  const { input: __, ...rest } = action;
  return { ...summary, action: rest };
}

/** The summary of a schedule in lists. */
export function summarize(
  view: ScheduleView,
  row: ListedExecution,
): ScheduleSummary & { readonly definition: ScheduleDefinition } {
  const { state } = view;
  const definition = view.child('definition').state;
  const { paused } = definition;
  const { waiting, open } = view.child('invoker').state;
  const status = statusOf(view, row);
  return {
    definition,
    namespace: row.key.namespace,
    id: row.key.id,
    incarnation: row.incarnation,
    status,
    spec: definition.spec,
    words: wordsOf(definition),
    action: redactAction(definition.action),
    policy: definition.policy,
    paused,
    note: definition.note,
    description: definition.description,
    owner: definition.owner,
    declaredBy: definition.declaredBy ?? '',
    tags: definition.tags,
    attributes: definition.attributes,
    ...(definition.origin === undefined ? {} : { origin: definition.origin }),
    token: state.token,
    remaining: state.remaining,
    createdAt: row.createdAt,
    updatedAt: state.updatedAt,
    closedAt: row.closedAt,
    closesAt: state.closed === null ? (idleDeadline(view) ?? null) : null,
    counters: state.counters,
    failures: state.failures,
    next: status === 'running' && state.remaining !== 0 ? view.child('generator').state.next : null,
    runningCount: open,
    waitingCount: waiting.length,
    incident: row.incident,
    unreadable: null,
    timeZoneVersion: definition.timeZoneVersion,
  };
}

function statusOf(view: ScheduleView, row: ListedExecution): ScheduleDescription['status'] {
  const { paused } = view.child('definition').state;
  if (view.state.closed !== null) return 'closed';
  if (row.incident !== null) return 'quarantined';
  if (paused !== null) return 'paused';
  return isEnded(view) ? 'ended' : 'running';
}

/** Descriptions by spec. Specs are immutable and shared, so their identity is the key. */
const words = new WeakMap<ScheduleSpec, Words>();

interface Words {
  readonly text: string;
  readonly seed: string;
  /** Whether the words are the same for every schedule; with an `H` they are not. */
  readonly isCommon: boolean;
}

function wordsOf({ spec, seed }: Pick<ScheduleDefinition, 'spec' | 'seed'>): string {
  const known = words.get(spec);
  if (known !== undefined && (known.isCommon || known.seed === seed)) return known.text;
  const text = describeSpec(spec, { seed });
  words.set(spec, { text, seed, isCommon: text === describeSpec(spec) });
  return text;
}

function parsed(text: LastCompletion['result']): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
