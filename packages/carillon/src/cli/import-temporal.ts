/** `carillon import temporal`: converts the schedules of a Temporal server, with a proof that they run at the same times. */
import type { TemporalConnection } from '../action/temporal-driver.ts';
import { openTemporal } from '../action/temporal-driver.ts';
import { type Instant, second } from '../base/time.ts';
import type {
  Comparison,
  DescriptionMessage,
  SecondsMessage,
  TemporalRemark,
  TemporalSchedule,
  WorkPlace,
} from '../doctor/index.ts';
import { describeSpec, type Window } from '../spec/index.ts';
import { type Command, Option } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, exitCodesHelp } from './exit.ts';
import { importTarget } from './import-output.ts';
import { proofCell } from './import-proof-view.ts';
import { endImport, type ProvedTarget } from './import-proved.ts';
import { readWhole } from './read-option.ts';
import { remoteOptions } from './remote.ts';

interface TemporalOptions extends ProvedTarget {
  readonly from: string;
  readonly tls?: boolean;
  readonly work: WorkPlace;
}

interface ProvedSchedule extends TemporalSchedule {
  readonly proof: Comparison;
}

interface TemporalReport {
  readonly imported: readonly ProvedSchedule[];
  readonly remarks: readonly TemporalRemark[];
}

export function declareTemporal(group: Command, context: Context): void {
  const command = group
    .command('temporal')
    .summary('from a Temporal server')
    .description(
      'Reads the schedules of a Temporal server and prints them as a manifest for plan and apply; its report goes to the error stream. Each schedule is proved to run at the same times: those of the coming year are compared with the ones that the server itself computes. Fields without a counterpart are listed. Needs the package @temporalio/client.',
    )
    .argument('<address>', 'where the server is (host:7233)')
    .option('--from <namespace>', 'the namespace there', 'default')
    .option('--tls', 'connect with TLS (always with TEMPORAL_API_KEY)')
    .addOption(
      new Option(
        '--work <place>',
        'here: handlers and activity workers; there: workflows on the cluster, as before',
      )
        .choices(['here', 'there'])
        .default('here'),
    );
  remoteOptions(
    importTarget(command, 'temporal')
      .option('--compare <number>', 'times of each schedule to compare', readWhole, 1000)
      .option('--accept-differences', 'also when times differ'),
  )
    .addHelpText('after', examples(context.yaml === undefined ? 'json' : 'yaml'))
    .action(async (address: string, given: TemporalOptions) => await run(context, address, given));
}

async function run(context: Context, address: string, given: TemporalOptions): Promise<void> {
  const report = await read(context, address, given);
  await endImport(context, given, report, {
    source: address,
    head: ['NAME', 'WHEN', 'PROOF'],
    rows: report.imported.map(({ id, spec, proof }) => [id, describeSpec(spec), proofCell(proof)]),
    by: 'those that the server computes',
  });
}

async function read(context: Context, address: string, given: TemporalOptions): Promise<TemporalReport> {
  const { readTemporalSchedule } = await import('../doctor/index.ts');
  const { Progress } = await import('./progress.ts');
  const apiKey = context.env?.TEMPORAL_API_KEY;
  const tls = given.tls === true ? { tls: true } : {};
  const connection = await openTemporal({ address, ...(apiKey ? { apiKey } : {}), ...tls });
  const source = new Source(connection, given.from, context.now);
  const imported: ProvedSchedule[] = [];
  const remarks: TemporalRemark[] = [];
  try {
    const seedOf = await source.seeds();
    const ids = await source.ids();
    const isSilent = given.json === true || given.quiet === true;
    const progress = new Progress(context, { label: 'comparing', total: ids.length, isSilent });
    for (const [index, id] of ids.entries()) {
      progress.at(index);
      const { schedule, remarks: told } = readTemporalSchedule(id, await source.describe(id), given.work);
      remarks.push(...told);
      if (schedule === undefined) continue;
      imported.push({ ...schedule, proof: await prove(source, schedule, seedOf(id), given.compare) });
    }
    progress.end();
    return { imported, remarks };
  } catch (error) {
    const { message, details } = error as Error & { readonly details?: string };
    throw new BadInput([
      { path: 'address', reason: 'UNREADABLE', message: `cannot read ${address}: ${details || message}` },
    ]);
  } finally {
    await connection.close();
  }
}

