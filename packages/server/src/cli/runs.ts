/** `carillon runs` and `carillon run …`: shows and controls runs. */

import type { LogLineJson, RunFilters, RunJson } from 'carillon/client';
import { formatDuration, parseInstant } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clean,
  clientOf,
  factsText,
  Option,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
  sentence,
  sinceText,
  tableText,
  whenText,
} from 'carillon/internal/cli';
import type { DryRunOptions } from './dry-run.ts';
import { dryRunOption, printWorkEffects } from './dry-run.ts';
import { readJson } from './schedule-options.ts';

const several = (value: string, before: readonly string[] = []) => [...before, value];

export interface RunsOptions extends RemoteOptions {
  readonly schedule?: string;
  readonly state?: NonNullable<RunFilters['state']>;
  readonly outcome?: NonNullable<RunFilters['outcome']>;
  readonly handler?: string;
  readonly queue?: string;
  readonly by: NonNullable<RunFilters['by']>;
  readonly payloads?: boolean;
  readonly limit: number;
}

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('list runs, newest first')
      .description('Lists runs, newest first.')
      .option('--schedule <id>', 'of this schedule')
      .option('--state <state>', 'waiting, leased (running) or done; may be repeated', several)
      .option(
        '--outcome <outcome>',
        'completed, failed, cancelled, terminated or timedOut; may be repeated',
        several,
      )
      .option('--handler <name>', 'of this handler')
      .option('--queue <name>', 'of this queue')
      .addOption(
        new Option('--by <order>', 'newest first by the time of the start, or of the slot')
          .choices(['start', 'slot'])
          .default('start'),
      )
      .option('--payloads', 'with --json: inputs, progress and results too')
      .option('-n, --limit <number>', 'how many', readWhole, 20),
  )
    .addHelpText('after', `${listExamples}${remoteHelp}`)
    .action(async (given: RunsOptions) => await run(context, given));
}

