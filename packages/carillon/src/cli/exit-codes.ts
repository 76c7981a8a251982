/** `carillon exit-codes`: the exit codes that scripts can rely on. */
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { exitCode } from './exit.ts';
import { print } from './remote.ts';
import { tableText } from './table.ts';

const meanings: readonly (readonly [number, string])[] = [
  [exitCode.ok, 'done; a check found nothing; a plan has nothing to do'],
  [
    exitCode.failure,
    'failed while working: the server refused or was not reached, a change met a conflict; or a check found something: lint has errors (with --strict warnings), verify has findings, dst has an effect of --fail-on, import has a line it cannot read or prove, a backfill that was waited for did not go well',
  ],
  [exitCode.badInput, 'the input was not understood: options, expressions, files; nothing was done'],
  [exitCode.pending, 'plan only: there is something to apply'],
  [130, 'interrupted a second time while stopping'],
];

const exitCodesTable = meanings.map(([code, text]) => `  ${String(code).padStart(3)}  ${text}`).join('\n');

export function declare(command: Command, context: Context): void {
  command
    .summary('what the exit codes mean')
    .description('Lists what the exit codes of all commands mean.')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExit codes:\n${exitCodesTable}\n`)
    .action((given: { readonly json?: boolean }) => run(context, given));
}

function run(context: Context, given: { readonly json?: boolean }): void {
  const rows = meanings.map(([code, text]) => [String(code), text]);
  const data = meanings.map(([code, meaning]) => ({ code, meaning }));
  print(context, given.json, data, tableText(['CODE', 'MEANING'], rows, context.colors.stdout));
}
