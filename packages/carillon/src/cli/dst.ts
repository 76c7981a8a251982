/** `carillon dst`: the coming clock changes that affect schedules, and their effects. */

import { given } from '../base/given.ts';
import { addTime, day, formatInstant } from '../base/time.ts';
import type { DstRow } from '../doctor/index.ts';
import type { Dialect, FoldRule, GapRule, ScheduleSpec } from '../spec/index.ts';
import { isBudgetExceeded } from '../spec/index.ts';
import { BadValue, type Command, Option } from './command.ts';
import type { Context } from './context.ts';
import { dstText } from './dst-view.ts';
import { BadInput, EndWith, exitCode, exitCodesHelp } from './exit.ts';
import { chosen, type LiveOptions, liveOptions, openLive, seedOf } from './live.ts';
import { readSpecOptions } from './next-spec.ts';
import { print } from './remote.ts';

export interface DstOptions extends LiveOptions {
  readonly expression?: string;
  readonly rrule?: string;
  readonly zone?: string;
  readonly dialect: Dialect;
  readonly gap?: GapRule;
  readonly fold?: FoldRule;
  readonly years: number;
  readonly failOn?: readonly string[];
}

/** A schedule with the effects of clock changes on it. */
export interface DstSchedule {
  readonly id: string;
  readonly rows: readonly DstRow[];
}

const effects = ['skipped', 'shifted', 'merged', 'doubled', 'first', 'second'];

export function declare(command: Command, context: Context): void {
  liveOptions(
    command
      .summary('coming clock changes and what they do to schedules')
      .description(
        'Lists the coming clock changes that affect schedules: skipped times, repeated times, and what will happen. Checks all schedules of the server, or the named ones.',
      )
      .argument('[schedule...]', 'ids of schedules (default: all)')
      .option('-e, --expression <expression>', 'a cron expression instead; needs no server')
      .option('-r, --rrule <rule>', 'an RFC 5545 rule instead')
      .option('-z, --zone <name>', 'zone of the expression')
      .addOption(
        new Option('-d, --dialect <dialect>', 'how to read the expression')
          .choices(['unix', 'temporal', 'spring'])
          .default('unix'),
      )
      .addOption(new Option('--gap <rule>', 'of the expression').choices(['skip', 'shift', 'gapEnd']))
      .addOption(new Option('--fold <rule>', 'of the expression').choices(['first', 'last', 'both']))
      .option('-y, --years <number>', 'how far ahead', readYears, 2)
      .addOption(
        new Option('--fail-on <effect...>', 'exit with 1 when there is such an effect').choices(effects),
      ),
  )
    .addHelpText('after', examples)
    .action(async (ids: readonly string[], given: DstOptions) => await run(context, ids, given));
}

async function run(context: Context, ids: readonly string[], given: DstOptions): Promise<void> {
  const { dstReport } = await import('../doctor/index.ts');
  const window = { from: context.now, to: addTime(context.now, Math.round(given.years * 365.25 * day)) };
  const all: DstSchedule[] = [];
  /** The schedules whose times are too hard to find. */
  const unsearchable: string[] = [];
  const isTyped = given.expression !== undefined || given.rrule !== undefined;
  if (isTyped) {
    const { id, spec } = typed(given, ids);
    all.push({ id, rows: dstReport(spec, window) });
  } else {
    const live = await openLive(context, given);
    try {
      for (const schedule of await chosen(live, ids)) {
        try {
          all.push({
            id: schedule.id,
            rows: dstReport(schedule.spec, { ...window, seed: seedOf(schedule) }),
          });
        } catch (error) {
          if (!isBudgetExceeded(error)) throw error;
          unsearchable.push(schedule.id);
        }
      }
    } finally {
      await live.close();
    }
  }
  const affected = all.filter(({ rows }) => rows.length > 0);
  const unaffected = all.length - affected.length;
  print(
    context,
    given.json,
    {
      from: formatInstant(window.from),
      to: formatInstant(window.to),
      affected: affected.map(({ id, rows }) => ({ id, transitions: rows.map(rowJson) })),
      unaffected,
      ...(unsearchable.length === 0 ? {} : { unsearchable }),
    },
    dstText(affected, { unaffected, years: given.years, unsearchable, colored: context.colors.stdout }),
  );
  const feared = given.failOn ?? [];
  if (affected.some(({ rows }) => rows.some(({ effect }) => feared.includes(effect))))
    throw new EndWith(exitCode.failure);
}

function typed(
  { expression, rrule, zone, dialect, gap, fold }: DstOptions,
  ids: readonly string[],
): { readonly id: string; readonly spec: ScheduleSpec } {
  if (ids.length > 0) {
    const message = 'both schedules and an expression were given';
    throw new BadInput([
      { path: '--expression', reason: 'AMBIGUOUS', message, fix: 'leave one of them out' },
    ]);
  }
  const { spec, zone: own } = readSpecOptions({
    expression: expression === undefined ? [] : [expression],
    dialect,
    ...given({ rrule, zone, gap, fold }),
  });
  if (own === 'UTC' && zone === undefined) {
    const fix = 'add --zone Europe/Berlin; the clock of UTC never changes';
    throw new BadInput([{ path: '--zone', reason: 'MISSING', message: 'no zone was given', fix }]);
  }
  return { id: expression ?? rrule ?? '', spec };
}

function rowJson({ at, runsAt, ...row }: DstRow) {
  return { ...row, at: formatInstant(at), runsAt: runsAt.map(formatInstant) };
}

function readYears(text: string): number {
  const years = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (years >= 1 && years <= 50) return years;
  throw new BadValue('Write a whole number from 1 to 50.');
}

const examples = `
Examples:
  $ carillon dst
  $ carillon dst nightly weekly --years 5
  $ carillon dst --expression '30 2 * * *' --zone America/New_York
  $ carillon dst --fail-on skipped doubled

What can happen:
  skipped  the clock jumps over the time, and nothing runs
  shifted  the clock jumps over the time, and it runs later
  merged   it moves to a time at which it runs anyway: one run instead of two
  doubled  the time comes twice, and it runs both times
  first    the time comes twice, and the first copy runs (second: the other one)

${exitCodesHelp}
`;
