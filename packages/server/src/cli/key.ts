/**
 * `carillon key create` generates an API key and prints it with its entry for the configuration; it stores nothing.
 * `list` and `revoke` ask a server.
 */
import type { KeyInfo } from 'carillon/client';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clean,
  clientOf,
  Option,
  print,
  type RemoteOptions,
  remoteHelp,
  remoteOptions,
  sinceText,
  tableText,
} from 'carillon/internal/cli';
import type { DryRunOptions } from './dry-run.ts';
import { dryRunOption, printRecordEffects } from './dry-run.ts';

export interface KeyOptions {
  readonly role: string;
  readonly namespace?: readonly string[];
  readonly queue?: readonly string[];
  readonly json?: boolean;
}

export function declare(group: Command, context: Context): void {
  group
    .summary('make, list and revoke API keys')
    .description('Makes API keys for a server; lists and revokes those that a server knows.');
  group
    .command('create <name>')
    .summary('make a key')
    .description('Makes a key and the entry for the configuration. The key is shown once and stored nowhere.')
    .addOption(
      new Option('--role <role>', 'what it may do')
        .choices(['viewer', 'worker', 'operator', 'admin'])
        .default('viewer'),
    )
    .option(
      '--namespace <name>',
      'only for this one; may be repeated',
      (value: string, before: string[] = []) => [...before, value],
    )
    .option(
      '--queue <name>',
      'it may claim runs from this queue only; may be repeated',
      (value: string, before: string[] = []) => [...before, value],
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ carillon key create deploy --role operator --namespace default\n  $ carillon key create renderer --role worker --queue images\n',
    )
    .action(async (keyName: string, given: KeyOptions) => await create(context, keyName, given));
  remoteOptions(group.command('list'))
    .summary('list the keys of a server')
    .description('Lists the keys that a server knows, without their secrets. For admins.')
    .addHelpText('after', `\nExamples:\n  $ carillon key list\n${remoteHelp}`)
    .action(async (given: RemoteOptions) => {
      const items = await clientOf(context, given).settings.keys();
      print(context, given.json, { items }, keysText(items, context));
    });
  remoteOptions(group.command('revoke <name>'))
    .summary('revoke a key that was made on the server')
    .description(
      'Revokes a key: callers with it are refused from then on. One of the configuration is removed there.',
    )
    .option(...dryRunOption)
    .addHelpText('after', `\nExamples:\n  $ carillon key revoke deploy\n${remoteHelp}`)
    .action(async (name: string, given: RemoteOptions & DryRunOptions) => {
      const { settings, dryRun } = clientOf(context, given);
      if (given.dryRun === true)
        return printRecordEffects(context, given, name, await dryRun.revokeKey(name));
      await settings.revokeKey(name);
      print(context, given.json, { revoked: name }, `Revoked ${clean(name)}.\n`);
    });
}

function keysText(items: readonly KeyInfo[], { now, colors }: Context): string {
  if (items.length === 0) return 'The server asks for no key.\n';
  const rows = items.map(({ name, role, namespaces, source, createdAt, createdBy }) => [
    name,
    role,
    namespaces === null ? 'all' : namespaces.join(', '),
    source === 'file' ? 'configuration' : (createdBy ?? ''),
    createdAt === null ? '' : sinceText(createdAt, now),
  ]);
  return tableText(['KEY', 'ROLE', 'NAMESPACES', 'FROM', 'MADE'], rows, colors.stdout);
}

async function create(
  context: Context,
  keyName: string,
  { role, namespace, queue, json }: KeyOptions,
): Promise<void> {
  const { hashKey, newKey } = await import('../server/keys.ts');
  const key = newKey();
  const entry = {
    name: keyName,
    hash: hashKey(key),
    role,
    ...(namespace === undefined ? {} : { namespaces: namespace }),
    ...(queue === undefined ? {} : { queues: queue }),
  };
  context.stdout.write(
    json === true
      ? `${JSON.stringify({ key, entry }, undefined, 2)}\n`
      : `The key, shown only now:\n\n  ${key}\n\nAdd this to "keys" in the configuration of the server:\n\n  ${JSON.stringify(entry)}\n\nUse it: CARILLON_KEY=<key> carillon schedule list\n`,
  );
}
