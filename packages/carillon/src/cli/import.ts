/** `carillon import crontab`: converts a crontab to schedules, with a proof that they run at the same times. */
import type { CrontabRemark, Imported, LintFinding } from '../doctor/index.ts';
import { findZone, zoneFix } from '../spec/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, EndWith, exitCode, exitCodesHelp } from './exit.ts';
import { declareBullmq } from './import-bullmq.ts';
import { declareConductor } from './import-conductor.ts';
import { type ImportTarget, importTarget, outputImport } from './import-output.ts';
import { declareTemporal } from './import-temporal.ts';
import { importText } from './import-view.ts';
import { readWhole } from './read-option.ts';
import { fileName, readText } from './read-text.ts';
import { remoteOptions } from './remote.ts';

export interface ImportCommandOptions extends ImportTarget {
  readonly system?: boolean;
  readonly zone?: string;
  readonly disabled?: boolean;
  readonly compare: number;
}

export interface ImportReport {
  readonly imported: readonly Imported[];
  readonly remarks: readonly CrontabRemark[];
  readonly findings: readonly LintFinding[];
  readonly zone: string;
}

export function declare(group: Command, context: Context): void {
  group.summary('bring schedules from elsewhere').description('Brings schedules from elsewhere.');
  declareBullmq(group, context);
  declareConductor(group, context);
  declareTemporal(group, context);
  const command = group
    .command('crontab')
    .summary('from a crontab')
    .description(
      'Reads a crontab and prints the schedules as a manifest for plan and apply; its report goes to the error stream. Each line is proved to run at the same times: they are compared with those of a second, independent implementation of cron.',
    )
    .argument('[file]', 'the crontab; - or nothing reads standard input', '-')
    .option('--system', 'with a column for the user, as /etc/crontab and /etc/cron.d')
    .option('-z, --zone <name>', 'zone of lines before any CRON_TZ (default: that of this machine)')
    .option('--disabled', 'also lines that are commented out, paused');
  remoteOptions(
    importTarget(command, 'crontab').option(
      '--compare <number>',
      'times of each line to compare',
      readWhole,
      1000,
    ),
  )
    .addHelpText('after', examples(context.yaml === undefined ? 'json' : 'yaml'))
    .action(async (file: string, given: ImportCommandOptions) => await crontab(context, file, given));
}

async function crontab(context: Context, file: string, given: ImportCommandOptions): Promise<void> {
  const zone = readZone(given.zone ?? context.zone ?? 'UTC', given.zone !== undefined);
  const report = await read(context, file, given, zone);
  const differs = report.imported.some(({ proof }) => proof.difference !== undefined);
  const failed = differs || report.remarks.some(({ level }) => level === 'error');
  if (given.json !== true) context.stderr.write(importText(report, context.colors.stderr));
  const { remarks, findings } = report;
  const proofs = report.imported.map(({ id, line, schedule, proof }) => ({ id, line, schedule, ...proof }));
  const isDone = await outputImport(context, given, {
    manifest: manifestOf(report, given.owner),
    source: fileName(file),
    failed,
    report: { zone, proofs, remarks, findings },
  });
  if (failed || !isDone) throw new EndWith(exitCode.failure);
}

async function read(
  context: Context,
  file: string,
  given: ImportCommandOptions,
  zone: string,
): Promise<ImportReport> {
  const { importEntries, lintAction, lintSubjects, readCrontab } = await import('../doctor/index.ts');
  const { Progress } = await import('./progress.ts');
  const { entries, remarks } = readCrontab(await readText(context, file), {
    isSystem: given.system === true,
  });
  const wanted = entries.filter(({ isDisabled }) => !isDisabled || given.disabled === true);
  const left = entries.filter(({ isDisabled }) => isDisabled && given.disabled !== true);
  const isSilent = given.json === true || given.quiet === true;
  const progress = new Progress(context, { label: 'comparing', total: wanted.length, isSilent });
  const imported = importEntries(wanted, { zone, now: context.now, compare: given.compare }, (done) =>
    progress.at(done),
  );
  progress.end();
  const subjects = imported
    .filter(({ proof }) => proof.difference === undefined)
    .map(({ id, line, schedule, input }) => ({
      name: id,
      spec: { cron: [{ text: schedule }], zone: input.zone ?? zone },
      location: { file: fileName(file), line },
      action: lintAction(input),
    }));
  const skipped = left.map(({ line, command }) => ({
    line,
    level: 'info' as const,
    message: `commented out, left out: '${command}'; --disabled imports it as a paused schedule`,
  }));
  return {
    imported,
    remarks: [...remarks, ...skipped].sort((a, b) => a.line - b.line),
    findings: lintSubjects(subjects, context.now).filter(({ severity }) => severity !== 'info'),
    zone,
  };
}

function manifestOf({ imported }: ImportReport, owner: string) {
  return { owner, schedules: imported.map(({ id, input }) => ({ id, ...input })) };
}

function readZone(name: string, isGiven: boolean): string {
  if (findZone(name) !== undefined) return name;
  const fix = zoneFix(name, 'write an IANA name: --zone Europe/Berlin');
  const message = isGiven ? `unknown time zone ${name}` : `the zone of this machine, ${name}, is unknown`;
  throw new BadInput([{ path: '--zone', reason: 'UNKNOWN_ZONE', message, fix }]);
}

const examples = (ending: string) => `
Examples:
  $ crontab -l | carillon import crontab > schedules.${ending}
  $ carillon import crontab /etc/crontab --system --zone Europe/Berlin -o schedules.${ending}
  $ crontab -l | carillon import crontab --apply --owner this-machine

Commands run through the shell as cron does, with the variables set above them; jobs may overlap, as they do in cron.
What cron would do and Carillon cannot (@reboot, mail, another user) is said with its line.
Exits with 1 when a line cannot be read or its times differ.
${exitCodesHelp}
`;
