/** What a person defined: when and how a schedule runs. Written by API calls only, never by a fire; every version is kept. */

import type { Instant } from '../base/time.ts';
import { day, hour } from '../base/time.ts';
import { defineComponent, stateOf } from '../engine/component.ts';
import { type MissedPolicy, missedPolicies } from '../ledger/era.ts';
import type { RetryPolicy } from '../runs/retry.ts';
import type { SentFields } from '../runs/run.ts';
import type { ScheduleSpec } from '../spec/index.ts';

export const overlapPolicies = [
  /** Does not start while another run is unfinished. */
  'skip',
  /** Lets one start wait: the oldest. */
  'bufferOne',
  /** Lets all starts wait, in order. */
  'bufferAll',
  /** Asks the running one to stop, then starts. */
  'cancelOther',
  /** Terminates the running one at once, then starts. */
  'terminateOther',
  /** Starts regardless of other runs. */
  'allowAll',
] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

export { lateAfter, type MissedPolicy, missedPolicies } from '../ledger/era.ts';

/** The policies for missed slots as people write them: `once` is another word for `latest`. */
export const missedWords = [...missedPolicies, 'once'] as const;
export type MissedWord = (typeof missedWords)[number];

export function missedPolicyOf(word: MissedWord): MissedPolicy {
  return word === 'once' ? 'latest' : word;
}

/** A catch-up window without end, as it is stored: ten thousand years, the longest duration there is. */
export const unlimitedWindow = 315_576_000_000_000;

export interface SchedulePolicy {
  readonly overlap: OverlapPolicy;
  /** How many runs may be unfinished at once before a further start has to wait. */
  readonly limit: number;
  /** The largest number of unfinished runs, even if `overlap` allows more; absent: 10,000. */
  readonly outstanding?: number;
  /** How late a slot may be noticed and still run; 0: no late slot runs; `unlimitedWindow`: however late. */
  readonly catchupWindowMs: number;
  readonly missed: MissedPolicy;
  /** With `all`: how many of the newest due slots run; absent: every one. */
  readonly missedLimit?: number;
  /** With `all`: the time between the starts of two missed slots; absent: all of them start at once. */
  readonly catchupPaceMs?: number;
  /** Pause after this many failures in a row; 0: never. */
  readonly pauseAfterFailures: number;
  /** How long a schedule with nothing left to do stays; 0: for ever. */
  readonly idleCloseMs: number;
  /** Give runs the action's own id instead of id plus time. */
  readonly keepOriginalId: boolean;
}

export const defaultPolicy: SchedulePolicy = {
  overlap: 'skip',
  limit: 1,
  catchupWindowMs: hour,
  missed: 'all',
  pauseAfterFailures: 0,
  idleCloseMs: 7 * day,
  keepOriginalId: false,
};

export interface RunSettings {
  readonly retry?: Partial<RetryPolicy>;
  /** What a Temporal client sent with the action, decoded for handlers; see `RunContext`. */
  readonly sent?: SentFields;
  readonly attemptTimeoutMs?: number;
  readonly executionTimeoutMs?: number;
  readonly leaseMs?: number;
  /** What a door keeps with each run, for the code that works on it. */
  readonly memo?: Readonly<Record<string, unknown>>;
  /** How long a run may wait while no living worker knows its handler; 0: for ever. */
  readonly unclaimedMs?: number;
  /** Work outside that goes on when an attempt ends without knowing how; the kind of work says so. */
  readonly outlasts?: true;
}

/** What a slot starts: a run on one of Carillon's queues. Work elsewhere (HTTP, a command, …) is a run whose worker makes the request. */
export interface ScheduleAction {
  /** The kind of work; `run` is a handler registered by name, others are the names of action targets. */
  readonly kind: string;
  readonly queue: string;
  /** The workflow type: name of the handler. */
  readonly name: string;
  /** Any JSON; handed to the handler. */
  readonly input: unknown;
  readonly priority: number;
  /** Base of the ids of started runs; the schedule's id when empty. */
  readonly workflowId: string;
  /** Whether started runs can be found by their workflow id, and at most one of them is unfinished under it; costs two index entries per run. */
  readonly findable?: boolean;
  /** Keys that every start adds to an input that is an object or null, over the action's own keys of the same name. */
  readonly inject?: Readonly<Record<string, Injected>>;
  readonly settings: RunSettings;
}

/** What a start can say of itself in its run's input. */
export const injectable = [
  /** The id of the schedule. */
  'schedule',
  /** The nominal time, in milliseconds. */
  'scheduledAt',
  /** When the start was decided, in milliseconds. */
  'startedAt',
  'runId',
  /** The cron text behind the nominal time and its zone, separated by a blank. */
  'cron',
] as const;
export type Injected = (typeof injectable)[number];

export interface Pause {
  readonly at: Instant;
  readonly by: string;
  readonly note: string;
  /** The time at which the schedule resumes by itself. */
  readonly until?: Instant;
}

/**
 * Settings of doors that have no field here, kept unchanged: by door, then by part. Parts named `spec`, `action`, `memo`
 * and `attributes` belong to the field of that name, and are dropped when it changes through another door.
 */
export type Origin = Readonly<Record<string, DoorWords>>;

/** What one door keeps, by part. */
export type DoorWords = Readonly<Record<string, string>>;

export interface ScheduleDefinition {
  readonly spec: ScheduleSpec;
  readonly action: ScheduleAction;
  readonly policy: SchedulePolicy;
  readonly paused: Pause | null;
  /** The number of actions that was asked for; the number that is left is in the schedule's hot state. Null: no limit. */
  readonly remaining: number | null;
  /** Free text, shown with the schedule; the reason of the last pause or resume. */
  readonly note: string;
  readonly description: string;
  /** The owner: a service or a team. */
  readonly owner: string;
  /** The declaration of the owner that made it; absent: made by hand. */
  readonly declaredBy?: string;
  readonly tags: readonly string[];
  /** Opaque to Carillon, returned to clients. */
  readonly memo: Readonly<Record<string, unknown>>;
  /** Custom search attributes. */
  readonly attributes: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** The requests in the form of the doors they came through, for those doors to return; no door reads another's. */
  readonly origin?: Origin;
  /** The text that the jitter is derived from. */
  readonly seed: string;
  /** IANA release in force when this version was written. */
  readonly timeZoneVersion: string;
}

export const Definition = defineComponent({
  name: 'definition',
  state: stateOf<ScheduleDefinition>(),
  storage: 'cold',
  keepHistory: true,
});
