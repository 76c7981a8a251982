/** `carillon next`: what an expression means and when it is due, without a server. */

import { instant, parseInstant } from '../base/time.ts';
import { describeSpec } from '../spec/describe/spec.ts';
import { timeZoneVersion } from '../spec/index.ts';
import { BadValue, type Command, Option } from './command.ts';
import type { Context } from './context.ts';
import { BadInput, exitCodesHelp } from './exit.ts';
import { nextRows } from './next-rows.ts';
import { knownZone, readSpecOptions, type SpecOptions } from './next-spec.ts';
import { nextJson, nextText } from './next-view.ts';

export interface NextOptions extends SpecOptions {
  readonly after?: string;
  readonly count: number;
  readonly json?: boolean;
}

/** The most rows; a user does not read more. */
const mostRows = 1000;

export function declare(command: Command, context: Context): void {
  command
    .summary('say what an expression means and when it is due')
    .description('Says in plain words what a schedule means and lists its next times. Needs no server.')
    .argument('[expression...]', "cron expression in quotes, such as '0 9 * * 1-5'")
    .option('-z, --zone <name>', 'IANA time zone, such as Europe/Berlin (default: UTC)')
    .addOption(
      new Option('-d, --dialect <dialect>', 'how to read the expression')
        .choices(['unix', 'temporal', 'spring'])
        .default('unix'),
    )
    .option('-a, --after <time>', 'first time strictly after this RFC 3339 time (default: now)')
    .option('-n, --count <number>', 'how many times to list', readCount, 5)
    .option('-e, --every <length>', 'a fixed interval, with an optional phase: 15m, 1h/5m')
    .option('-r, --rrule <rule>', 'an RFC 5545 rule: FREQ=MONTHLY;BYDAY=-1FR')
    .option('-j, --jitter <length>', 'spread each time by up to this much')
    .addOption(
      new Option(
        '--gap <rule>',
        'a time the clock jumps over: leave out, run later by the jump, or run right after it',
      ).choices(['skip', 'shift', 'gapEnd']),
    )
    .addOption(
      new Option('--fold <rule>', 'a time the clock repeats: run at which copy').choices([
        'first',
        'last',
        'both',
      ]),
    )
    .option('-x, --exclude-date <date...>', 'leave out whole days, such as 2026-12-25')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((expression: readonly string[], given: NextOptions) => run(context, { ...given, expression }));
}

function run(context: Context, options: NextOptions): void {
  const { spec, zone } = readSpecOptions(options);
  const after = options.after === undefined ? context.now : readAfter(options.after);
  const result = {
    description: describeSpec(spec),
    spec,
    zone,
    timeZoneVersion: timeZoneVersion(),
    after,
    now: context.now,
    ...nextRows({ spec, zone: knownZone(zone), after, count: options.count }),
  };
  context.stdout.write(options.json === true ? nextJson(result) : nextText(result, context.colors.stdout));
}

function readAfter(text: string) {
  const at = parseInstant(text);
  if (at !== undefined) return instant(at);
  const message = `"${text}" is not an RFC 3339 time with an offset`;
  const fix = 'write 2026-03-08T00:00:00Z or 2026-03-08T00:00:00-05:00';
  throw new BadInput([{ path: '--after', reason: 'BAD_TIME', message, fix }]);
}

function readCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostRows) return count;
  throw new BadValue(`Write a whole number from 1 to ${mostRows}.`);
}

const examples = `
Examples:
  Weekdays at nine in New York, the next ten times:
    $ carillon next '0 9 * * 1-5' --zone America/New_York -n 10

  What happens at 02:30 when the clocks go forward:
    $ carillon next '30 2 * * *' --zone America/New_York --after 2026-03-07T00:00:00Z

  The last Friday of each month, as a calendar rule:
    $ carillon next --rrule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17' --zone Europe/Berlin

  Every 90 minutes, five minutes late, for a script:
    $ carillon next --every 90m/5m --json

The same text means different times in different systems, so name the dialect:
  unix      5 fields, or 6 with seconds first; day-of-month OR day-of-week; L W # H
  temporal  5 fields, 6 with a year, 7 with seconds and year; day-of-month AND day-of-week
  spring    6 fields, seconds first; day-of-month AND day-of-week; L W #

${exitCodesHelp}
`;