async function run(context: Context, given: RunsOptions): Promise<void> {
  const { schedule, state, outcome, handler, queue, by, limit } = given;
  const { runs, schedules } = clientOf(context, given);
  const filters: RunFilters = {
    limit,
    by,
    ...(state === undefined ? {} : { state }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(handler === undefined ? {} : { name: handler }),
    ...(queue === undefined ? {} : { queue }),
    ...included(given),
  };
  const page = schedule === undefined ? await runs.list(filters) : await schedules.runs(schedule, filters);
  const more = page.next === null ? '' : 'There are more; see them with -n or a filter.\n';
  print(context, given.json, page, `${runsText(page.items, context, by)}${more}`);
}

/** Payloads are requested only with `--json`, because only JSON output shows them. */
function included({ payloads, json }: RunsOptions): Pick<RunFilters, 'include'> {
  return payloads === true && json === true ? { include: 'payloads' } : {};
}

interface Stopping extends RemoteOptions, DryRunOptions {
  readonly reason?: string;
}

interface Enqueuing extends RemoteOptions, DryRunOptions {
  readonly input?: unknown;
  readonly queue?: string;
  readonly at?: string;
}

/** `run describe|log|again|cancel|terminate|delete|enqueue`. */
export function declareSingle(group: Command, context: Context): void {
  group.summary('look at, stop or queue one run').description('Works with single runs.');
  const command = (words: string, summary: string) => {
    const [verb = ''] = words.split(' ');
    const example = `\nExamples:\n  $ carillon run ${examples[verb]}\n`;
    return remoteOptions(group.command(words))
      .summary(summary)
      .description(sentence(summary))
      .addHelpText('after', `${example}${remoteHelp}`);
  };
  command('describe <id>', 'show one run').action(async (id: string, given: RemoteOptions) => {
    const found = await clientOf(context, given).runs.get(id);
    print(context, given.json, found, runText(found, context));
  });
  for (const verb of ['cancel', 'terminate'] as const) {
    command(`${verb} <id>`, verb === 'cancel' ? 'ask a run to stop' : 'end a run at once')
      .option('--reason <text>', 'why')
      .option(...dryRunOption)
      .action(async (id: string, given: Stopping) => {
        const { reason } = given;
        const client = clientOf(context, given);
        if (given.dryRun === true)
          return printWorkEffects(context, given, id, await client.dryRun[`${verb}Run`](id));
        const stopped = await client.runs[verb](id, reason === undefined ? {} : { reason });
        const words = {
          ended: 'It has ended.',
          requested: 'Its worker was asked to stop.',
          done: 'It was over already.',
          notFound: 'There is no such run.',
        };
        print(context, given.json, { stopped }, `${words[stopped]}\n`);
      });
  }
  command('delete <id>', 'forget a finished run with its log')
    .option('--reason <text>', 'why')
    .option(...dryRunOption)
    .action(async (id: string, given: Stopping) => {
      const { reason } = given;
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printWorkEffects(context, given, id, await client.dryRun.deleteRun(id));
      await client.runs.delete(id, reason === undefined ? {} : { reason });
      print(context, given.json, { deleted: id }, `Deleted ${clean(id)}.\n`);
    });
  command('log <id>', 'print what the attempts of a run logged')
    .option('-f, --follow', 'wait for further lines until the run has ended')
    .option('--attempt <number>', 'only of this attempt', readWhole)
    .action(async (id: string, given: RemoteOptions & { follow?: boolean; attempt?: number }) => {
      const { follow = false, attempt, json } = given;
      const { runs } = clientOf(context, given);
      let count = 0;
      for await (const line of runs.log(id, { follow, ...(attempt === undefined ? {} : { attempt }) })) {
        count += 1;
        context.stdout.write(json === true ? `${JSON.stringify(line)}\n` : `${lineText(line)}\n`);
      }
      if (count === 0 && json !== true) context.stderr.write('This run has logged nothing.\n');
    });
  command('again <id>', 'start a finished run again, with the same input')
    .option('--note <text>', 'why')
    .option(...dryRunOption)
    .action(async (id: string, given: RemoteOptions & DryRunOptions & { note?: string }) => {
      const { note } = given;
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printWorkEffects(context, given, id, await client.dryRun.runAgain(id));
      const run = await client.runs.again(id, note === undefined ? {} : { note });
      print(
        context,
        given.json,
        run,
        `Started ${run.id}, which repeats ${clean(id)}. See: carillon run describe ${run.id}\n`,
      );
    });
  command('enqueue <handler>', 'queue work without a schedule')
    .option('--input <json>', 'handed to the run', readJson)
    .option('--queue <name>', 'queue of the handler')
    .option('--at <time>', 'not before, RFC 3339')
    .option(...dryRunOption)
    .action(async (handler: string, given: Enqueuing) => {
      const { input, queue, at } = given;
      const work = {
        run: handler,
        ...(input === undefined ? {} : { input }),
        ...(queue === undefined ? {} : { queue }),
        ...(at === undefined ? {} : { at }),
      };
      const client = clientOf(context, given);
      if (given.dryRun === true)
        return printWorkEffects(context, given, handler, await client.dryRun.enqueueRun(work));
      const queued = await client.runs.enqueue(work);
      print(context, given.json, queued, `Queued ${queued.id}.\n`);
    });
}

const listExamples = `
Examples:
  $ carillon runs
  $ carillon runs --schedule nightly --outcome failed
  $ carillon runs --schedule nightly --by slot
  $ carillon runs --state leased --json
`;

const examples: Readonly<Record<string, string>> = {
  describe: 'describe 0m8x2k3q-4f7a',
  cancel: 'cancel 0m8x2k3q-4f7a --reason "wrong input"',
  terminate: 'terminate 0m8x2k3q-4f7a',
  delete: 'delete 0m8x2k3q-4f7a --reason "the input was secret"',
  log: 'log 0m8x2k3q-4f7a --follow',
  again: 'again 0m8x2k3q-4f7a --note "the disk is back"',
  enqueue: `enqueue report --input '{"day":"2026-03-01"}'`,
};

/** The table shows the times that it is ordered by. */
export function runsText(
  items: readonly RunJson[],
  { now, colors }: Context,
  by: RunsOptions['by'] = 'start',
): string {
  if (items.length === 0) return 'No runs.\n';
  const slots = (text: string) => (by === 'slot' ? [text] : []);
  const rows = items.map((each) => [
    each.id,
    ...slots(each.scheduledAt ?? '-'),
    each.schedule ?? '-',
    each.name,
    stateText(each),
    String(each.attempt),
    each.startedAt === null ? '-' : sinceText(each.startedAt, now),
    tookText(each),
    each.failure?.message ?? '',
  ]);
  return tableText(
    ['RUN', ...slots('SLOT'), 'SCHEDULE', 'HANDLER', 'STATE', 'ATTEMPT', 'STARTED', 'TOOK', ''],
    rows,
    colors.stdout,
  );
}

/** The API calls the state `leased`; the command line shows it as running. */
function stateText({ outcome, state }: RunJson): string {
  return outcome ?? (state === 'leased' ? 'running' : state);
}

function tookText({ startedAt, finishedAt }: RunJson): string {
  const from = startedAt === null ? undefined : parseInstant(startedAt);
  const to = finishedAt === null ? undefined : parseInstant(finishedAt);
  return from === undefined || to === undefined ? '' : formatDuration(to - from);
}

function runText(each: RunJson, { now, colors }: Context): string {
  const json = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value));
  const facts = factsText(
    [
      ['run', each.id],
      ['schedule', each.schedule ?? ''],
      ['slot', each.scheduledAt ?? ''],
      ['cause', each.cause ?? ''],
      ['repeats', each.againOf ?? ''],
      ['handler', `${each.name} on the queue ${each.queue}`],
      ['state', stateText(each)],
      ['attempt', String(each.attempt)],
      ['worker', each.worker],
      ['created', whenText(each.createdAt, now)],
      ['due', each.startedAt === null ? whenText(each.availableAt, now) : ''],
      ['started', whenText(each.startedAt, now)],
      ['finished', whenText(each.finishedAt, now)],
      ['took', tookText(each)],
      ['input', json(each.input)],
      ['progress', json(each.progress)],
      ['result', json(each.result)],
      ['failure', each.failure?.message ?? ''],
    ],
    colors.stdout,
  );
  const lines = [...stackLines(each.failure?.stack), ...causeLines(each.failure?.cause)];
  return lines.length === 0 ? facts : `${facts}\n${lines.join('\n')}\n`;
}

function stackLines(stack: string | undefined): readonly string[] {
  return stack === undefined ? [] : stack.split('\n').map(clean);
}

/** The causes of a failure, one line each. */
function causeLines(cause: NonNullable<RunJson['failure']>['cause']): readonly string[] {
  if (cause === undefined) return [];
  const own = `caused by ${cause.type ?? 'Error'}: ${cause.message}`;
  const several = (cause.errors ?? []).map(({ type = 'Error', message }) => `  one of: ${type}: ${message}`);
  return [clean(own), ...several.map(clean), ...causeLines(cause.cause)];
}

function lineText({ attempt, at, text }: LogLineJson): string {
  return `${at}  #${attempt}  ${text.split('\n').map(clean).join('\n')}`;
}
