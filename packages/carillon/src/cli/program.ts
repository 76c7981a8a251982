/**
 * The whole command line: parses arguments, runs one command, and converts every outcome to an exit code. The
 * commands of the server package are passed in; without it they are listed as well and say what to install.
 */
import { version } from '../base/version.ts';
import { type Asked, readArguments } from './arguments.ts';
import { Command } from './command.ts';
import type { Context } from './context.ts';
import * as dst from './dst.ts';
import { BadInput, EndWith, type ExitCode, exitCode, exitCodesHelp } from './exit.ts';
import * as exitCodes from './exit-codes.ts';
import { helpText } from './help.ts';
import * as imports from './import.ts';
import * as lint from './lint.ts';
import * as next from './next.ts';
import { problemText } from './problem-text.ts';
import { sentence } from './remote.ts';
import { errorJson, reportError } from './report-error.ts';
import { type Declare, installServer, type ServerCommands, serverSummaries } from './server-commands.ts';

/** All commands in the order of the help. */
const order = [
  ...['next', 'dev', 'start', 'key', 'schedule', 'why', 'calendar', 'runs', 'run', 'host', 'view'],
  ...['namespace', 'audit'],
  ...['nodes', 'backup'],
  ...['lint', 'dst', 'verify', 'plan', 'apply', 'prune', 'import', 'completion', 'exit-codes', 'version'],
];

/** The commands that need nothing but this package. */
const own: Readonly<Record<string, Declare>> = {
  next: next.declare,
  lint: lint.declare,
  dst: dst.declare,
  import: imports.declare,
  'exit-codes': exitCodes.declare,
  version: declareVersion,
};

/** `args` are the words after the program's name. */
export async function runProgram(
  args: readonly string[],
  given: Context,
  server?: ServerCommands,
): Promise<ExitCode> {
  const json = args.includes('--json');
  const context = server === undefined ? given : { ...given, yaml: server.yaml };
  try {
    if (server !== undefined && server.version !== version) throw new BadInput([mismatch(server.version)]);
    // `carillon` without arguments shows the help and is not an error.
    const words = args.length === 0 ? ['--help'] : args;
    return await perform(readArguments(await programOf(words, context, server), words), context);
  } catch (error) {
    return reportError(error, context, json);
  }
}

async function perform(asked: Asked, context: Context): Promise<ExitCode> {
  switch (asked.kind) {
    case 'help':
      context.stdout.write(helpText(asked.command));
      return exitCode.ok;
    case 'incomplete':
      context.stderr.write(helpText(asked.command));
      return exitCode.badInput;
    case 'version':
      context.stdout.write(`${version}\n`);
      return exitCode.ok;
    default:
      await asked.command.perform?.(...asked.given);
      return exitCode.ok;
  }
}

/** The program with all its commands. */
async function programOf(
  words: readonly string[],
  context: Context,
  server?: ServerCommands,
): Promise<Command> {
  const program = new Command('carillon')
    .description('Carillon: a durable scheduler. It decides when work runs, and can always say why.')
    .option('-V, --version', 'print the version')
    .addHelpText('after', server === undefined ? helpAlone : helpWithServer);
  for (const name of order) {
    const declare = own[name] ?? server?.commands[name];
    if (declare !== undefined) await declare(program.command(name), context, words);
    else declareMissing(program.command(name), context);
  }
  for (const [name, declare] of Object.entries(server?.commands ?? {})) {
    if (!order.includes(name))
      await declare(program.command(name, { hidden: name.startsWith('_') }), context, words);
  }
  return program;
}

function declareVersion(command: Command, context: Context): void {
  command
    .summary('print the version')
    .description('print the version')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => {
      const text = json === true ? JSON.stringify({ version }) : version;
      context.stdout.write(`${text}\n`);
    });
}

/** Declares a placeholder for a command of the server package. */
function declareMissing(command: Command, context: Context): void {
  const { name } = command;
  const summary = serverSummaries[name] ?? '';
  command
    .summary(summary)
    .description(sentence(summary))
    .addHelpText('after', `\nThis command comes with the server package:\n  $ ${installServer}\n`)
    .action((given: { readonly json: boolean }) => {
      const message = `'${name}' needs the package @carillon/server, which is not installed`;
      const problem = { path: '', reason: 'SERVER_PACKAGE_MISSING', message, fix: installServer };
      context.stderr.write(
        given.json
          ? errorJson({ reason: problem.reason, message: `${message}: ${installServer}`, problems: [] })
          : problemText([problem], context.colors.stderr),
      );
      throw new EndWith(exitCode.serverMissing);
    });
  command.group = `Commands of the server package (${installServer}):`;
  command.takesAnything = true;
}

function mismatch(serverVersion: string) {
  return {
    path: '',
    reason: 'VERSION_MISMATCH',
    message: `carillon is ${version} and @carillon/server is ${serverVersion}; they work together in the same version only`,
    fix: `npm install carillon@${version} @carillon/server@${version}`,
  };
}

const helpWithServer = `
Examples:
  $ carillon dev
  $ carillon schedule create nightly --cron '0 2 * * *' --zone Europe/Berlin --url https://example.com/hook
  $ carillon why nightly 2026-03-29T02:00
  $ carillon next '0 9 * * 1-5' --zone America/New_York
  $ carillon lint '0 0 13 * 5'
  $ carillon apply schedules.yaml
  $ carillon help next

${exitCodesHelp}
`;

const helpAlone = `
Examples:
  $ carillon next '0 9 * * 1-5' --zone America/New_York
  $ carillon lint '0 0 13 * 5'
  $ carillon dst --expression '30 2 * * *' --zone America/New_York
  $ crontab -l | carillon import crontab
  $ carillon help next

${exitCodesHelp}
`;
