/** `carillon import conductor`: converts the schedules of a Conductor server, with a proof that they run at the same times. */
import type { ConductorImport, ConductorRemark } from '../doctor/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, exitCodesHelp } from './exit.ts';
import { importTarget } from './import-output.ts';
import { proofCell } from './import-proof-view.ts';
import { endImport, type ProvedTarget } from './import-proved.ts';
import { readWhole } from './read-option.ts';
import { fileName, readText } from './read-text.ts';
import { remoteOptions } from './remote.ts';

interface ConductorReport {
  readonly imported: readonly ConductorImport[];
  readonly remarks: readonly ConductorRemark[];
}

export function declareConductor(group: Command, context: Context): void {
  const command = group
    .command('conductor')
    .summary('from a Conductor server')
    .description(
      'Reads the schedules of a Conductor server, or a file with what GET /api/scheduler/schedules answered, and prints them as a manifest for plan and apply; its report goes to the error stream. Each cron is proved to run at the same times: they are compared with those of a second, independent implementation of its cron. Fields without a counterpart are listed.',
    )
    .argument('<source>', 'the address of the server (http://host:8080), a file, or - for standard input');
  remoteOptions(
    importTarget(command, 'conductor').option(
      '--compare <number>',
      'times of each cron to compare',
      readWhole,
      1000,
    ),
  )
    .addHelpText('after', examples(context.yaml === undefined ? 'json' : 'yaml'))
    .action(async (source: string, given: ProvedTarget) => await run(context, source, given));
}

async function run(context: Context, source: string, given: ProvedTarget): Promise<void> {
  const report = await read(context, source, given);
  const { imported } = report;
  await endImport(context, given, report, {
    source: fileName(source),
    head: ['NAME', 'WHEN', 'ZONE', 'PROOF'],
    rows: imported.flatMap(({ id, crons, proof }) =>
      crons.map(({ text, zone = 'UTC' }, index) =>
        index === 0 ? [id, text, zone, proofCell(proof)] : ['', text, zone, ''],
      ),
    ),
    by: 'an independent reading of the cron',
    about: (index) => ({ crons: imported[index]?.crons }),
  });
}

async function read(context: Context, source: string, given: ProvedTarget): Promise<ConductorReport> {
  const { conductorSchedules, importConductor } = await import('../doctor/index.ts');
  const { Progress } = await import('./progress.ts');
  const isAddress = /^https?:\/\//.test(source);
  const text = isAddress ? await fetchSchedules(source) : await readText(context, source);
  const schedules = conductorSchedules(parsed(text));
  if (schedules === undefined) {
    const fix = 'save what GET <server>/api/scheduler/schedules answers, and name that file';
    throw new BadInput([
      { path: 'source', reason: 'NOT_SCHEDULES', message: 'this is not a list of schedules', fix },
    ]);
  }
  const isSilent = given.json === true || given.quiet === true;
  const progress = new Progress(context, { label: 'comparing', total: schedules.length, isSilent });
  const report = importConductor(schedules, { now: context.now, compare: given.compare }, (done) =>
    progress.at(done),
  );
  progress.end();
  return report;
}

async function fetchSchedules(address: string): Promise<string> {
  const url = `${address.replace(/\/+$/, '').replace(/\/api$/, '')}/api/scheduler/schedules`;
  try {
    const response = await fetch(url);
    if (response.ok) return await response.text();
    throw new Error(`it answered ${response.status}`);
  } catch (error) {
    const { message, cause } = error as Error & { readonly cause?: { readonly message?: string } };
    const why = cause?.message ?? message;
    throw new BadInput([{ path: 'source', reason: 'UNREADABLE', message: `cannot read ${url}: ${why}` }]);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput([
      { path: 'source', reason: 'NOT_JSON', message: `not JSON: ${(error as Error).message}` },
    ]);
  }
}

const examples = (ending: string) => `
Examples:
  $ carillon import conductor http://conductor:8080 > schedules.${ending}
  $ carillon import conductor export.json --apply --owner reports

Runs may overlap, late slots run as runCatchupScheduleInstances says, and inputs get the keys that Conductor's scheduler adds.
Exits with 1 when a schedule cannot be read or its times differ.
${exitCodesHelp}
`;
