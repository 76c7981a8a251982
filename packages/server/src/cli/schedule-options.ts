/**
 * Builds a schedule's definition from options and files. The server checks the values; this file only maps options to
 * fields.
 */

import type { ScheduleInput } from 'carillon/client';

import type { commandLines } from 'carillon/internal/action';
import { given } from 'carillon/internal/base';
import type { Context } from 'carillon/internal/cli';
import {
  BadInput,
  BadValue,
  type Command,
  fileName,
  Option,
  readText,
  readWhole,
} from 'carillon/internal/cli';

/** Values of options by camel-cased name. An option with the name of a schedule's field sets that field. */
export interface DefinitionOptions {
  readonly file?: string;
  readonly cron?: readonly string[];
  readonly at?: readonly string[];
  readonly excludeDate?: readonly string[];
  readonly attempts?: number;
  readonly retryDelay?: readonly string[];
  readonly retryJitter?: number;
  readonly tag?: readonly string[];
  readonly [field: string]: unknown;
}

const several = (value: string, before: readonly string[] = []) => [...before, value];

/** The library's table of action kinds and their options, loaded only by commands that need it. */
export type KindOptions = typeof commandLines;

export function definitionOptions(command: Command, kinds: KindOptions): Command {
  const withKinds = (part: 'choosing' | 'further') => (to: Command) =>
    kinds
      .flatMap((kind) => kind[part])
      .reduce((before, { flags, description }) => before.option(flags, description), to);
  const when = command
    .option('-f, --file <file>', 'definition as JSON; - reads it from standard input')
    .optionsGroup('When:')
    .option('--cron <expression>', "cron expression, such as '0 9 * * 1-5'; may be repeated", several)
    .addOption(new Option('--dialect <dialect>', 'how to read it').choices(['unix', 'temporal', 'spring']))
    .option('--every <length>', 'a fixed interval, such as 15m')
    .option('--offset <length>', 'shifts the interval')
    .option('--at <time>', 'a single time, RFC 3339; may be repeated', several)
    .option('--rrule <rule>', 'an RFC 5545 rule')
    .option('-z, --zone <name>', 'IANA time zone (default: UTC)')
    .option('--start-at <time>', 'nothing before')
    .option('--end-at <time>', 'nothing after')
    .option('--jitter <length>', 'spread each time by up to this much')
    .option(
      '-x, --exclude-date <date>',
      'leave out a whole day, such as 2026-12-25; may be repeated',
      several,
    );
  const what = withKinds('choosing')(when.optionsGroup('What (one of):'));
  return withKinds('further')(what.optionsGroup('With:'))
    .option('--input <json>', 'handed to the run', readJson)
    .option('--queue <name>', 'queue of the handler')
    .option('--priority <priority>', 'high, normal, low or a whole number', readPriority)
    .option('--attempts <number>', 'attempts of one run', readWhole)
    .option(
      '--retry-delay <length>',
      'pause before the second attempt, the third, …; may be repeated',
      several,
    )
    .option('--retry-jitter <fraction>', 'shorten pauses at random, from 0 (not) to 1', Number)
    .option('--timeout <length>', 'of the whole run, retries included')
    .optionsGroup('How:')
    .option(
      '--overlap <policy>',
      'while one is running: skip, bufferOne, bufferAll, cancelOther, terminateOther, allowAll',
    )
    .option('--limit <number>', 'runs that may go on at once', readWhole)
    .option('--catchup <length>', 'how late a slot may still start')
    .option('--missed <policy>', 'what runs of the missed slots: all, once, skip')
    .option('--pause-after-failures <number>', 'pause after this many failures in a row', readWhole)
    .option('--remaining <number>', "how many times it may still act; 'none': without limit", readRemaining)
    .optionsGroup('About:')
    .option('--description <text>', 'for people')
    .option('--owner <name>', 'who declares it')
    .option('--tag <tag>', 'may be repeated', several);
}

/** `id` is the id in the command. A definition that was copied from the page also contains its id, which must be the same. */
export async function readDefinition(
  context: Context,
  id: string,
  options: DefinitionOptions,
): Promise<ScheduleInput> {
  const {
    file,
    excludeDate,
    attempts,
    retryDelay: delays,
    retryJitter: jitter,
    tag,
    cron,
    at,
    ...rest
  } = options;
  const retry = given({ attempts, delays, jitter });
  const { commandLines: kinds, fieldNames } = await import('carillon/internal/action');
  const plain = fieldNames.map((name) => [name, rest[name]] as const);
  // A kind may have an option with the kind's name that sets only one field of the action.
  const asked = kinds.map(({ kind, read }) => [kind, read(rest)] as const);
  const named = given({
    ...Object.fromEntries(plain),
    ...Object.fromEntries(asked),
    cron: cron === undefined ? undefined : single(cron),
    at: at === undefined ? undefined : single(at),
    excludeDates: excludeDate,
    retry: Object.keys(retry).length === 0 ? undefined : retry,
    tags: tag,
  });
  // The server checks every value and says how to correct it.
  return { ...(file === undefined ? {} : await readFile(context, id, file)), ...named } as ScheduleInput;
}

/** Demands exactly one kind of action. The server checks it too, but its message names fields and not options. */
export async function demandAction(definition: ScheduleInput): Promise<void> {
  const { commandLines: kinds } = await import('carillon/internal/action');
  const asked = kinds.filter(({ kind }) => definition[kind] !== undefined);
  if (asked.length === 1) return;
  const flags = (some: KindOptions) => some.flatMap(({ choosing }) => choosing.map((each) => each.flags));
  const [message, reason] =
    asked.length === 0
      ? ['nothing was given to run', 'ACTION_MISSING']
      : [`${flags(asked).join(' and ')} were given`, 'ACTION_AMBIGUOUS'];
  throw new BadInput([{ path: '', reason, message, fix: `give one of ${flags(kinds).join(', ')}` }]);
}

function single(values: readonly string[]): string | readonly string[] {
  return values.length === 1 ? (values[0] as string) : values;
}

async function readFile(context: Context, id: string, file: string): Promise<object> {
  const text = await readText(context, file, '--file');
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      throw new Error('it must be one object');
    const { id: own = id, ...definition } = parsed as { readonly id?: unknown };
    if (own !== id)
      throw new Error(`it defines the schedule '${String(own)}', but the command names '${id}'`);
    return definition;
  } catch (error) {
    const message = `${fileName(file)} is not a definition: ${(error as Error).message}`;
    throw new BadInput([{ path: '--file', reason: 'NOT_JSON', message }]);
  }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadValue(`Write JSON, such as '{"a":1}' or '"text"'.`);
  }
}

function readRemaining(text: string): number | null {
  return text === 'none' ? null : readWhole(text);
}

function readPriority(text: string): string | number {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text;
}
