/** `carillon schedule …`: shows and changes the schedules of a server. */

import type { Written } from 'carillon/client';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  CarillonError,
  clean,
  clientOf,
  isCarillonError,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
  sentence,
} from 'carillon/internal/cli';
import { type DryRunOptions, dryRunOption, printEffects } from './dry-run.ts';
import { backfillSchedule } from './schedule-backfill.ts';
import { listSchedules } from './schedule-list.ts';
import {
  type DefinitionOptions,
  definitionOptions,
  demandAction,
  readDefinition,
} from './schedule-options.ts';
import { describeText } from './schedule-view.ts';

const several = (value: string, before: readonly string[] = []) => [...before, value];

type Remote = RemoteOptions;

interface TriggerOptions {
  readonly note?: string;
  readonly overlap?: 'skip';
  readonly scheduledAt?: string;
}

export async function declare(group: Command, context: Context, words: readonly string[]): Promise<void> {
  // The table of action kinds loads schemas that other commands do not need.
  const needsKinds = words.includes('schedule') || words.includes('completion');
  const kinds = needsKinds ? (await import('carillon/internal/action')).commandLines : [];
  group.summary('create, look at and change schedules').description('Works with the schedules of a server.');
  const command = (words: string, summary: string) => {
    const [verb = ''] = words.split(' ');
    return remoteOptions(group.command(words))
      .summary(summary)
      .description(sentence(summary))
      .addHelpText('after', `${examplesText(examples[verb] ?? [])}${remoteHelp}`);
  };

  definitionOptions(command('create <id>', 'create a schedule'), kinds)
    .option('--paused [note]', 'create it paused')
    .option('--replace', 'replace the schedule when the id is taken')
    .option(...dryRunOption)
    .action(async (id: string, given) => await create(context, id, given));
  definitionOptions(command('update <id>', 'change what is named, keep the rest'), kinds)
    .option('--match <token>', 'only when it has not changed since: the token that describe shows', readWhole)
    .option(...dryRunOption)
    .action(async (id: string, given) => await update(context, id, given));
  command('list', 'list schedules')
    .option('--state <state>', 'running, paused, ended, quarantined or closed')
    .option('--tag <tag>', 'with this tag; may be repeated', several)
    .option('--owner <name>', 'of this owner')
    .option('--handler <name>', 'that start this handler')
    .option('--queue <name>', 'whose runs go to this queue')
    .option('--prefix <text>', 'whose ids begin so')
    .option('--view <name>', 'as a saved view shows them; further filters narrow it')
    .option('--failing', 'whose last run failed')
    .option('--late', 'that should have acted by now')
    .option(
      '--attention [reason]',
      'that need a person: for any reason, or failing, late, skipping, noWorker …',
    )
    .option('--busy', 'that run or wait')
    .option('--text <text>', 'part of id, handler, owner, description, note, tags, cron text or zone')
    .option('--payloads', 'with --json: inputs of actions too')
    .option('--sort <key>', 'id, attention (what needs a person first) or next (default: id)')
    .option('-n, --limit <number>', 'how many', readWhole, 100)
    .action(async (given) => await listSchedules(context, given));
  command('describe <id>', 'show one schedule').action(async (id: string, given: Remote) => {
    const schedule = await clientOf(context, given).schedules.describe(id);
    const { actionSummary } = await import('carillon/internal/action');
    const view = { now: context.now, what: actionSummary(schedule.action), colored: context.colors.stdout };
    print(context, given.json, schedule, describeText(schedule, view));
  });
  command('pause <id>', 'pause a schedule')
    .option('--note <text>', 'why')
    .option('--until <time>', 'resume by itself then, RFC 3339')
    .option(...dryRunOption)
    .action(async (id: string, given: Remote & DryRunOptions & { note?: string; until?: string }) => {
      const { note, until } = given;
      const fields = { ...(note === undefined ? {} : { note }), ...(until === undefined ? {} : { until }) };
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printEffects(context, given, id, await client.dryRun.pause(id, fields));
      const changed = await client.schedules.pause(id, fields);
      print(
        context,
        given.json,
        changed,
        `Paused ${clean(id)}${until === undefined ? '' : ` until ${until}`}.\n`,
      );
    });
  command('resume <id>', 'resume a schedule')
    .option('--note <text>', 'why')
    .option('--missed <policy>', 'slots of the pause that run after all: all, once, skip (default: skip)')
    .option(...dryRunOption)
    .action(async (id: string, given: Remote & DryRunOptions & { note?: string; missed?: 'all' }) => {
      const { note, missed } = given;
      const fields = { ...(note === undefined ? {} : { note }), ...(missed === undefined ? {} : { missed }) };
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printEffects(context, given, id, await client.dryRun.resume(id, fields));
      const changed = await client.schedules.resume(id, fields);
      const words = changed.isChanged
        ? `Resumed ${clean(id)}.`
        : `${clean(id)} was not paused; nothing changed.`;
      print(context, given.json, changed, `${words}\n`);
    });
  command('trigger <id>', 'start a run now')
    .option('--note <text>', 'why')
    .option('--overlap <policy>', 'another policy than that of the schedule')
    .option('--scheduled-at <time>', 'the time it is for, RFC 3339 (default: now)')
    .option(...dryRunOption)
    .action(async (id: string, given: Remote & DryRunOptions & TriggerOptions) => {
      const { note, overlap, scheduledAt } = given;
      const fields = {
        ...(note === undefined ? {} : { note }),
        ...(overlap === undefined ? {} : { overlap }),
        ...(scheduledAt === undefined ? {} : { scheduledAt }),
      };
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printEffects(context, given, id, await client.dryRun.trigger(id, fields));
      const changed = await client.schedules.trigger(id, fields);
      print(context, given.json, changed, triggeredText(clean(id), changed));
    });
  command('backfill <id>', 'run the slots of a range')
    .requiredOption('--from <time>', "included: RFC 3339, or a day or time in the schedule's zone")
    .requiredOption('--to <time>', "included: RFC 3339, or a day or time in the schedule's zone")
    .option('--preview', 'only show what would run')
    .option(...dryRunOption)
    .option('--overlap <policy>', 'default bufferAll: one after the other')
    .option('--rate <number>', 'at most this many per minute', readWhole)
    .option('--except <time>', 'a slot to leave out, RFC 3339; may be repeated', several)
    .option('--note <text>', 'why')
    .option('--wait', 'follow it to its end, and say how its runs went')
    .option('-q, --quiet', 'no progress')
    .action(async (id: string, given) => await backfillSchedule(context, id, given));
  command('release <id>', 'let a quarantined schedule go on where it stopped')
    .option(...dryRunOption)
    .action(async (id: string, given: Remote & DryRunOptions) => {
      const client = clientOf(context, given);
      if (given.dryRun === true) return printEffects(context, given, id, await client.dryRun.release(id));
      await client.schedules.release(id);
      print(context, given.json, { released: id }, `Released ${clean(id)}.\n`);
    });
  command('delete <id...>', 'delete schedules; what runs is left alone')
    .option(...dryRunOption)
    .action(async (ids: readonly string[], given: Remote & DryRunOptions) => {
      const client = clientOf(context, given);
      if (given.dryRun === true) {
        for (const id of ids) printEffects(context, given, id, await client.dryRun.delete(id));
        return;
      }
      const deleted: string[] = [];
      try {
        for (const id of ids) {
          await client.schedules.delete(id);
          deleted.push(id);
        }
      } finally {
        // Printed also when a deletion fails: the user must know which schedules are already deleted.
        if (deleted.length > 0)
          print(context, given.json, { deleted }, deleted.map((id) => `Deleted ${clean(id)}.\n`).join(''));
      }
    });
}

