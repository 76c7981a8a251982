/** `carillon lint`: checks expressions, manifests, crontabs and the schedules of a server. */
import { existsSync } from 'node:fs';
import type { LintFinding, LintSubject } from '../doctor/index.ts';
import type { Dialect } from '../spec/index.ts';
import { type Command, Option } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, EndWith, exitCode, exitCodesHelp } from './exit.ts';
import { lintText, rulesText } from './lint-view.ts';
import { type LiveOptions, liveOptions } from './live.ts';
import { print } from './remote.ts';

export interface LintOptions extends LiveOptions {
  readonly all?: boolean;
  readonly zone?: string;
  readonly dialect: Dialect;
  readonly crontab?: boolean;
  readonly system?: boolean;
  readonly strict?: boolean;
  readonly rules?: boolean;
  readonly quiet?: boolean;
}

/** The checked subjects and their findings. */
export interface CheckedSubjects {
  readonly subjects: readonly LintSubject[];
  /** Findings about sources that could not be read. */
  readonly unread: readonly LintFinding[];
}

export function declare(command: Command, context: Context): void {
  liveOptions(
    command
      .summary('find pitfalls in schedules')
      .description(
        'Checks expressions, manifests, crontabs or the schedules of a server for pitfalls: times that never come, days that mean OR, uneven steps, hours that the clock skips or repeats, herds, overlaps, and more.',
      )
      .argument(
        '[target...]',
        'files (YAML or JSON manifest, crontab) or expressions in quotes; - reads standard input',
      )
      .option('-a, --all', 'all schedules of the server')
      .option('-z, --zone <name>', 'zone of expressions and of crontabs without one')
      .addOption(
        new Option('-d, --dialect <dialect>', 'how to read expressions')
          .choices(['unix', 'temporal', 'spring'])
          .default('unix'),
      )
      .option('--crontab', 'read files as crontabs, regardless of their names')
      .option('--system', 'crontabs have a column for the user, as /etc/crontab')
      .option('--strict', 'fail on warnings, too')
      .option('-q, --quiet', 'errors and warnings only')
      .option('--rules', 'list the rules'),
  )
    .addHelpText('after', examples)
    .action(async (targets: readonly string[], given: LintOptions) => await run(context, targets, given));
}

async function run(context: Context, targets: readonly string[], given: LintOptions): Promise<void> {
  if (given.rules === true) {
    const { lintRules } = await import('../doctor/index.ts');
    print(context, given.json, lintRules, rulesText(lintRules, context.colors.stdout));
    return;
  }
  if (targets.length === 0 && given.all !== true && given.db === undefined) {
    const fix = "carillon lint '*/7 * * * *', carillon lint schedules.yaml, or carillon lint --all";
    throw new BadInput([{ path: '', reason: 'MISSING', message: 'there is nothing to check', fix }]);
  }
  refuseSlips(targets);
  const { expressionSubject, fileSubjects, liveSubjects } = await import('./lint-sources.ts');
  const { lintSubjects } = await import('../doctor/index.ts');
  const checked: CheckedSubjects[] = [];
  for (const target of targets) {
    const isFile = target === '-' || existsSync(target);
    checked.push(isFile ? await fileSubjects(context, target, given) : expressionSubject(target, given));
  }
  if (given.all === true || (given.db !== undefined && targets.length === 0))
    checked.push(await liveSubjects(context, given));
  const subjects = checked.flatMap((each) => each.subjects);
  const found = [...checked.flatMap((each) => each.unread), ...lintSubjects(subjects, context.now)];
  const findings = given.quiet === true ? found.filter(({ severity }) => severity !== 'info') : found;
  const counts = {
    error: found.filter(({ severity }) => severity === 'error').length,
    warning: found.filter(({ severity }) => severity === 'warning').length,
    info: found.filter(({ severity }) => severity === 'info').length,
  };
  const total =
    subjects.length + new Set(checked.flatMap((each) => each.unread.map(({ subject }) => subject))).size;
  print(
    context,
    given.json,
    { checked: total, counts, findings },
    lintText(findings, { total, counts, colored: context.colors.stdout }),
  );
  if (counts.error > 0 || (given.strict === true && counts.warning > 0)) throw new EndWith(exitCode.failure);
}

/** Refuses an expression without quotes and a missing file, which are typing errors. */
function refuseSlips(targets: readonly string[]): void {
  const absent = targets.filter((target) => target !== '-' && !existsSync(target));
  const files = absent.filter(
    (target) => /\.(ya?ml|json)$/i.test(target) || /^\S*\/\S*[^\s\d*]\S*$/.test(target),
  );
  if (files.length > 0) {
    throw new BadInput(
      files.map((file) => ({ path: 'target', reason: 'NO_FILE', message: `there is no file ${file}` })),
    );
  }
  if (absent.length < 2 || absent.some((target) => /\s|^@/.test(target))) return;
  const fix = `put it in quotes: '${targets.join(' ')}'`;
  const message = 'the expression was split into several words';
  throw new BadInput([{ path: 'target', reason: 'UNQUOTED', message, fix }]);
}

const examples = `
Examples:
  $ carillon lint '0 0 13 * 5'
  $ carillon lint '30 2 * * *' --zone America/New_York
  $ carillon lint schedules.yaml --strict
  $ carillon lint /etc/crontab --system
  $ carillon lint --all
  $ carillon lint --rules

Needs no server, except for --all. Exits with 1 on errors, with --strict on warnings, too.
${exitCodesHelp}
`;
