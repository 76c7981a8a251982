/**
 * Every field of a schedule as people write it: its shape, what to write instead of something wrong, and, for policies, how
 * it is stored. The type `ScheduleInput` is derived from these tables; checking, storing, writing back, patches, plans and
 * the descriptions of doors read them. A new field is a row here, a field of the stored definition, and its use.
 */
import { z } from 'zod';
import { readDuration } from '../base/duration.ts';
import { durationFix, durationShape, field, type InputOf, instantFix, instantShape } from '../base/fields.ts';
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

/** Each of these alone says when a schedule runs; together they mean their union. */
export const sourceFields = {
  /** Five fields, or six with seconds first. */
  cron: field(
    z.union([z.string(), z.array(z.string()).min(1)]),
    "write a cron text, e.g. '0 9 * * 1-5', or a list of them",
  ),
  /** An interval counted from the Unix epoch: `'15m'`. */
  every: field(durationShape, durationFix),
  /** Single points in time. */
  at: field(z.union([instantShape, z.array(instantShape).min(1)]), instantFix),
  /** RFC 5545. */
  rrule: field(z.string(), "write an RFC 5545 rule, e.g. 'FREQ=DAILY;BYHOUR=9'"),
  /** The full form, see `carillon/spec`; what stands beside it is added. */
  spec: field(
    // The spec library checks it, and knows better.
    z.record(z.string(), z.unknown()) as unknown as z.ZodType<unknown, ScheduleSpec>,
    'write an object as in carillon/spec',
  ),
};

/** These say more about a source, and nothing without one. */
export const sourceDetails = {
  /** Dialect of `cron`. Default `unix`. */
  dialect: field(z.enum(['unix', 'temporal', 'spring']), 'write unix, temporal or spring'),
  /** Shifts the interval: `every: '1h', offset: '5m'` is five past each hour (UTC). */
  offset: field(durationShape, durationFix),
};

/** These hold for every source. */
export const boundFields = {
  /** IANA name; default UTC. */
  zone: field(z.string(), 'write an IANA name such as Europe/Berlin'),
  /** Wall-clock times that a change of the clock leaves out or repeats. */
  dst: field(
    z.strictObject({
      gap: field(z.enum(['skip', 'shift', 'gapEnd']), 'write skip, shift or gapEnd'),
      fold: field(z.enum(['first', 'last', 'both']), 'write first, last or both'),
    }),
    'write e.g. { gap: "shift", fold: "first" }',
  ),
  /** Nothing runs before. */
  startAt: field(instantShape, instantFix),
  /** Nothing runs after. */
  endAt: field(instantShape, instantFix),
  /** Spreads each time by up to this much. */
  jitter: field(durationShape, durationFix),
  /** Whole local days on which nothing runs: `'2026-12-25'`. */
  excludeDates: field(z.array(z.string()), "write a list of local days, e.g. ['2026-12-25']"),
};

export const policyFields = {
  /** What happens to a slot while a run is going on. Default `skip`. */
  overlap: field(z.enum(overlapPolicies), `write one of ${overlapPolicies.join(', ')}`),
  /** Runs that may go on at once before one counts as in the way. Default 1. */
  limit: field(z.int().min(1).max(10_000), 'write a whole number from 1 to 10000'),
  /** How late a slot may still start. Default one hour; `'0s'`: nothing late runs; `'unlimited'`: however late. */
  catchup: field(z.union([durationShape, z.literal('unlimited')]), `${durationFix}, or 'unlimited'`),
  /** Which of the missed slots run after all. Default `all`; `once` is another word for `latest`. */
  missed: field(z.enum(missedWords), `write one of ${missedWords.join(', ')}`),
  /** With `missed: 'all'`: of several that are due at once, only the newest so many run, oldest first. */
  missedLimit: field(z.int().min(1).max(1000), 'write a whole number from 1 to 1000'),
  /** Pause after this many failures in a row. Default 0: never. */
  pauseAfterFailures: field(z.int().min(0).max(1_000_000), 'write a whole number; 0 means never'),
  /** How long a finished schedule stays. Default seven days; 0: for ever. */
  idleClose: field(durationShape, durationFix),
  /** Give runs the action's own id instead of id plus time. */
  keepOriginalId: field(z.boolean(), 'write true or false'),
};

/** Policies that are stored in milliseconds, under a name that says so. */
const storedLengths = { catchup: 'catchupWindowMs', idleClose: 'idleCloseMs' } as const;

/** These begin a state that later belongs to the schedule: who pauses it, and how often it has acted. */
export const stateFields = {
  /** Created paused, with a note. On update, absent keeps the present state. */
  paused: field(z.union([z.boolean(), z.string()]), 'write true, false, or the reason of the pause'),
  /** How many times it may still act; null or absent: without limit. */
  remaining: field(z.int().min(0).nullable(), 'write a whole number of at least 0, or null for no limit'),
};

const attribute = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** These are stored as they are. */
export const aboutFields = {
  /** Free text, shown with the schedule. */
  note: field(z.string().max(1000), 'write at most 1000 characters'),
  description: field(z.string().max(10_000), 'write at most 10000 characters'),
  /** Whose it is: a service or a team. */
  owner: field(z.string().max(255), 'write at most 255 characters'),
  /** Which declaration of the owner made it, such as `manifest:default`; tools that prune touch only their own. */
  declaredBy: field(z.string().max(255), 'leave it out; tools that declare schedules set it'),
  tags: field(
    z.array(z.string().min(1).max(255)).max(100),
    'write a list of at most 100 texts of 1 to 255 characters',
  ),
  /** Plain data that is kept and shown with the schedule. */
  memo: field(z.record(z.string(), z.unknown()), 'write an object of plain data'),
  /** What the schedule can be searched by, besides its own fields. */
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

/** The shape of what people hand in. */
export const scheduleInput = z.strictObject({
  ...sourceFields,
  ...sourceDetails,
  ...boundFields,
  ...actionInput,
  ...policyFields,
  ...stateFields,
  ...aboutFields,
});

/** Every field of a schedule. */
export const fieldNames: readonly string[] = Object.keys(scheduleInput.shape);

/**
 * A schedule as people write it. When: one or more of `cron`, `every`, `at`, `rrule`, `spec` (their union), or none for a
 * schedule that only runs when triggered. What: exactly one kind of work, such as `run` or `http`.
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
  // Every field has its default or what its schema accepted; the round trip is proved by a property.
  return policy as unknown as SchedulePolicy;
}

/** Words that stand for a stored value. */
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

/** Shape of the stored policy, for doors that show it. */
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

export type About = Required<Pick<ScheduleInput, keyof typeof aboutFields>>;

const untold: About = {
  note: '',
  description: '',
  owner: '',
  declaredBy: '',
  tags: [],
  memo: {},
  attributes: {},
};
const aboutNames = Object.keys(aboutFields) as readonly (keyof About)[];

/** What is said about a schedule beside when, what and how; empty where nothing is. Its own inverse. */
export function aboutOf(from: Partial<About>): About {
  const said = aboutNames.map((name) => [name, from[name] ?? untold[name]]);
  return Object.fromEntries(said) as About;
}
