/** Commands that talk to a server: where it is, and who speaks. */

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

/** Where the server is, as it was said. */
export function serverOf({ env = {} }: Context, options: RemoteOptions): string {
  return options.server ?? given(env.CARILLON_URL) ?? 'http://127.0.0.1:8080';
}

/** A key comes from the environment only: what stands on the command line can be read by everybody on the machine. */
export function clientOf(context: Context, options: RemoteOptions): CarillonClient {
  const { env = {}, user = '' } = context;
  const url = options.server ?? given(env.CARILLON_URL);
  const namespace = options.namespace ?? given(env.CARILLON_NAMESPACE);
  const key = given(env.CARILLON_KEY);
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    const message = `'${url}' is no address`;
    throw new BadInput([{ path: '--server', reason: 'BAD_URL', message, fix: 'write http://host:8080' }]);
  }
  const commandToken = context.commandToken?.(serverOf(context, options));
  return new CarillonClient({
    ...(url === undefined ? {} : { url }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(key === undefined ? {} : { key }),
    ...(commandToken === undefined ? {} : { commandToken }),
    ...(/^[\x21-\x7e]{1,255}$/.test(user) ? { actor: user } : {}),
  });
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** JSON for machines, text for people; nothing else is printed. */
export function print(context: Context, json: boolean | undefined, data: unknown, text: string): void {
  context.stdout.write(json === true ? `${JSON.stringify(data, undefined, 2)}\n` : text);
}

/** A summary as the sentence that begins a help text. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
