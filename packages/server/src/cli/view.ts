/** `carillon view …`: the named queries of a namespace, which the page shows as tabs. */
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  clean,
  clientOf,
  print,
  type RemoteOptions,
  readScheduleQuery,
  remoteHelp,
  remoteOptions,
  sentence,
  tableText,
} from 'carillon/internal/cli';
import type { DryRunOptions } from './dry-run.ts';
import { dryRunOption, printRecordEffects } from './dry-run.ts';

export function declare(group: Command, context: Context): void {
  group
    .summary('list, save and remove named queries of schedules')
    .description('Works with the views of a namespace: named queries, the same for all its users.');
  const command = (words: string, summary: string, example: string) =>
    remoteOptions(group.command(words))
      .summary(summary)
      .description(sentence(summary))
      .addHelpText('after', `\nExamples:\n  $ carillon view ${example}\n${remoteHelp}`);
  command('list', 'list the saved views', 'list').action(async (given: RemoteOptions) => {
    const items = await clientOf(context, given).views.list();
    const rows = items.map(({ name, query, savedBy }) => [name, queryText(query), savedBy]);
    const text =
      items.length === 0
        ? 'No views.\n'
        : tableText(['VIEW', 'QUERY', 'SAVED BY'], rows, context.colors.stdout);
    print(context, given.json, { items }, text);
  });
  command(
    'save <name> <query>',
    'save a query under a name, also over one that exists',
    "save 'Failing bills' 'tag:billing is:failing'",
  )
    .option(...dryRunOption)
    .action(async (name: string, query: string, given: RemoteOptions & DryRunOptions) => {
      demandKnown(query);
      const view = { place: 'schedules', query: new URLSearchParams({ q: query }).toString() };
      const { views, dryRun } = clientOf(context, given);
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.saveView(name, view));
      const saved = await views.save(name, view);
      const see = `carillon schedule list --view ${shown(name)}`;
      print(context, given.json, saved, `Saved ${clean(name)}. See: ${see}\n`);
    });
  command('remove <name>', 'remove a view', "remove 'Failing bills'")
    .option(...dryRunOption)
    .action(async (name: string, given: RemoteOptions & DryRunOptions) => {
      const { views, dryRun } = clientOf(context, given);
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.removeView(name));
      await views.remove(name);
      print(context, given.json, { removed: name }, `Removed ${clean(name)}.\n`);
    });
}

function queryText(query: string): string {
  return new URLSearchParams(query).get('q') ?? query;
}

function shown(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(clean(name));
}

function demandKnown(query: string): void {
  const { unknown } = readScheduleQuery(query);
  if (unknown.length === 0) return;
  throw new BadInput([
    {
      path: 'query',
      reason: 'UNKNOWN_TOKEN',
      message: `${unknown.join(' ')} means nothing`,
      fix: 'write words, tag:, owner:, handler:, queue:, prefix:, state:paused, is:failing, is:attention …',
    },
  ]);
}
