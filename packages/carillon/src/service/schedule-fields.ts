/**
 * Every input field of a schedule: its schema, what to write instead of a wrong value, and, for policies, how it is
 * stored. The type `ScheduleInput` is derived from these tables; checks, storage, write-back, patches, plans and API
 * descriptions read them. A new field needs a row here, a field of the stored definition, and its use.
 */
import { z } from 'zod';
import { readDuration } from '../base/duration.ts';
import {
  durationFix,
  durationShape,
  field,
  type InputOf,
  instantFix,
  instantShape,
  needed,
} from '../base/fields.ts';
import type { MissedWord, SchedulePolicy } from '../scheduler/definition.ts';
import {
  defaultPolicy,
  missedPolicyOf,
  missedWords,
  overlapPolicies,
  unlimitedWindow,
} from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { type ActionInput, actionInput } from './action-input.ts';

/** The sources of times. Each of them alone defines when a schedule runs; together they mean their union. */
export const sourceFields = {
  /** A cron text: five fields, or six with seconds first. */
  cron: field(
    z.union([z.string(), z.array(z.string()).min(1)]),
    "write a cron text, e.g. '0 9 * * 1-5', or a list of them",
  ),
  /** An interval counted from the Unix epoch: `'15m'`. */
  every: field(durationShape, durationFix),
  /** Single points in time. */
  at: field(z.union([instantShape, z.array(instantShape).min(1)]), instantFix),
  /** A recurrence rule (RFC 5545). */
  rrule: field(z.string(), "write an RFC 5545 rule, e.g. 'FREQ=DAILY;BYHOUR=9'"),
  /** The full spec, see `carillon/spec`; the other fields are added to it. */
  spec: field(
    // The spec library checks the details.
    z.record(z.string(), z.unknown()) as unknown as z.ZodType<unknown, ScheduleSpec>,
    'write an object as in carillon/spec',
  ),
};

/** Fields that refine a source and mean nothing without one. */
export const sourceDetails = {
  /** The dialect of `cron`. Default `unix`. */
  dialect: field(z.enum(['unix', 'temporal', 'spring']), 'write unix, temporal or spring'),
  /** Shifts the interval: `every: '1h', offset: '5m'` is five past each hour (UTC). */
  offset: field(durationShape, durationFix),
};

/** Fields that apply to all sources. */
export const boundFields = {
  /** The IANA name of the time zone; default UTC. */
  zone: field(z.string(), 'write an IANA name such as Europe/Berlin'),
  /** How to treat wall-clock times that a clock change skips or repeats. */
  dst: field(
    z.strictObject({
      gap: field(z.enum(['skip', 'shift', 'gapEnd']), 'write skip, shift or gapEnd'),
      fold: field(z.enum(['first', 'last', 'both']), 'write first, last or both'),
    }),
    'write e.g. { gap: "shift", fold: "first" }',
  ),
  /** The earliest time of a slot. */
  startAt: field(instantShape, instantFix),
  /** The latest time of a slot. */
  endAt: field(instantShape, instantFix),
  /** The most by which each start is delayed, at random. */
  jitter: field(durationShape, durationFix),
  /** Whole local days on which nothing runs: `'2026-12-25'`. */
  excludeDates: field(z.array(z.string()), "write a list of local days, e.g. ['2026-12-25']"),
};

export const policyFields = {
  /** What happens to a slot while an earlier run is unfinished. Default `skip`. */
  overlap: field(z.enum(overlapPolicies), `write one of ${overlapPolicies.join(', ')}`),
  /** The number of unfinished runs from which the overlap policy applies. Default 1. */
  limit: field(z.int().min(1).max(10_000), 'write a whole number from 1 to 10000'),
  /** The number of unfinished runs beyond which slots are dropped as `bufferFull`, under every overlap policy. Default 10,000. */
  outstanding: field(z.int().min(1).max(1_000_000), 'write a whole number from 1 to 1000000'),
  /** How late a slot may still start. Default one hour; `'0s'` allows no late start, `'unlimited'` any. */
  catchup: field(z.union([durationShape, z.literal('unlimited')]), `${durationFix}, or 'unlimited'`),
  /** Which of the missed slots run later. Default `all`; `once` is a synonym of `latest`. */
  missed: field(z.enum(missedWords), `write one of ${missedWords.join(', ')}`),
  /**
   * With `missed: 'all'`: the most slots that run when several are due at once; the newest are kept and run oldest
   * first.
   */
  missedLimit: field(z.int().min(1).max(1000), 'write a whole number from 1 to 1000'),
  /** With `missed: 'all'`: the time between the starts of two missed slots. Default: they all start at once. */
  catchupPace: field(durationShape, durationFix),
  /** The number of consecutive failures after which the schedule is paused. Default 0: never. */
  pauseAfterFailures: field(z.int().min(0).max(1_000_000), 'write a whole number; 0 means never'),
  /** How long a finished schedule is kept open. Default seven days, for ever without any times; 0 means for ever. */
  idleClose: field(durationShape, durationFix),
  /** Whether runs get the action's own id instead of id plus time. */
  keepOriginalId: field(z.boolean(), 'write true or false'),
};

/** Policies that are stored in milliseconds, with their stored names. */
const storedLengths = {
  catchup: 'catchupWindowMs',
  catchupPace: 'catchupPaceMs',
  idleClose: 'idleCloseMs',
} as const;

