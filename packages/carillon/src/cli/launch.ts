/** The program `carillon`: this package's commands, and those of the server package where it is installed. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { version } from '../base/version.ts';
import { runProcess } from './process.ts';
import type { ServerCommands } from './server-commands.ts';

export async function launch(): Promise<void> {
  await runProcess(await findServer());
}

/**
 * From the working directory first: pnpm and Yarn's Plug'n'Play let a package resolve only what it depends on itself, and the
 * library does not depend on the server.
 */
async function findServer(): Promise<ServerCommands | undefined> {
  let found: ServerCommands | undefined;
  for (const from of [`${process.cwd()}/`, import.meta.url]) {
    const file = resolved(from);
    if (file === undefined) continue;
    const server = (await import(pathToFileURL(file).href)) as ServerCommands;
    if (server.version === version) return server;
    // Of another version; if there is no better one, the program says so.
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
