/** `carillon import crontab`: converts a crontab to schedules, with a proof that they run at the same times. */
import { writeFileSync } from 'node:fs';
import type { CrontabRemark, Imported, LintFinding } from '../doctor/index.ts';
import { findZone, zoneNames } from '../spec/index.ts';
import { applyChanges } from './apply.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, EndWith, exitCode, exitCodesHelp } from './exit.ts';
import { importText } from './import-view.ts';
import { appliedText } from './manifest-view.ts';
import { nearNames } from './near-names.ts';
import { readWhole } from './read-option.ts';
import { fileName, manifestParser, readText } from './read-text.ts';
import { type RemoteOptions, remoteOptions } from './remote.ts';

export interface ImportOptions extends RemoteOptions {
  readonly system?: boolean;
  readonly zone?: string;
  readonly owner: string;
  readonly disabled?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly apply?: boolean;
  readonly takeOver?: boolean;
  readonly compare: number;
  readonly quiet?: boolean;
}

export interface ImportReport {
  readonly imported: readonly Imported[];
  readonly remarks: readonly CrontabRemark[];
  readonly findings: readonly LintFinding[];
  readonly zone: string;
}

export function declare(group: Command, context: Context): void {
  group.summary('bring schedules from elsewhere').description('Brings schedules from elsewhere.');
  remoteOptions(
    group
      .command('crontab')
      .summary('from a crontab')
      .description(
        'Reads a crontab and prints the schedules as a manifest for plan and apply; its report goes to the error stream. Each line is proved to run at the same times: they are compared with those of a second, independent implementation of cron.',
      )
      .argument('[file]', 'the crontab; - or nothing reads standard input', '-')
      .option('--system', 'with a column for the user, as /etc/crontab and /etc/cron.d')
      .option('-z, --zone <name>', 'zone of lines before any CRON_TZ (default: that of this machine)')
      .option('--owner <name>', 'whose schedules they become', 'crontab')
      .option('--disabled', 'also lines that are commented out, paused')
      .option('-o, --output <file>', 'write the manifest there')
      .option('--force', 'write over a file that exists')
      .option('--apply', 'create or change them on the server right away')
      .option('--take-over', 'with --apply: also change schedules of other owners')
      .option('--compare <number>', 'times of each line to compare', readWhole, 1000)
      .option('-q, --quiet', 'no progress'),
  )
    .addHelpText('after', examples(context.yaml === undefined ? 'json' : 'yaml'))
    .action(async (file: string, given: ImportOptions) => await crontab(context, file, given));
}

async function crontab(context: Context, file: string, given: ImportOptions): Promise<void> {
  const zone = readZone(given.zone ?? context.zone ?? 'UTC', given.zone !== undefined);
  const report = await read(context, file, given, zone);
  const manifest = manifestOf(report, given.owner);
  const text = await manifestText(context, manifest, file);
  const differs = report.imported.some(({ proof }) => proof.difference !== undefined);
  const failed = differs || report.remarks.some(({ level }) => level === 'error');
  if (given.json !== true) context.stderr.write(importText(report, context.colors.stderr));
  // Applying a part of a crontab would be worse than applying none: the user fixes unreadable lines first.
  const applied = given.apply === true && !failed ? await apply(context, given, text) : undefined;
  if (given.output !== undefined) write(given.output, text, given.force === true);
  if (given.json === true)
    context.stdout.write(`${JSON.stringify(reportJson(report, manifest, applied), undefined, 2)}\n`);
  else if (given.output !== undefined) context.stderr.write(`Written to ${given.output}.\n`);
  else if (given.apply !== true) context.stdout.write(text);
  if (given.apply === true && failed && given.json !== true) context.stderr.write('Nothing was changed.\n');
  if (failed || applied?.some(({ ok }) => !ok) === true) throw new EndWith(exitCode.failure);
}

async function manifestText({ yaml }: Context, manifest: object, file: string): Promise<string> {
  if (yaml === undefined) return `${JSON.stringify(manifest, undefined, 2)}\n`;
  const remark = `Imported from ${fileName(file)}. Look at it, then: carillon apply <this file>`;
  return (await yaml()).write(manifest, remark);
}

async function read(
  context: Context,
  file: string,
  given: ImportOptions,
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

async function apply(context: Context, given: ImportOptions, text: string) {
  const { readManifest } = await import('../doctor/index.ts');
  const { planGroup } = await import('./planning.ts');
  const manifest = readManifest(text, await manifestParser(context));
  if (!manifest.ok) throw new BadInput(manifest.problems);
  const [declared] = manifest.manifests;
  if (declared === undefined) return [];
  const { changes, client, owner, declaredBy, namespace } = await planGroup(context, declared, given);
  const isSilent = given.json === true || given.quiet === true;
  const due = changes.filter(({ kind }) => kind === 'create' || kind === 'update');
  const applied = [
    ...(await applyChanges(context, client, due, isSilent)),
    ...changes
      .filter(({ kind }) => kind === 'foreign')
      .map(({ id, kind, notes }) => ({ id, kind, ok: false, conflict: false, message: notes.join('; ') })),
  ];
  if (given.json !== true) {
    const part = { owner, declaredBy, namespace, pending: due.length, changes };
    context.stdout.write(appliedText([{ ...part, applied }], context.colors.stdout));
  }
  return applied;
}

function reportJson(
  { imported, remarks, findings, zone }: ImportReport,
  manifest: object,
  applied: unknown,
): object {
  const proofs = imported.map(({ id, line, schedule, proof }) => ({ id, line, schedule, ...proof }));
  return { zone, manifest, proofs, remarks, findings, ...(applied === undefined ? {} : { applied }) };
}

function write(file: string, text: string, force: boolean): void {
  try {
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isThere = code === 'EEXIST';
    throw new BadInput([
      {
        path: '--output',
        reason: 'UNWRITABLE',
        message: isThere ? `${file} exists already` : `cannot write ${file}: ${message}`,
        ...(isThere ? { fix: 'choose another name, or add --force' } : {}),
      },
    ]);
  }
}

function readZone(name: string, isGiven: boolean): string {
  if (findZone(name) !== undefined) return name;
  const near = nearNames(name, zoneNames());
  const fix =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'write an IANA name: --zone Europe/Berlin';
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
