/** The program `carillon`: the commands of this package, and those of the server package if it is installed. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { version } from '../base/version.ts';
import { runProcess } from './process.ts';
import type { ServerCommands } from './server-commands.ts';

export async function launch(): Promise<void> {
  await runProcess(await findServer());
}

/**
 * Looks in the working directory first: pnpm and Yarn's Plug'n'Play let a package resolve only its own dependencies,
 * and the library does not depend on the server.
 */
async function findServer(): Promise<ServerCommands | undefined> {
  let found: ServerCommands | undefined;
  for (const from of [`${process.cwd()}/`, import.meta.url]) {
    const file = resolved(from);
    if (file === undefined) continue;
    const server = (await import(pathToFileURL(file).href)) as ServerCommands;
    if (server.version === version) return server;
    // This server has another version; if no matching one is found, the program reports it.
    found ??= server;
  }
  return found;
}

function resolved(from: string): string | undefined {
  try {
    return createRequire(from).resolve('@carillon/server/cli');
  } catch {
    return undefined;
  }
}
