/** `carillon why`: explains why a schedule did or did not run. */

import type { ExplanationJson } from 'carillon/client';
import { formatInstant, parseInstant } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clientOf,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
} from 'carillon/internal/cli';
import { zoneOfSpec } from 'carillon/spec';
import { readLatestTimes } from './wall-time.ts';
import { whyText } from './why-view.ts';

export interface WhyOptions extends RemoteOptions {
  readonly count: number;
}

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('say why a schedule did, or did not, run')
      .description(
        'Says why a schedule did, or did not, run at a time; without a time, what became of its latest slots.',
      )
      .argument('<schedule>', 'id of the schedule')
      .argument(
        '[time]',
        "RFC 3339, or a wall-clock time in the schedule's zone such as 2026-03-08T02:30; 02:30 is the latest one",
      )
      .option('-n, --count <number>', 'how many of the latest slots', readWhole, 5),
  )
    .addHelpText('after', `${examples}${remoteHelp}`)
    .action(
      async (id: string, time: string | undefined, given: WhyOptions) => await run(context, id, time, given),
    );
}

async function run(
  context: Context,
  id: string,
  time: string | undefined,
  options: WhyOptions,
): Promise<void> {
  const { schedules } = clientOf(context, options);
  const items: ExplanationJson[] = [];
  if (time === undefined) {
    const latest = await schedules.slots(id, { limit: Math.max(1, options.count) });
    const times = [...new Set(latest.items.map(({ until }) => until))];
    for (const at of times) items.push(...(await schedules.explainAll(id, at)));
  } else {
    const zone =
      parseInstant(time) === undefined ? zoneOfSpec((await schedules.describe(id)).spec) : undefined;
    for (const at of readLatestTimes(time, zone, context.now))
      items.push(...(await schedules.explainAll(id, formatInstant(at))));
  }
  print(
    context,
    options.json,
    { schedule: id, items },
    whyText(id, items, context.now, context.colors.stdout),
  );
}

const examples = `
Examples:
  $ carillon why nightly 2026-03-08T02:30
  $ carillon why nightly 02:30
  $ carillon why nightly 2026-03-08T07:30:00Z --json
  $ carillon why nightly
`;
