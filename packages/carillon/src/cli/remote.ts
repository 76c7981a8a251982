/** Shared parts of commands that call a server: its address, and the caller. */

import { given } from '../base/given.ts';
import { CarillonClient } from '../client/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, exitCodesHelp } from './exit.ts';

export interface RemoteOptions {
  readonly server?: string;
  readonly namespace?: string;
  readonly json?: boolean;
}

export function remoteOptions(command: Command): Command {
  return command
    .option('-s, --server <url>', 'where the server is (default: CARILLON_URL, or http://127.0.0.1:8080)')
    .option('--namespace <name>', 'namespace (default: CARILLON_NAMESPACE, or that of the server)')
    .option('--json', 'print JSON');
}

export const remoteHelp = `
Environment: CARILLON_URL (server), CARILLON_KEY (API key), CARILLON_NAMESPACE.
${exitCodesHelp}
`;

/** The server's address, from the options or the environment. */
export function serverOf({ env = {} }: Context, options: RemoteOptions): string {
  return options.server ?? nonEmpty(env.CARILLON_URL) ?? 'http://127.0.0.1:8080';
}

/** The API key comes from the environment only, because all users of the machine can read the command line. */
export function clientOf(context: Context, options: RemoteOptions): CarillonClient {
  const { env = {}, user = '' } = context;
  const url = options.server ?? nonEmpty(env.CARILLON_URL);
  const namespace = options.namespace ?? nonEmpty(env.CARILLON_NAMESPACE);
  const key = nonEmpty(env.CARILLON_KEY);
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    const message = `'${url}' is not an http(s) address`;
    throw new BadInput([{ path: '--server', reason: 'BAD_URL', message, fix: 'write http://host:8080' }]);
  }
  const commandToken = context.commandToken?.(serverOf(context, options));
  return new CarillonClient({
    ...given({ url, namespace, key, commandToken }),
    ...(/^[\x21-\x7e]{1,255}$/.test(user) ? { actor: user } : {}),
    // The audit names the door of a change.
    fetch: async (input, init = {}) =>
      await fetch(input, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'carillon-door': 'cli' },
      }),
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** Prints JSON or text, and nothing else. */
export function print(context: Context, json: boolean | undefined, data: unknown, text: string): void {
  context.stdout.write(json === true ? `${JSON.stringify(data, undefined, 2)}\n` : text);
}

/** The summary as the first sentence of a help text. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
