/** `carillon verify`: computes again what should have happened and compares it with the ledger. */

import type { Finding, Kept, Verification } from 'carillon/doctor';
import { addTime, formatInstant, type Instant, parseDuration, parseInstant } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  chosen,
  EndWith,
  exitCode,
  inParallel,
  type Live,
  type LiveOptions,
  liveOptions,
  openLive,
  Progress,
  print,
  readWhole,
  remoteHelp,
} from 'carillon/internal/cli';
import { verifyText } from './verify-view.ts';

export interface VerifyOptions extends LiveOptions {
  readonly from?: string;
  readonly to?: string;
  readonly keptLedger?: string;
  readonly keptLedgerRows?: number;
  readonly keptRuns?: number;
  readonly keptRunsFor?: string;
  readonly quiet?: boolean;
}

export interface Verified extends Verification {
  readonly id: string;
}

export function declare(command: Command, context: Context): void {
  liveOptions(
    command
      .summary('recompute what should have happened and check the ledger')
      .description(
        'Recomputes from every stored version of a schedule what should have happened and checks the ledger: no slot missing, none doubled, no stretch over another, every stretch as long as the spec says, every start with its run, every run with its start.',
      )
      .argument('[schedule...]', 'ids of schedules (default: all)')
      .option('--from <time>', 'slots from this time, RFC 3339')
      .option('--to <time>', 'slots up to this time')
      .option('--kept-ledger <length>', 'how long the store keeps verdicts (default: 90d)')
      .option('--kept-ledger-rows <number>', 'how many it keeps of a schedule (default: 10000)', readWhole)
      .option('--kept-runs-for <length>', 'how long it keeps finished runs (default: 30d)')
      .option('--kept-runs <number>', 'how many it keeps of a schedule (default: 1000)', readWhole)
      .option('-q, --quiet', 'no progress'),
  )
    .addHelpText('after', `${examples}${remoteHelp}`)
    .action(async (ids: readonly string[], given: VerifyOptions) => await run(context, ids, given));
}

async function run(context: Context, ids: readonly string[], given: VerifyOptions): Promise<void> {
  const { defaultKept } = await import('carillon/doctor');
  const from = readTime('--from', given.from);
  const to = readTime('--to', given.to);
  const kept: Kept = {
    ledgerMs: readLength('--kept-ledger', given.keptLedger) ?? defaultKept.ledgerMs,
    ledgerRows: given.keptLedgerRows ?? defaultKept.ledgerRows,
    runsMs: readLength('--kept-runs-for', given.keptRunsFor) ?? defaultKept.runsMs,
    runs: given.keptRuns ?? defaultKept.runs,
  };
  const live = await openLive(context, given);
  try {
    const schedules = await chosen(live, ids);
    const isSilent = given.json === true || given.quiet === true;
    const progress = new Progress(context, { label: 'verifying', total: schedules.length, isSilent });
    progress.at(0);
    const results = await inParallel(
      schedules,
      async ({ id }) => await verifyOne(live, id, { kept, from, to }),
      (done, { id }) => progress.at(done, id),
    );
    progress.end();
    report(context, given, results, live.where);
  } finally {
    await live.close();
  }
}

interface Scope {
  readonly kept: Kept;
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
}

/** Reads the schedule's progress first, so that the ledger and the runs, read later, are never behind it. */
async function verifyOne(live: Live, id: string, { kept, from, to }: Scope): Promise<Verified> {
  const { verifyLedger } = await import('carillon/doctor');
  const history = await live.history(id);
  const slots = await live.slots(id);
  const runs = await live.runs(id, Number.POSITIVE_INFINITY);
  return {
    id,
    ...verifyLedger({
      ...history,
      slots,
      runs,
      kept,
      isLive: live.isLive,
      ...(from === undefined ? {} : { from: addTime(from, -1) }),
      ...(to === undefined ? {} : { to }),
    }),
  };
}

function report(context: Context, given: VerifyOptions, results: readonly Verified[], where: string): void {
  const findings = results.reduce((sum, each) => sum + each.findings.length, 0);
  print(
    context,
    given.json,
    {
      where,
      schedules: results.map(({ findings: found, from, to, ...rest }) => ({
        ...rest,
        from: formatInstant(from),
        to: formatInstant(to),
        findings: found.map(findingJson),
      })),
      findings,
    },
    verifyText(results, { where, colored: context.colors.stdout }),
  );
  if (findings > 0) throw new EndWith(exitCode.failure);
}

function findingJson({ nominal, until, ...finding }: Finding) {
  return { ...finding, nominal: formatInstant(nominal), until: formatInstant(until) };
}

function readTime(path: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const at = parseInstant(text);
  if (at !== undefined) return at;
  const fix = 'write RFC 3339 with an offset, e.g. 2026-03-01T09:00:00Z';
  throw new BadInput([{ path, reason: 'BAD_TIME', message: `"${text}" is not a time`, fix }]);
}

function readLength(path: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const length = parseDuration(text);
  if (length !== undefined) return length;
  const fix = 'write a number with a unit, such as 90d';
  throw new BadInput([{ path, reason: 'DURATION', message: `"${text}" is not a length of time`, fix }]);
}

const examples = `
Examples:
  $ carillon verify
  $ carillon verify nightly --from 2026-03-01T00:00:00Z --to 2026-04-01T00:00:00Z
  $ carillon verify --db ./copy-of-carillon.db
  $ carillon verify --json | jq '.schedules[].findings[]'

What retention may have taken away proves nothing and is left out; if the server keeps less than usual, say so with
--kept-ledger and the others, or slots that were forgotten look missing. Exits with 1 when something was found.
`;
