/** `carillon completion`, and the hidden `__complete`, which the scripts call for values that only a server knows. */

import type { Clock } from 'carillon/internal/base';
import { addTime, given } from 'carillon/internal/base';
import type { Context } from 'carillon/internal/cli';
import { Argument, type Command, clientOf } from 'carillon/internal/cli';
import { zoneNames } from 'carillon/spec';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { commandTree } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** A user at a prompt does not wait longer for a suggestion. */
const timeoutMs = 1000;
const mostNames = 200;

export function declareCompletion(command: Command, context: Context): void {
  command
    .summary('print a completion script for a shell')
    .description(
      'Prints a script that completes commands, options, their values, ids of schedules and names of namespaces.',
    )
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action((shell: keyof typeof scripts) => {
      context.stdout.write(scripts[shell](commandTree(command.parent ?? command)));
    });
}

/** Prints ids of schedules, names of namespaces or of time zones; the completion scripts call it. */
export function declareComplete(command: Command, context: Context): void {
  command
    .argument('<what>')
    .argument('[begin]')
    .argument('[words...]')
    .action(async (what: string, begin: string | undefined, words: readonly string[]) => {
      const names = what === 'zone' ? zones(begin ?? '') : await asked(context, what, begin ?? '', words);
      context.stdout.write(names.map((each) => `${each}\n`).join(''));
    });
}

function zones(begin: string): readonly string[] {
  return zoneNames().filter((each) => each.toLowerCase().startsWith(begin.toLowerCase()));
}

/** Returns no suggestions without a server, a key or an answer in time. An error message would disturb the prompt. */
async function asked(
  context: Context,
  what: string,
  begin: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const after = (...flags: readonly string[]) => {
    const at = words.findIndex((word) => flags.includes(word));
    return at < 0 ? undefined : words[at + 1];
  };
  const server = after('-s', '--server');
  const namespace = after('--namespace');
  try {
    const client = clientOf(context, {
      ...given({ server, namespace }),
    });
    if (what === 'namespace') {
      const found = await inTime(context.clock, (signal) => client.settings.namespaces({ signal }));
      return found.map(({ name }) => name).filter((name) => name.startsWith(begin));
    }
    const query = { limit: mostNames, ...(begin === '' ? {} : { prefix: begin }) };
    const { items } = await inTime(context.clock, (signal) => client.schedules.list(query, { signal }));
    return items.map(({ id }) => id).filter((id) => /^[\x21-\x7e]+$/.test(id));
  } catch {
    return [];
  }
}

/** Aborts the request when the answer takes longer than a user at a prompt waits. */
async function inTime<T>(clock: Clock | undefined, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const cancel = clock?.wakeAt(addTime(clock.now(), timeoutMs), () => controller.abort());
  try {
    return await ask(controller.signal);
  } finally {
    cancel?.();
  }
}

const examples = `
Examples:
  $ source <(carillon completion bash)                          # in ~/.bashrc
  $ carillon completion zsh > ~/.zfunc/_carillon                # with ~/.zfunc in $fpath
  $ carillon completion fish > ~/.config/fish/completions/carillon.fish
`;
