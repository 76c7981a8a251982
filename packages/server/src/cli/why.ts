/** `carillon why`: explains why a schedule did or did not run. */

import type { ExplanationJson } from 'carillon/client';
import type { Instant } from 'carillon/internal/base';
import { formatInstant, instant, parseInstant } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  BadInput,
  clientOf,
  print,
  type RemoteOptions,
  readWhole,
  remoteHelp,
  remoteOptions,
} from 'carillon/internal/cli';
import { findZone } from 'carillon/spec';
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
      .argument('[time]', "RFC 3339, or a wall-clock time in the schedule's zone such as 2026-03-08T02:30")
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
    const zone = parseInstant(time) === undefined ? (await schedules.describe(id)).spec.zone : undefined;
    for (const at of readTimes(time, zone))
      items.push(...(await schedules.explainAll(id, formatInstant(at))));
  }
  print(
    context,
    options.json,
    { schedule: id, items },
    whyText(id, items, context.now, context.colors.stdout),
  );
}

/**
 * A wall-clock time may occur twice, which gives two instants, or never, which gives the instant at the offset before the
 * gap.
 */
export function readTimes(text: string, zoneName = 'UTC'): readonly Instant[] {
  const at = parseInstant(text);
  if (at !== undefined) return [at];
  const wall = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/.test(text)
    ? parseInstant(`${text}Z`)
    : undefined;
  const zone = findZone(zoneName);
  if (wall === undefined || zone === undefined) {
    const fix =
      'write 2026-03-08T02:30:00Z, 2026-03-08T02:30-05:00, or 2026-03-08T02:30 for the zone of the schedule';
    throw new BadInput([{ path: 'time', reason: 'BAD_TIME', message: `"${text}" is not a time`, fix }]);
  }
  const second = wall / 1000;
  const day = 86_400;
  const offsets = new Set([zone.offsetAt(second - day), zone.offsetAt(second + day)]);
  const found = [...offsets]
    .map((offset) => second - offset)
    .filter((each) => each + zone.offsetAt(each) === second);
  const shown = found.length > 0 ? found.sort((a, b) => a - b) : [second - zone.offsetAt(second - day)];
  return shown.map((each) => instant(each * 1000));
}

const examples = `
Examples:
  $ carillon why nightly 2026-03-08T02:30
  $ carillon why nightly 2026-03-08T07:30:00Z --json
  $ carillon why nightly
`;
