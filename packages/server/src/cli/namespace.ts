/** `carillon namespace …`: the namespaces of a server, and how long each keeps its finished runs. */
import type { NamespaceChange, NamespaceInfo } from 'carillon/client';
import { given as givenFields } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  clean,
  clientOf,
  factsText,
  Option,
  print,
  type RemoteOptions,
  remoteHelp,
  remoteOptions,
  sentence,
  tableText,
} from 'carillon/internal/cli';
import type { DryRunOptions } from './dry-run.ts';
import { dryRunOption, printRecordEffects } from './dry-run.ts';

interface Noted extends RemoteOptions, DryRunOptions {
  readonly note?: string;
}

interface Details extends Noted {
  readonly description?: string;
  readonly ownerEmail?: string;
  readonly retention?: string;
}

interface Changes extends Details {
  readonly deprecated?: 'yes' | 'no';
}

export function declare(group: Command, context: Context): void {
  group
    .summary('list, create, change and delete namespaces')
    .description('Works with the namespaces of a server.');
  const command = (words: string, summary: string) =>
    remoteOptions(group.command(words))
      .summary(summary)
      .description(sentence(summary))
      .addHelpText('after', `${examplesOf(words)}${remoteHelp}`);
  const changing = (words: string, summary: string) =>
    command(words, summary)
      .option('--note <text>', 'why')
      .option(...dryRunOption);
  // A key for one namespace opens only that one, so the request is for the namespace that it is about.
  const clientFor = (name: string, given: RemoteOptions) => clientOf(context, { namespace: name, ...given });

  command('list', 'list the namespaces').action(async (given: RemoteOptions) => {
    const items = await clientOf(context, given).settings.namespaces();
    const rows = items.map((each) => [each.name, each.kept, keptByText(each), aboutText(each)]);
    const head = ['NAMESPACE', 'KEEPS RUNS', 'SET BY', 'DESCRIPTION'];
    print(context, given.json, { items }, tableText(head, rows, context.colors.stdout));
  });
  command('describe <namespace>', 'show one namespace').action(async (name: string, given: RemoteOptions) => {
    const found = await clientFor(name, given).settings.namespace(name);
    print(context, given.json, found, namespaceText(found, context));
  });
  changing('create <name>', 'register a namespace')
    .option('--retention <length>', "how long its finished runs are kept, as 30d (default: as the server's)")
    .option('--description <text>', 'what it is for')
    .option('--owner-email <address>', 'the mail of its owner')
    .action(async (name: string, given: Details) => {
      const { settings, dryRun } = clientFor(name, given);
      const { description, ownerEmail, retention } = given;
      const details = givenFields({
        description,
        ownerEmail,
        retention: retention === asServer ? undefined : retention,
      });
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.createNamespace(name, details));
      const made = await settings.createNamespace(name, details, noted(given));
      print(context, given.json, made, `Created ${clean(name)}. ${keepsText(made)}\n`);
    });
  changing('set <namespace>', 'change a namespace')
    .option('--retention <length>', "how long its finished runs are kept, as 30d; 'server': as the server's")
    .option('--description <text>', "what it is for; '' removes it")
    .option('--owner-email <address>', "the mail of its owner; '' removes it")
    .addOption(
      new Option('--deprecated <answer>', 'whether it should no longer be used').choices(['yes', 'no']),
    )
    .action(async (name: string, given: Changes) => {
      const change = readChange(given);
      const { settings, dryRun } = clientFor(name, given);
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.updateNamespace(name, change));
      const changed = await settings.updateNamespace(name, change, noted(given));
      print(context, given.json, changed, `Changed ${clean(name)}. ${keepsText(changed)}\n`);
    });
  changing('delete <namespace>', 'delete a namespace in which nothing is at work').action(
    async (name: string, given: Noted) => {
      const { settings, dryRun } = clientFor(name, given);
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.deleteNamespace(name));
      await settings.deleteNamespace(name, noted(given));
      print(context, given.json, { deleted: name }, `Deleted ${clean(name)}.\n`);
    },
  );
}

/** The length of a namespace that keeps its runs as the server does. */
const asServer = 'server';

function readChange({ retention, description, ownerEmail, deprecated }: Changes): NamespaceChange {
  const change = givenFields({
    description,
    ownerEmail,
    retention: retention === asServer ? null : retention,
    isDeprecated: deprecated === undefined ? undefined : deprecated === 'yes',
  });
  if (Object.keys(change).length > 0) return change;
  throw new BadInput([
    {
      path: '',
      reason: 'NOTHING_TO_SET',
      message: 'no option says what to change',
      fix: 'give one of --retention, --description, --owner-email, --deprecated',
    },
  ]);
}

function noted({ note }: Noted): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

function keptByText({ keptBy, retention }: NamespaceInfo): string {
  if (keptBy === 'namespace') return 'namespace';
  return retention === null ? 'server' : `server (it asked for ${retention})`;
}

function aboutText({ description, isDeprecated }: NamespaceInfo): string {
  return [isDeprecated ? 'deprecated' : '', description].filter((each) => each !== '').join(': ');
}

function keepsText(namespace: NamespaceInfo): string {
  const { kept, keptBy } = namespace;
  const length = kept === 'for ever' ? kept : `for ${kept}`;
  return `It keeps finished runs ${length}${keptBy === 'server' ? ', as the server says' : ''}.`;
}

function namespaceText(namespace: NamespaceInfo, { colors }: Context): string {
  const { name, description, ownerEmail, isDeprecated, kept } = namespace;
  return factsText(
    [
      ['namespace', name],
      ['description', description],
      ['owner', ownerEmail],
      ['deprecated', isDeprecated ? 'yes' : ''],
      ['keeps runs', `${kept}, set by the ${keptByText(namespace)}`],
    ],
    colors.stdout,
  );
}

const examples: Readonly<Record<string, readonly string[]>> = {
  list: ['list'],
  describe: ['describe billing'],
  create: ["create billing --retention 7d --description 'invoices and refunds'"],
  set: ['set billing --retention 14d --note "the audit asked for it"', 'set billing --retention server'],
  delete: ['delete billing --dry-run'],
};

function examplesOf(words: string): string {
  const [verb = ''] = words.split(' ');
  const lines = (examples[verb] ?? []).map((line) => `  $ carillon namespace ${line}\n`);
  return `\nExamples:\n${lines.join('')}`;
}
