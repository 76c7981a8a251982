/** `carillon calendar`: the coming starts of all schedules, day by day, and what prevents some of them. */

import type { ClockChanges, Days, Load, PartFilters } from 'carillon/client';
import { day, given } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clean,
  clientOf,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
  tableText,
} from 'carillon/internal/cli';
import { findZone } from 'carillon/spec';

interface CalendarOptions extends RemoteOptions, Pick<PartFilters, 'tag' | 'owner' | 'text'> {
  readonly days: number;
  readonly zone: string;
  readonly handler?: string;
}

const several = (value: string, before: readonly string[] = []) => [...before, value];

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('what all schedules will do, day by day')
      .description(
        'Lists the coming days: how many starts each has, the most at one moment, which exclusions and pauses take schedules ' +
          'out, and clock changes; then what starts together.',
      )
      .option('-n, --days <number>', 'how many days, from today', readWhole, 14)
      .option('-z, --zone <name>', 'whose days they are', 'UTC')
      .option('--tag <tag>', 'only schedules with this tag; may be repeated', several)
      .option('--owner <name>', 'only schedules of this owner')
      .option('--handler <name>', 'only schedules of this handler')
      .option('--text <text>', 'part of id, handler, owner, description, note, tags, cron text or zone'),
  )
    .addHelpText('after', `${help}${remoteHelp}`)
    .action(async (options: CalendarOptions) => await run(context, options));
}

async function run(context: Context, options: CalendarOptions): Promise<void> {
  const { days: count, zone, tag, owner, handler, text } = options;
  const { insight } = clientOf(context, options);
  const from = new Date(context.now).toISOString();
  const to = new Date(context.now + count * day).toISOString();
  const part = { from, to, ...given({ tag, owner, name: handler, text }) };
  const [load, days, { items: clockChanges }] = await Promise.all([
    insight.load({ ...part, zone, bin: '1d' }),
    insight.days({ ...part, zone }),
    insight.clockChanges(part),
  ]);
  print(
    context,
    options.json,
    { load, days, clockChanges },
    calendarText({ load, days, clockChanges }, context),
  );
}

interface Calendar {
  readonly load: Load;
  readonly days: Days;
  readonly clockChanges: ClockChanges['items'];
}

const mostPeaks = 3;

export function calendarText(
  { load, days, clockChanges }: Calendar,
  { colors }: Pick<Context, 'colors'>,
): string {
  const dates = load.bins.map(({ from }) => localDate(from, load.zone));
  // On every line, a pause of all days would hide what is special about one of them.
  const isThroughout = (pause: Pause) => dates.length > 1 && dates.every((date) => covers(pause, date));
  const rows = load.bins.map(({ starts, most }, index) => {
    const date = dates[index] ?? '';
    const events = [
      ...days.excluded
        .filter((each) => each.date === date)
        .map(({ label, schedules }) => `${label === '' ? 'excluded' : clean(label)}: ${schedules}`),
      ...days.paused.filter((pause) => covers(pause, date) && !isThroughout(pause)).map(pauseText),
      ...clockChanges
        .filter(({ at: changed, zone: name }) => localDate(changed, name) === date)
        .map(
          ({ zone: name, byMinutes, touchedCount }) =>
            `clock ${byMinutes < 0 ? 'back' : 'forward'} in ${name}: ${touchedCount}`,
        ),
    ];
    return [date, String(starts), String(most), events.join('; ')];
  });
  const together = load.peaks
    .slice(0, mostPeaks)
    .map(
      ({ at, starts, count, schedules }) =>
        `  ${at}${count > 1 ? ` and ${count - 1} more times` : ''}: ${starts} at once (${schedules.map(clean).join(', ')}${starts > schedules.length ? ', …' : ''})\n`,
    );
  const throughout = days.paused.filter(isThroughout).map((pause) => `  ${pauseText(pause)}\n`);
  return [
    tableText(['DAY', 'STARTS', 'AT ONCE', 'EVENTS'], rows, colors.stdout),
    throughout.length === 0 ? '' : `\nOn all these days:\n${throughout.join('')}`,
    together.length === 0 ? '' : `\nStart together:\n${together.join('')}`,
  ].join('');
}

type Pause = Days['paused'][number];

function covers({ firstDay, lastDay }: Pause, date: string): boolean {
  return firstDay <= date && (lastDay === null || date <= lastDay);
}

function pauseText({ by, note, schedules }: Pause): string {
  return `paused by ${clean(by)}${note === '' ? '' : ` (${clean(note)})`}: ${schedules}`;
}

function localDate(at: string, zone: string): string {
  const ms = Date.parse(at);
  return new Date(ms + (findZone(zone)?.offsetAt(ms / 1000) ?? 0) * 1000).toISOString().slice(0, 10);
}

const help = `
Examples:
  $ carillon calendar --zone Europe/Berlin
  $ carillon calendar --days 31 --tag billing
  $ carillon calendar --json | jq '.days.excluded'
`;
