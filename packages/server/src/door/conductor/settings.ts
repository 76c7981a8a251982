/** The settings of the scheduler, under the names of the original's properties. */
import { findZone } from 'carillon/spec';
import { z } from 'zod';

/** Properties that tune the original's polling. There is nothing to poll here: each schedule wakes at its own time. */
const withoutEffect = ['pollBatchSize', 'pollingInterval', 'pollingThreadCount'] as const;

const amount = (most: number) => z.coerce.number().int().min(0).max(most);

const fields = z.strictObject({
  /** False: every route of the scheduler is not found. */
  enabled: z.union([z.boolean(), z.stringbool()]).default(true),
  /** The longest random delay of a start, in milliseconds; stored with a schedule when it is saved. */
  jitterMaxMs: amount(86_400_000).default(0),
  /** The number of execution records of a schedule that are kept when the threshold is exceeded. */
  archivalMaxRecords: amount(1000).default(5),
  /** The number of execution records of a schedule above which the oldest are dropped. */
  archivalMaxRecordThreshold: amount(1000).default(10),
  /** The zone of schedules that name none. */
  schedulerTimeZone: z
    .string()
    .refine(
      (name) => findZone(name) !== undefined,
      'not a time zone; write an IANA name such as Europe/Berlin',
    )
    .default('UTC'),
  pollBatchSize: z.unknown().optional(),
  pollingInterval: z.unknown().optional(),
  pollingThreadCount: z.unknown().optional(),
});

/** Names may be written as in properties files (`jitter-max-ms`) or in camel case. */
export const schedulerSettings = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [camelCase(name), value]))
      : given,
  fields,
);

export type SchedulerSettings = z.output<typeof fields>;

export const defaultSettings: SchedulerSettings = fields.parse({});

/** Warnings at start about settings that have no effect. */
export function settingsWithoutEffect(settings: SchedulerSettings): readonly string[] {
  return withoutEffect
    .filter((name) => settings[name] !== undefined)
    .map(
      (name) =>
        `conductor.scheduler.${name} has no effect: schedules wake at their own times and are taken in batches that grow with the backlog, so nothing polls`,
    );
}

/** The environment variables of the settings, as Spring names them: with or without underscores between the words. */
export function settingVariables(): readonly { readonly variable: string; readonly name: string }[] {
  return Object.keys(fields.shape).flatMap((name) => {
    const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const variables = new Set([words, words.replaceAll('_', '')]);
    return [...variables].map((variable) => ({ variable: `CONDUCTOR_SCHEDULER_${variable}`, name }));
  });
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