const examples: Readonly<Record<string, readonly string[]>> = {
  create: [
    "create nightly --cron '0 2 * * *' --zone Europe/Berlin --run report",
    'create ping --every 5m --url https://example.com/ping --overlap skip',
    'create local --every 5m --url http://localhost:3000/jobs --allow-private',
    "create cleanup --cron '@daily' --command -- find /tmp/cache -mtime +7 -delete",
    'create filed --file definition.json',
  ],
  update: ["update nightly --cron '30 2 * * *'", 'update nightly --overlap bufferOne --match 7'],
  list: [
    'list',
    'list --failing',
    'list --sort attention',
    'list --attention skipping',
    'list --tag billing --state paused --json',
    'list --view "Runs at night"',
  ],
  describe: ['describe nightly'],
  pause: ['pause nightly --dry-run', 'pause nightly --note "migration" --until 2026-12-01T06:00:00Z'],
  resume: ['resume nightly --missed once'],
  trigger: ['trigger nightly', 'trigger nightly --overlap allowAll --note "after the fix"'],
  backfill: [
    'backfill nightly --from 2026-03-01 --to 2026-03-31 --preview',
    'backfill nightly --from 2026-03-01T00:00:00Z --to 2026-03-31T23:59:59Z --rate 60 --wait',
  ],
  release: ['release nightly'],
  delete: ['delete nightly', 'delete old-one older-one'],
};

