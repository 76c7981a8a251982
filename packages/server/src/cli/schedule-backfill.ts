/** `carillon schedule backfill`: the slots of a range, as a preview or as runs. */

import type { Context } from 'carillon/internal/cli';
import { clean, clientOf, EndWith, exitCode, print, type RemoteOptions } from 'carillon/internal/cli';
import { zoneOfSpec } from 'carillon/spec';
import { outcomeText, waitForBackfill, wentWell } from './backfill-wait.ts';
import { type DryRunOptions, printEffects } from './dry-run.ts';
import { previewText } from './schedule-view.ts';
import { readRange } from './wall-time.ts';

export async function backfillSchedule(
  context: Context,
  id: string,
  given: RemoteOptions &
    DryRunOptions & {
      from: string;
      to: string;
      preview?: boolean;
      overlap?: 'skip';
      rate?: number;
      except?: readonly string[];
      note?: string;
      wait?: boolean;
      quiet?: boolean;
    },
): Promise<void> {
  const { preview, overlap, rate, note, except = [] } = given;
  const client = clientOf(context, given);
  const { schedules } = client;
  const { from, to, zone } = await readRange(given, async () =>
    zoneOfSpec((await schedules.describe(id)).spec),
  );
  if (zone !== null) context.stderr.write(`From ${from} to ${to}: days and times in ${zone}.\n`);
  if (preview === true) {
    const found = await schedules.previewBackfill(id, { from, to });
    print(context, given.json, found, previewText(found, context.colors.stdout));
    return;
  }
  const range = {
    from,
    to,
    ...(overlap === undefined ? {} : { overlap }),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(except.length === 0 ? {} : { except }),
  };
  if (given.dryRun === true) return printEffects(context, given, id, await client.dryRun.backfill(id, range));
  const changed = await schedules.backfill(id, range, note === undefined ? {} : { note });
  if (given.wait === true) {
    const isSilent = given.json === true || given.quiet === true;
    const outcome = await waitForBackfill(context, client, { id, backfill: changed.id, isSilent });
    const text = `Backfill ${changed.id} is over. ${outcomeText(outcome)}`;
    print(context, given.json, { ...changed, ...outcome }, text);
    if (!wentWell(outcome)) throw new EndWith(exitCode.failure);
    return;
  }
  const { backfills } = await schedules.describe(id);
  const total = backfills.find((each) => each.id === changed.id)?.total;
  const size = total === undefined || total === null ? '' : ` of ${total} slots`;
  print(
    context,
    given.json,
    changed,
    `Backfill ${changed.id}${size} is under way. See: carillon schedule describe ${clean(id)}\n`,
  );
}