/** Initial values of the schedule's state: its pause and its remaining actions. */
export const stateFields = {
  /** Whether the schedule is paused, optionally with a note. In an update, absent keeps the present state. */
  paused: field(z.union([z.boolean(), z.string()]), 'write true, false, or the reason of the pause'),
  /** How many times the schedule may still act; null or absent means no limit. */
  remaining: field(z.int().min(0).nullable(), 'write a whole number of at least 0, or null for no limit'),
};

const attribute = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** Descriptive fields, stored as they are. */
export const aboutFields = {
  /** A free text that is shown with the schedule. */
  note: field(z.string().max(1000), 'write at most 1000 characters'),
  /** What the schedule is for, at most 10,000 characters. */
  description: field(z.string().max(10_000), 'write at most 10000 characters'),
  /** The owner: a service or a team. */
  owner: field(z.string().max(255), 'write at most 255 characters'),
  /**
   * The owner's declaration that made the schedule, such as `manifest:default`; pruning only removes schedules of its
   * own declaration.
   */
  declaredBy: field(z.string().max(255), 'leave it out; tools that declare schedules set it'),
  /** Words to find it by, at most 100. */
  tags: field(
    z.array(z.string().min(1).max(255)).max(100),
    'write a list of at most 100 texts of 1 to 255 characters',
  ),
  /** Plain data that is stored and shown with the schedule. */
  memo: field(z.record(z.string(), z.unknown()), 'write an object of plain data'),
  /** Custom attributes for searches. */
  attributes: field(
    z.record(z.string().regex(/^[^$]/, "names beginning with '$' are ours"), attribute),
    "write names that do not begin with '$', with texts, numbers, true/false or lists of texts",
  ),
};

const ownFields = {
  ...sourceFields,
  ...sourceDetails,
  ...boundFields,
  ...policyFields,
  ...stateFields,
  ...aboutFields,
};

/** The schema of a schedule's input. */
export const scheduleInput = needed(
  z.strictObject({
    ...sourceFields,
    ...sourceDetails,
    ...boundFields,
    ...actionInput,
    ...policyFields,
    ...stateFields,
    ...aboutFields,
  }),
  "write an object such as { cron: '0 2 * * *', run: 'report' }; in code, the id stands before it",
);

/** Every field of a schedule. */
export const fieldNames: readonly string[] = Object.keys(scheduleInput.shape);

/**
 * The input of a schedule. When it runs: one or more of `cron`, `every`, `at`, `rrule`, `spec` (their union), or none
 * for a schedule that only runs when triggered. What it runs: exactly one kind of work, such as `run` or `http`.
 */
export interface ScheduleInput extends ActionInput, InputOf<typeof ownFields> {}

type PolicyName = keyof typeof policyFields;
export type PolicyInput = Pick<ScheduleInput, PolicyName>;
const policyNames = Object.keys(policyFields) as readonly PolicyName[];

export function readPolicy(input: PolicyInput): SchedulePolicy {
  const policy: Record<string, unknown> = { ...defaultPolicy };
  for (const name of policyNames) {
    const value = input[name];
    if (value !== undefined) policy[storedName(name)] = storedValue(name, value);
  }
  // Every field has its default or a value that its schema accepted; a property test proves the round trip.
  return policy as unknown as SchedulePolicy;
}

/** Converts an input value to its stored value. */
function storedValue(name: PolicyName, value: unknown): unknown {
  if (value === 'unlimited') return unlimitedWindow;
  if (name === 'missed') return missedPolicyOf(value as MissedWord);
  return isLength(name) ? readDuration(value as string) : value;
}

function shownValue(name: PolicyName, value: unknown): unknown {
  return name === 'catchup' && value === unlimitedWindow ? 'unlimited' : value;
}

/** The inverse of `readPolicy`. */
export function writePolicy(policy: SchedulePolicy): PolicyInput {
  const stored = policy as unknown as Readonly<Record<string, unknown>>;
  const said = policyNames.map((name) => [name, shownValue(name, stored[storedName(name)])] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

/** The schema of the stored policy, for API descriptions. */
export const policyShape = z.strictObject(
  Object.fromEntries(
    policyNames.map((name) => {
      const shape: z.ZodType = isLength(name) ? z.number() : policyFields[name].unwrap();
      const stored = storedName(name);
      return [stored, stored in defaultPolicy ? shape : shape.optional()];
    }),
  ),
);

export function isLength(name: string): name is keyof typeof storedLengths {
  return name in storedLengths;
}

function storedName(name: PolicyName): string {
  return isLength(name) ? storedLengths[name] : name;
}

export type ScheduleAbout = Required<Pick<ScheduleInput, keyof typeof aboutFields>>;

const untold: ScheduleAbout = {
  note: '',
  description: '',
  owner: '',
  declaredBy: '',
  tags: [],
  memo: {},
  attributes: {},
};
const aboutNames = Object.keys(aboutFields) as readonly (keyof ScheduleAbout)[];

/** The descriptive fields of a schedule, with empty values for absent ones. The function is its own inverse. */
export function aboutOf(from: Partial<ScheduleAbout>): ScheduleAbout {
  const said = aboutNames.map((name) => [name, from[name] ?? untold[name]]);
  return Object.fromEntries(said) as ScheduleAbout;
}
