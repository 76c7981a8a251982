/** The command line as a whole: reads arguments, runs one command, turns every outcome into an exit code. */

import { type CarillonError, isCarillonError } from 'carillon/client';
import { ServiceError, version } from 'carillon/internal/base';
import { Command, CommanderError } from 'commander';
import * as backup from './backup.ts';
import * as completion from './completion/completion.ts';
import type { Context } from './context.ts';
import * as dev from './dev.ts';
import * as dst from './dst.ts';
import { BadInput, EndWith, type ExitCode, exitCode, exitCodesHelp } from './exit.ts';
import * as exitCodes from './exit-codes.ts';
import * as imports from './import.ts';
import * as key from './key.ts';
import * as lint from './lint.ts';
import * as manifest from './manifest.ts';
import * as next from './next.ts';
import * as nodes from './nodes.ts';
import { problemText } from './problem-text.ts';
import * as runs from './runs.ts';
import * as schedule from './schedule.ts';
import { type KindOptions, spellOutCommand } from './schedule-options.ts';
import * as start from './start.ts';
import * as verify from './verify.ts';
import * as why from './why.ts';

const afterHelp = `
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

/** `args` are the words after the program's name. */
export async function runProgram(args: readonly string[], context: Context): Promise<ExitCode> {
  const json = args.includes('--json');
  try {
    // Bare `carillon` asks for help; that is an answer, not a mistake.
    const words = args.length === 0 ? ['--help'] : spellOutCommand(args);
    // Kinds of work bring their schemas along, which other commands need not load.
    const needsKinds = words.includes(schedule.name) || words.includes('completion');
    const kinds = needsKinds ? (await import('carillon/internal/action')).commandLines : [];
    await buildProgram(context, { json, kinds }).parseAsync(words, { from: 'user' });
    return exitCode.ok;
  } catch (error) {
    return reportError(error, context, json);
  }
}

interface ProgramOptions {
  readonly json: boolean;
  readonly kinds: KindOptions;
}

function buildProgram(context: Context, { json, kinds }: ProgramOptions): Command {
  const program = new Command('carillon')
    .description('Carillon: a durable scheduler. It decides when work runs, and can always say why.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // A machine gets the same sentence as JSON, from `reportError`.
      outputError: (text, write) => {
        if (!json) write(text);
      },
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => context.colors.stdout,
      getErrHasColors: () => context.colors.stderr,
    })
    .addHelpText('after', afterHelp);
  next.options(program.command(next.name)).action((expression: string[], given) => {
    next.run(context, { ...given, expression });
  });
  dev.options(program.command(dev.name)).action(async (given) => await dev.run(context, given));
  start.options(program.command(start.name)).action(async (given) => await start.run(context, given));
  key.options(program.command(key.name), context);
  schedule.options(program.command(schedule.name), context, kinds);
  why
    .options(program.command(why.name))
    .action(async (id: string, time: string | undefined, given) => await why.run(context, id, time, given));
  runs.options(program.command(runs.name)).action(async (given) => await runs.run(context, given));
  runs.runCommands(program.command('run'), context);
  nodes.options(program.command(nodes.name)).action(async (given) => await nodes.run(context, given));
  backup
    .options(program.command(backup.name))
    .action(async (file: string, given) => await backup.run(context, file, given));
  lint
    .options(program.command(lint.name))
    .action(async (targets: readonly string[], given) => await lint.run(context, targets, given));
  dst
    .options(program.command(dst.name))
    .action(async (ids: readonly string[], given) => await dst.run(context, ids, given));
  verify
    .options(program.command(verify.name))
    .action(async (ids: readonly string[], given) => await verify.run(context, ids, given));
  manifest.commands(program, context);
  imports.commands(program.command('import'), context);
  completion.commands(program, context);
  exitCodes
    .options(program.command(exitCodes.name))
    .action((given: { json?: boolean }) => exitCodes.run(context, given));
  program
    .command('version')
    .description('print the version')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const text = json === true ? JSON.stringify({ version }) : version;
      context.stdout.write(`${text}\n`);
    });
  return program;
}

function reportError(error: unknown, context: Context, json: boolean): ExitCode {
  // It has said what it had to say.
  if (error instanceof EndWith) return error.code;
  if (error instanceof CommanderError) {
    // Commander has already written its message, unless it is wanted as JSON, or the help.
    if (json && error.message.startsWith('error: ')) {
      const message = error.message.slice('error: '.length);
      context.stderr.write(errorJson({ reason: 'BAD_ARGUMENTS', message, problems: [] }));
    }
    return error.exitCode === 0 ? exitCode.ok : exitCode.badInput;
  }
  if (error instanceof BadInput) {
    const problems = error.problems.map(({ span: _, ...problem }) => problem);
    const { message } = ServiceError.invalid(problems);
    const text = json
      ? errorJson({ reason: 'INVALID', message, problems })
      : problemText(error.problems, context.colors.stderr);
    context.stderr.write(text);
    return exitCode.badInput;
  }
  if (isCarillonError(error)) return reportRefusal(error, context, json);
  const { message, ...failed } = ServiceError.from(error);
  const reason = storeReason(error) ?? failed.reason;
  const text = json
    ? errorJson({ reason, message, problems: [] })
    : problemText([{ path: '', reason, message }], context.colors.stderr);
  context.stderr.write(text);
  return exitCode.failure;
}

/** A store that is in use or damaged is nobody's bug. */
function storeReason(error: unknown): string | undefined {
  const { name, trouble } = error as { readonly name?: string; readonly trouble?: string };
  return name === 'StoreError' && trouble !== undefined ? `STORE_${trouble.toUpperCase()}` : undefined;
}

/** Every error has one shape, wherever it came from. */
function errorJson(error: Pick<CarillonError, 'reason' | 'message' | 'problems'>): string {
  return `${JSON.stringify({ error }, undefined, 2)}\n`;
}

/** What the server did not understand was typed here; everything else failed there. */
function reportRefusal(error: CarillonError, context: Context, json: boolean): ExitCode {
  const { code, reason, message, problems } = error;
  // The server speaks of a header; here it is a variable.
  const fix = code === 'unauthenticated' ? { fix: 'set CARILLON_KEY to a key of this server' } : {};
  const text = json
    ? errorJson({ reason, message, problems })
    : problemText(
        problems.length > 0 && code === 'invalidArgument'
          ? problems
          : [{ path: '', reason, message, ...fix }],
        context.colors.stderr,
      );
  context.stderr.write(text);
  return code === 'invalidArgument' ? exitCode.badInput : exitCode.failure;
}
