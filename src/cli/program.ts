/** The command line as a whole: reads arguments, runs one command, turns every outcome into an exit code. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ServiceError } from '../base/error.ts';
import type { Context } from './context.ts';
import { BadInput, type ExitCode, exitCode } from './exit.ts';
import * as next from './next.ts';
import { problemText } from './problem-text.ts';

const afterHelp = `
Examples:
  $ carillon next '0 9 * * 1-5' --zone America/New_York
  $ carillon next --every 15m
  $ carillon help next

Exit codes: 0 done, 1 failed while working, 2 the input was not understood.
`;

/** `args` are the words after the program's name. */
export async function runProgram(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    // Bare `carillon` asks for help; that is an answer, not a mistake.
    const words = args.length === 0 ? ['--help'] : [...args];
    await buildProgram(context).parseAsync(words, { from: 'user' });
    return exitCode.ok;
  } catch (error) {
    return reportError(error, context, args.includes('--json'));
  }
}

function buildProgram(context: Context): Command {
  const program = new Command('carillon')
    .description('Carillon: a durable scheduler. It decides when work runs, and can always say why.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => context.colors.stdout,
      getErrHasColors: () => context.colors.stderr,
    })
    .addHelpText('after', afterHelp);
  next.options(program.command(next.name)).action((expression: string[], given) => {
    next.run(context, { ...given, expression });
  });
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const version = readVersion();
      context.stdout.write(json === true ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    });
  return program;
}

function reportError(error: unknown, context: Context, json: boolean): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has already written its message or the help.
    return error.exitCode === 0 ? exitCode.ok : exitCode.badInput;
  }
  if (error instanceof BadInput) {
    const problems = error.problems.map(({ span: _, ...problem }) => problem);
    const text = json
      ? `${JSON.stringify({ error: { reason: 'INVALID', problems } }, undefined, 2)}\n`
      : problemText(error.problems, context.colors.stderr);
    context.stderr.write(text);
    return exitCode.badInput;
  }
  const { reason, message } = ServiceError.from(error);
  context.stderr.write(json ? `${JSON.stringify({ error: { reason, message } })}\n` : `error ${message}\n`);
  return exitCode.failure;
}

/** The manifest stands two folders up, from `src/cli` as from `dist/cli`. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest && manifest.version;
  return typeof version === 'string' ? version : 'unknown';
}
