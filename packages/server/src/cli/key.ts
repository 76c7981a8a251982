/**
 * `carillon key create` generates an API key and prints it with its entry for the configuration; it stores nothing. With
 * `--server` the server makes the key and stores its hash. `list` and `revoke` ask a server.
 */
import type { KeyInfo, KeyRole } from 'carillon/client';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
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

export interface KeyOptions extends DryRunOptions {
  readonly role: KeyRole;
  readonly namespace?: readonly string[];
  readonly queue?: readonly string[];
  readonly server?: string;
}

export function declare(group: Command, context: Context): void {
  group
    .summary('make, list and revoke API keys')
    .description('Makes API keys for a server; lists and revokes those that a server knows.');
  group
    .command('create <name>')
    .summary('make a key')
    .description(
      'Makes a key and the entry for the configuration, or with --server one that works at once on that server. The key is shown once and stored nowhere.',
    )
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
    .option('-s, --server <url>', 'make it on this server, which must know its namespaces; for admins')
    .option(...dryRunOption)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ carillon key create deploy --role operator --namespace default\n  $ carillon key create renderer --role worker --queue images\n  $ carillon key create reader --namespace billing --server https://carillon.example.com\n',
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

async function create(context: Context, keyName: string, given: KeyOptions): Promise<void> {
  const { role, namespace, queue, server, json, dryRun } = given;
  if (server !== undefined) return await createOn(context, server, keyName, given);
  if (dryRun === true) {
    const message = 'without --server nothing is changed, and there is nothing to rehearse';
    throw new BadInput([
      { path: '--dry-run', reason: 'NO_SERVER', message, fix: 'add --server, or leave it out' },
    ]);
  }
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

/** The command's own `--namespace` says where the key is valid, so the request itself is for the first of these. */
async function createOn(context: Context, server: string, name: string, given: KeyOptions): Promise<void> {
  const { role, namespace: namespaces, queue, json } = given;
  if (queue !== undefined) {
    const message = 'a key that a server makes claims from every queue';
    const fix = 'leave out --server, and add the entry to the configuration';
    throw new BadInput([{ path: '--queue', reason: 'QUEUE_NEEDS_CONFIGURATION', message, fix }]);
  }
  const first = namespaces?.[0];
  const { settings, dryRun } = clientOf(context, {
    server,
    ...(first === undefined ? {} : { namespace: first }),
  });
  const key = { name, role, ...(namespaces === undefined ? {} : { namespaces }) };
  if (given.dryRun === true) return printRecordEffects(context, given, name, await dryRun.createKey(key));
  const { secret, ...made } = await settings.createKey(key);
  const text = `The key, shown only now:\n\n  ${secret}\n\nIt works at once. Use it: CARILLON_KEY=<key> carillon schedule list\n`;
  print(context, json, { key: secret, entry: made }, text);
}