function examplesText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ carillon schedule ${line}\n`).join('')}`;
}

async function create(
  context: Context,
  id: string,
  given: Remote & DefinitionOptions & DryRunOptions & { replace?: boolean },
): Promise<void> {
  const { replace } = given;
  const definition = await readDefinition(context, id, given);
  // A file may ask for kinds of work that have no options.
  if (given.file === undefined) await demandAction(definition);
  const { schedules, dryRun } = clientOf(context, given);
  if (given.dryRun === true) {
    const effects =
      replace === true ? await dryRun.upsert(id, definition) : await dryRun.create(id, definition);
    return printEffects(context, given, id, effects);
  }
  const changed =
    replace === true
      ? await schedules.upsert(id, definition)
      : await schedules.create(id, definition).catch((error) => refuseTaken(id, error));
  warn(context, changed);
  const { words, next } = await schedules.describe(id);
  const verb = 'created' in changed && changed.created === false ? 'Replaced' : 'Created';
  print(
    context,
    given.json,
    { id, ...changed, words, next },
    `${verb} ${clean(id)}: ${words}.${next === null ? '' : ` First due ${next}.`}\n`,
  );
}

/** The server cannot know by which option this command line would update the schedule. */
function refuseTaken(id: string, error: unknown): never {
  if (!isCarillonError(error) || error.reason !== 'ALREADY_EXISTS') throw error;
  const { status, code, reason, requestId } = error;
  const message = `there is a schedule '${id}' already; replace it with --replace, or change parts of it with 'carillon schedule update'`;
  throw new CarillonError({ status, code, reason, requestId, message, cause: error });
}

/** Warnings go to standard error, because a program may read standard output. */
function warn({ stderr }: Context, { warnings = [] }: Pick<Written, 'warnings'>): void {
  for (const { path, message, fix } of warnings) {
    stderr.write(`Warning: ${path}: ${message}${fix === undefined ? '' : ` (${fix})`}\n`);
  }
}

async function update(
  context: Context,
  id: string,
  given: Remote & DefinitionOptions & DryRunOptions & { match?: number },
): Promise<void> {
  const changes = await readDefinition(context, id, given);
  if (Object.keys(changes).length === 0) {
    const fix = "give the options to change, e.g. --every 5m; 'carillon help schedule update' lists them";
    throw new BadInput([{ path: '', reason: 'NOTHING_TO_DO', message: 'no change was given', fix }]);
  }
  const { schedules, dryRun } = clientOf(context, given);
  if (given.dryRun === true) return printEffects(context, given, id, await dryRun.patch(id, changes));
  const { match } = given;
  const written = await schedules.patch(id, changes, match === undefined ? {} : { token: match });
  warn(context, written);
  const { words, next } = await schedules.describe(id);
  print(
    context,
    given.json,
    { id, ...written, words, next },
    `Updated ${clean(id)}: ${words}.${next === null ? '' : ` Next due ${next}.`}\n`,
  );
}

/** The result of a trigger, and the command that shows more. */
export function triggeredText(
  id: string,
  {
    verdict,
    runId,
    cause,
  }: { readonly verdict: string | null; readonly runId: string | null; readonly cause: string },
): string {
  const see = runId === null ? `carillon runs --schedule ${id}` : `carillon run describe ${runId}`;
  switch (verdict) {
    case 'started':
    case 'startedLate':
      return `Started ${id}: run ${runId ?? '?'} (${cause}). See: ${see}\n`;
    case 'buffered':
      return `${id} waits (${cause}): run ${runId ?? '?'} has to end first. See: ${see}\n`;
    case 'skippedOverlap':
      return `Nothing was started: ${runId === null ? 'another run' : `run ${runId}`} of ${id} is unfinished and its overlap policy skips. Try --overlap allowAll or bufferOne.\n`;
    case null:
      return `Triggered ${id}: ${cause}. See: ${see}\n`;
    default:
      return `Nothing was started: ${verdict} (${cause}). See: ${see}\n`;
  }
}
