/** The command that creates a schedule, with options or, if a field has none, with the definition on standard input. Pure. */
import { quoted } from '../parts/quoted.ts';

type Fields = Readonly<Record<string, unknown>>;

const options: Readonly<Record<string, string>> = {
  cron: '--cron',
  dialect: '--dialect',
  every: '--every',
  offset: '--offset',
  at: '--at',
  rrule: '--rrule',
  zone: '--zone',
  startAt: '--start-at',
  endAt: '--end-at',
  jitter: '--jitter',
  excludeDates: '--exclude-date',
  run: '--run',
  queue: '--queue',
  timeout: '--timeout',
  overlap: '--overlap',
  limit: '--limit',
  catchup: '--catchup',
  missed: '--missed',
  pauseAfterFailures: '--pause-after-failures',
  description: '--description',
  owner: '--owner',
  tags: '--tag',
};

/** Fields whose values are objects, by the options of their parts. */
const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  retry: { attempts: '--attempts', delays: '--retry-delay', jitter: '--retry-jitter' },
  http: { url: '--url', method: '--method' },
};

export function createCommand(id: string, fields: Fields, mayReplace = true): string {
  return withFields(`carillon schedule create ${quoted(id)}${mayReplace ? ' --replace' : ''}`, fields);
}

const sources = ['cron', 'dialect', 'every', 'offset', 'at', 'rrule', 'spec'];
const works = ['run', 'http', 'command', 'bullmq', 'conductor', 'temporal'];
const ofWork = ['queue', 'input', 'retry'];

/**
 * The patch that turns one definition, as a person would write it, into the other. A patch with any of the times replaces all of
 * them, and a patch with work replaces the fields that belong to it, so these are written completely.
 */
export function patchOf(before: Fields, after: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const whole = [
    ...(changed.some((name) => sources.includes(name)) ? sources : []),
    ...(changed.some((name) => works.includes(name)) ? [...works, ...ofWork] : []),
  ].filter((name) => after[name] !== undefined);
  return Object.fromEntries([...new Set([...whole, ...changed])].map((name) => [name, after[name] ?? null]));
}

export function updateCommand(id: string, patch: Fields): string {
  return withFields(`carillon schedule update ${quoted(id)}`, patch);
}

function withFields(command: string, fields: Fields): string {
  const words = Object.entries(fields).map(([name, value]) => wordsOf(name, value));
  return words.every((each) => each !== undefined)
    ? [command, ...words.flat()].join(' ')
    : `printf %s ${quoted(JSON.stringify(fields))} | ${command} --file -`;
}

/** The options for a field; undefined when no option sets it. */
function wordsOf(name: string, value: unknown): readonly string[] | undefined {
  if (value === null && name !== 'input') return undefined;
  if (name === 'input') return [`--input=${quoted(JSON.stringify(value))}`];
  const inner = parts[name];
  if (inner !== undefined) {
    const entries = Object.entries(value as Fields);
    if (entries.some(([part]) => inner[part] === undefined)) return undefined;
    return entries.flatMap(([part, each]) => flagged(inner[part] ?? '', each));
  }
  const flag = options[name];
  return flag === undefined || (typeof value === 'object' && !Array.isArray(value))
    ? undefined
    : flagged(flag, value);
}

/** A value that begins with a dash would be read as another option unless it follows an equals sign. */
function flagged(flag: string, value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value.map(String) : [String(value)];
  return values.map((each) => `${flag}${each.startsWith('-') ? '=' : ' '}${quoted(each)}`);
}
