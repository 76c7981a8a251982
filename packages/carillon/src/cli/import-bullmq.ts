/** `carillon import bullmq`: converts repeated jobs of BullMQ, with a proof that they run at the same times. */
import type { BullmqKeys } from '../action/bullmq-keys.ts';
import { loadCronReader, openBullmqKeys } from '../action/bullmq-keys.ts';
import { isServiceError } from '../base/error.ts';
import { type Instant, second } from '../base/time.ts';
import type { BullmqRemark, BullmqRepeat, BullmqSchedule, Comparison } from '../doctor/index.ts';
import { describeSpec, findZone, zoneFix } from '../spec/index.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, exitCodesHelp } from './exit.ts';
import { importTarget } from './import-output.ts';
import { proofCell } from './import-proof-view.ts';
import { endImport, type ProvedTarget } from './import-proved.ts';
import { readWhole } from './read-option.ts';
import { remoteOptions } from './remote.ts';

interface BullmqOptions extends ProvedTarget {
  readonly prefix: string;
  readonly queue?: readonly string[];
  readonly zone?: string;
}

interface Proved extends BullmqSchedule {
  readonly proof: Comparison;
}

export function declareBullmq(group: Command, context: Context): void {
  const command = group
    .command('bullmq')
    .summary('from the Redis of BullMQ')
    .description(
      "Reads the job schedulers of BullMQ, and the repeatable jobs of its older versions, from Redis and prints them as a manifest for plan and apply; its report goes to the error stream. Nothing in Redis is changed. Each schedule is proved to run at the same times: they are compared with those that BullMQ's own cron parser computes. Needs the packages bullmq and ioredis.",
    )
    .argument('<address>', 'the Redis of the queues (redis://host:6379)')
    .option('--prefix <text>', "the prefix of BullMQ's keys", 'bull')
    .option('--queue <name...>', 'only these queues (default: all with repeated jobs)')
    .option('-z, --zone <name>', 'zone of patterns that name none (default: that of this machine)');
  remoteOptions(
    importTarget(command, 'bullmq')
      .option('--compare <number>', 'times of each schedule to compare', readWhole, 1000)
      .option('--accept-differences', 'also when times differ'),
  )
    .addHelpText('after', examples(context.yaml === undefined ? 'json' : 'yaml'))
    .action(async (address: string, given: BullmqOptions) => await run(context, address, given));
}

async function run(context: Context, address: string, given: BullmqOptions): Promise<void> {
  const zone = given.zone ?? context.zone ?? 'UTC';
  if (findZone(zone) === undefined) {
    const fix = zoneFix(zone, 'write an IANA name: --zone Europe/Berlin');
    throw new BadInput([
      { path: '--zone', reason: 'UNKNOWN_ZONE', message: `unknown time zone ${zone}`, fix },
    ]);
  }
  const report = await read(context, address, given, zone);
  await endImport(context, given, report, {
    source: `BullMQ (${new URL(address).host})`,
    head: ['NAME', 'WHEN', 'PROOF'],
    rows: report.imported.map(({ id, spec, proof }) => [id, describeSpec(spec), proofCell(proof)]),
    by: 'those that BullMQ computes',
  });
}

async function read(
  context: Context,
  address: string,
  given: BullmqOptions,
  zone: string,
): Promise<{ readonly imported: readonly Proved[]; readonly remarks: readonly BullmqRemark[] }> {
  if (!/^rediss?:\/\//.test(address) || !URL.canParse(address)) {
    const message = 'not the address of a Redis; write redis://host:6379';
    throw new BadInput([{ path: 'address', reason: 'BAD_ADDRESS', message }]);
  }
  const { compareTimes, comparedYear, readBullmqScheduler } = await import('../doctor/index.ts');
  const readCron = await loadCronReader();
  const schedules: BullmqSchedule[] = [];
  const remarks: BullmqRemark[] = [];
  try {
    const keys = await openBullmqKeys(address, given.prefix);
    try {
      for (const queue of given.queue ?? (await keys.queues())) {
        for (const row of await rowsOf(keys, queue)) {
          const { schedule, remarks: told } = readBullmqScheduler({ ...row, queue, zone });
          remarks.push(...told);
          if (schedule !== undefined) schedules.push(schedule);
        }
      }
    } finally {
      keys.close();
    }
  } catch (error) {
    if (isServiceError(error)) throw error;
    const message = `cannot read ${new URL(address).host}: ${(error as Error).message}`;
    throw new BadInput([{ path: 'address', reason: 'UNREADABLE', message }]);
  }
  const now = (Math.ceil(context.now / second) * second) as Instant;
  const window = comparedYear(now);
  const imported = unique(schedules).map((schedule): Proved => {
    const theirs = timesOf(schedule.repeat, { from: now, to: window.to, most: given.compare, readCron });
    const proof = compareTimes(schedule.spec, { seed: '', window, ...theirs });
    return { ...schedule, proof };
  });
  return { imported, remarks };
}

async function rowsOf(keys: BullmqKeys, queue: string) {
  return await Promise.all(
    (await keys.repeated(queue)).map(async (key) => {
      const fields = await keys.scheduler(queue, key);
      const job = fields.data === undefined ? await keys.waitingJob(queue, key, fields) : undefined;
      return { key, fields, ...(job === undefined ? {} : { job }) };
    }),
  );
}

/** Queues may use the same id: then the name of the queue goes before it. */
function unique(schedules: readonly BullmqSchedule[]): readonly BullmqSchedule[] {
  const counts = new Map<string, number>();
  for (const { id } of schedules) counts.set(id, (counts.get(id) ?? 0) + 1);
  return schedules.map((schedule) =>
    counts.get(schedule.id) === 1
      ? schedule
      : { ...schedule, id: `${schedule.input.bullmq?.queue ?? ''}-${schedule.id}` },
  );
}

/** The coming times by BullMQ's own rules, at most `most`. */
function timesOf(
  { pattern, everyMs = 0, offsetMs = 0, zone, startAt, endAt }: BullmqRepeat,
  to: {
    readonly from: Instant;
    readonly to: Instant;
    readonly most: number;
    readonly readCron: Awaited<ReturnType<typeof loadCronReader>>;
  },
): { readonly theirs: readonly Instant[]; readonly isCut: boolean } {
  const begin = Math.max(to.from, startAt === undefined ? 0 : startAt - 1);
  const end = Math.min(to.to, endAt ?? to.to);
  const theirs: Instant[] = [];
  const next =
    pattern === undefined ? everyFrom(begin, everyMs, offsetMs) : to.readCron(pattern, zone, begin);
  for (let at = next(); at <= end; at = next()) {
    theirs.push(at as Instant);
    if (theirs.length >= to.most) return { theirs, isCut: true };
  }
  return { theirs, isCut: false };
}

function everyFrom(begin: number, everyMs: number, offsetMs: number): () => number {
  let at = Math.floor((begin - offsetMs) / everyMs) * everyMs + offsetMs;
  return () => {
    at += everyMs;
    return at;
  };
}

const examples = (ending: string) => `
Examples:
  $ carillon import bullmq redis://127.0.0.1:6379 > schedules.${ending}
  $ carillon import bullmq redis://redis:6379 --queue mail --zone Europe/Berlin -o schedules.${ending}
  $ carillon import bullmq redis://redis:6379 --apply --owner mail

The jobs go to the same queues, and the same workers take them. Remove the job schedulers (queue.removeJobScheduler) in the deploy
that applies the manifest, or both add jobs.
Exits with 1 when one cannot be read or its times differ.
${exitCodesHelp}
`;