/** The coming year, as far as `most` times go, and then the days around the clock changes beyond them. */
async function prove(
  source: Source,
  { id, spec }: TemporalSchedule,
  seed: string,
  most: number,
): Promise<Comparison> {
  const { clockChangeWindows, compareTimes, comparedYear } = await import('../doctor/index.ts');
  const year = comparedYear(source.now);
  const first = await source.times(id, year, most);
  const proof = compareTimes(spec, { seed, window: year, ...first });
  const reached = first.theirs.at(-1);
  if (proof.difference !== undefined || !first.isCut || reached === undefined) return proof;
  let { times } = proof;
  for (const window of clockChangeWindows(spec, year, reached)) {
    const around = compareTimes(spec, { seed, window, ...(await source.times(id, window, most)) });
    times += around.times;
    if (around.difference !== undefined) return { times, difference: around.difference };
  }
  return { times };
}

/** The server that is read. */
class Source {
  readonly now: Instant;
  readonly #connection: TemporalConnection;
  readonly #namespace: string;

  constructor(connection: TemporalConnection, namespace: string, now: Instant) {
    this.#connection = connection;
    this.#namespace = namespace;
    // Slots are whole seconds, and so are the edges of the windows.
    this.now = (Math.ceil(now / second) * second) as Instant;
  }

  /** Jitter is a function of the ids of namespace and schedule. */
  async seeds(): Promise<(id: string) => string> {
    const { namespaceInfo } = await this.#call('describeNamespace', {});
    const { id: namespaceId = '' } = (namespaceInfo ?? {}) as { readonly id?: string };
    return (id) => `${namespaceId}-${id}`;
  }

  async ids(): Promise<readonly string[]> {
    const found: string[] = [];
    let nextPageToken: unknown;
    do {
      const page = await this.#call('listSchedules', {
        maximumPageSize: 100,
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
      });
      const schedules = (page.schedules ?? []) as readonly { readonly scheduleId?: string }[];
      found.push(...schedules.map(({ scheduleId = '' }) => scheduleId));
      nextPageToken = page.nextPageToken;
    } while ((nextPageToken as Uint8Array | null | undefined)?.length);
    return found.sort();
  }

  async describe(scheduleId: string): Promise<DescriptionMessage> {
    return await this.#call('describeSchedule', { scheduleId });
  }

  /** The times of a window as the server computes them, at most about `most`; a server answers 1,000 at once. */
  async times(
    scheduleId: string,
    { from, to }: Window,
    most: number,
  ): Promise<{ readonly theirs: readonly Instant[]; readonly isCut: boolean }> {
    const { timeOf } = await import('../doctor/index.ts');
    const theirs: Instant[] = [];
    for (;;) {
      const startTime = stampOf(theirs.at(-1) ?? from);
      const answer = await this.#call('listScheduleMatchingTimes', {
        scheduleId,
        startTime,
        endTime: stampOf(to),
      });
      const page = ((answer.startTime ?? []) as readonly SecondsMessage[]).map(timeOf);
      theirs.push(...page.filter((at) => at > (theirs.at(-1) ?? from)));
      if (page.length < fullPage) return { theirs, isCut: false };
      if (theirs.length >= most) return { theirs, isCut: true };
    }
  }

  async #call(
    name: 'describeNamespace' | 'listSchedules' | 'describeSchedule' | 'listScheduleMatchingTimes',
    request: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { workflowService } = this.#connection;
    return await workflowService[name]({ namespace: this.#namespace, ...request });
  }
}

const fullPage = 1000;

function stampOf(at: Instant): object {
  return { seconds: Math.floor(at / second), nanos: (at % second) * 1_000_000 };
}

const examples = (ending: string) => `
Examples:
  $ carillon import temporal temporal.internal:7233 > schedules.${ending}
  $ carillon import temporal 127.0.0.1:7233 --from billing --apply --owner billing
  $ carillon import temporal 127.0.0.1:7233 --work there -o schedules.${ending}

A schedule is imported as it is described: its pause, its note and its remaining actions too. The one there is not changed: pause it
before you apply the manifest, or both run. With a long --compare all times of the year are compared; otherwise the first
ones and the days around clock changes.
Environment: TEMPORAL_API_KEY (key of the Temporal server).
Exits with 1 when a schedule cannot be read or its times differ.
${exitCodesHelp}
`;
