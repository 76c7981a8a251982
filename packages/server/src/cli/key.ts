/** `carillon key create`: generates an API key and prints it with its entry for the configuration. It stores nothing. */
import type { Command, Context } from 'carillon/internal/cli';
import { Option } from 'carillon/internal/cli';

export interface KeyOptions {
  readonly role: string;
  readonly namespace?: readonly string[];
  readonly queue?: readonly string[];
  readonly json?: boolean;
}

export function declare(group: Command, context: Context): void {
  group.summary('make API keys').description('Makes API keys for a server.');
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
