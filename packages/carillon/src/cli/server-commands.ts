/** The commands of the server package, by name and summary, so that the help can list them. */
import type { Command } from './command.ts';
import type { Context, Yaml } from './context.ts';

export type Declare = (command: Command, context: Context, words: readonly string[]) => void | Promise<void>;

/** What `@carillon/server/cli` exports. */
export interface ServerCommands {
  readonly version: string;
  /**
   * Functions that declare the commands, by name. `words` is the whole command line, so that an expensive declaration
   * can be skipped when another command is used. Names that begin with underscores are hidden.
   */
  readonly commands: Readonly<Record<string, Declare>>;
  /** Loads the YAML reader and writer. */
  readonly yaml: () => Promise<Yaml>;
}

/** The summaries; a test compares them with the commands. */
export const serverSummaries: Readonly<Record<string, string>> = {
  dev: 'start a server on this machine',
  start: 'start a server for production',
  key: 'make, list and revoke API keys',
  schedule: 'create, look at and change schedules',
  why: 'say why a schedule did, or did not, run',
  calendar: 'what all schedules will do, day by day',
  runs: 'list runs, newest first',
  run: 'look at, stop or queue one run',
  host: 'look at and change workflows of producers and consumers',
  view: 'list, save and remove named queries of schedules',
  namespace: 'list, create, change and delete namespaces',
  audit: 'list who changed what, newest first',
  nodes: 'list the processes that work on the store',
  backup: 'copy a SQLite store while it is in use',
  verify: 'recompute what should have happened and check the ledger',
  plan: 'show what apply would do',
  apply: 'make the schedules match a file',
  prune: 'delete what a file no longer declares',
  completion: 'print a completion script for a shell',
};

export const installServer = 'npm install @carillon/server';
