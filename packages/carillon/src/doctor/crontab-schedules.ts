/** Converts the entries of a crontab to schedules, each with a proof that it runs at the same times. */
import { commandKind } from '../action/command-kind.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day, formatInstant } from '../base/time.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import { fingerprint32 } from '../spec/farmhash.ts';
import { compileSpec, findZone } from '../spec/index.ts';
import type { CrontabEntry } from './crontab.ts';
import { plainTimes } from './plain-cron.ts';

export interface Imported {
  readonly id: string;
  readonly line: number;
  readonly schedule: string;
  readonly input: ScheduleInput;
  readonly proof: Proof;
}

export interface Proof {
  /** The number of compared times. */
  readonly times: number;
  /** The first difference in plain words; absent when there is none. */
  readonly difference?: string;
}

export interface ImportOptions {
  /** The zone of entries for which the file sets none. */
  readonly zone: string;
  readonly now: Instant;
  /** The number of times to compare per entry. */
  readonly compare: number;
}

export function importEntries(
  entries: readonly CrontabEntry[],
  { zone, now, compare }: ImportOptions,
  told: (done: number) => void = () => {},
): readonly Imported[] {
  const ids = idsOf(entries);
  return entries.map((entry, index) => {
    const own = entry.zone ?? zone;
    told(index);
    return {
      id: ids[index] as string,
      line: entry.line,
      schedule: entry.schedule,
      input: inputOf(entry, own),
      proof: prove(entry.schedule, own, { now, compare }),
    };
  });
}

function inputOf(entry: CrontabEntry, zone: string): ScheduleInput {
  const { schedule, command, stdin, env, shell, user, mailTo, description, isDisabled } = entry;
  const line = stdin === undefined ? command : `${printed(stdin)} | { ${command}\n}`;
  const isPlainShell = shell === undefined || shell === '/bin/sh';
  return {
    cron: schedule,
    zone,
    [commandKind.kind]: {
      ...(isPlainShell ? { argv: [line], shell: true } : { argv: [shell, '-c', line] }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    },
    // cron starts a job whether or not the one before it has ended.
    overlap: 'allowAll',
    ...(description === '' ? {} : { description }),
    ...(user === undefined && mailTo === undefined ? {} : { memo: given({ user, mailTo }) }),
    ...(isDisabled ? { paused: 'commented out in the crontab' } : {}),
  };
}

/** A shell command that prints the text, which may contain any character. */
function printed(text: string): string {
  return `printf '%s' '${text.replaceAll("'", "'\\''")}'`;
}

/** The longest part of an id that comes from the command. */
const longestSlug = 48;

/**
 * Ids are derived from the command, so that a line keeps its id when the file is reordered. Lines that would share an
 * id get a suffix derived from their differences.
 */
function idsOf(entries: readonly CrontabEntry[]): readonly string[] {
  const slugs = entries.map(({ command }) => slugOf(command));
  const uses = new Map<string, number>();
  for (const slug of slugs) uses.set(slug, (uses.get(slug) ?? 0) + 1);
  const taken = new Set<string>();
  return entries.map(({ schedule, command, user, zone }, index) => {
    const slug = slugs[index] as string;
    const mark = markOf([schedule, command, user ?? '', zone ?? ''].join('\n'));
    const base = uses.get(slug) === 1 ? slug : `${slug}-${mark}`;
    let id = base;
    // The same line twice; cron would run it twice as well.
    for (let copy = 2; taken.has(id); copy += 1) id = `${base}-${copy}`;
    taken.add(id);
    return id;
  });
}

function markOf(text: string): string {
  return fingerprint32(new TextEncoder().encode(text)).toString(36).padStart(5, '0').slice(-5);
}

/**
 * The words of a command that name the program: the last part of paths, without options, redirections and a leading
 * `cd … &&`.
 */
function slugOf(command: string): string {
  const main = command
    .replace(/^(\s*cd\s+\S+\s*(&&|;)\s*)+/, '')
    .replace(/\s*(\d?>{1,2}|<|2>&1|\||&&|;).*$/, '');
  const words = main
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-') && !/^[A-Za-z_]+=/.test(word))
    .map((word) => word.replace(/^.*\/(?=[^/])/, '').replace(/\.(sh|py|pl|rb|js|php)$/, ''))
    .filter((word) => !wrappers.has(word));
  const slug = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestSlug)
    .replace(/-+$/, '');
  return slug === '' ? 'command' : slug;
}

const wrappers = new Set([
  'sudo',
  'nice',
  'ionice',
  'flock',
  'env',
  'exec',
  'timeout',
  'bash',
  'sh',
  'nohup',
]);

/** How far ahead the comparison goes when the times are rare. */
const proofYears = 5;

function prove(
  schedule: string,
  zoneName: string,
  { now, compare }: { readonly now: Instant; readonly compare: number },
): Proof {
  const zone = findZone(zoneName);
  if (zone === undefined) return { times: 0, difference: `there is no zone ${zoneName}` };
  const to = addTime(now, proofYears * 366 * day);
  const plain = plainTimes(schedule, zone, { after: now, to, most: compare });
  if (plain === undefined) return { times: 0, difference: 'a crontab of cron itself cannot hold this text' };
  const ours = compileSpec({ cron: [{ text: schedule }], zone: zoneName })
    .between({ from: now, to }, compare)
    .times.map(({ nominal }) => nominal);
  const most = Math.max(ours.length, plain.length);
  for (let index = 0; index < most; index += 1) {
    if (ours[index] === plain[index]) continue;
    const [a, b] = [ours[index], plain[index]].map((at) => (at === undefined ? 'none' : formatInstant(at)));
    return { times: index, difference: `time ${index + 1}: here ${a}, by plain cron ${b}` };
  }
  return { times: most };
}
