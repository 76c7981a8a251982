/** Follows a backfill to its end: how many slots it processed, how many of their runs ended, and with which outcome. */
import type { CarillonClient, ScheduleJson } from 'carillon/client';
import type { Context } from 'carillon/internal/cli';
import { Progress } from 'carillon/internal/cli';
import { pause } from 'carillon/internal/client';

export interface BackfillOutcome {
  /** Number of slots by verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Number of runs by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
}

const pollMs = 300;

export async function waitForBackfill(
  context: Context,
  { schedules }: CarillonClient,
  { id, backfill, isSilent }: { readonly id: string; readonly backfill: string; readonly isSilent: boolean },
): Promise<BackfillOutcome> {
  const cause = `backfill:${backfill}`;
  const progress = new Progress(context, { label: `backfill ${backfill}`, total: undefined, isSilent });
  let handed = 0;
  let total: number | undefined;
  for (;;) {
    const schedule = await schedules.describe(id);
    const own = schedule.backfills.find((each) => each.id === backfill);
    if (own !== undefined) {
      handed = own.handed;
      total = own.total ?? undefined;
    } else handed = total ?? handed;
    const open = openStarts(schedule, cause);
    if (own === undefined && open === 0) break;
    progress.at(Math.max(0, handed - open), `${open} waiting or running`, total);
    await pause(pollMs);
  }
  progress.end();
  return {
    verdicts: await countSlots(schedules, id, cause),
    outcomes: await countRuns(schedules, id, cause),
  };
}

function openStarts({ waiting, running }: ScheduleJson, cause: string): number {
  return [...waiting, ...running].filter((start) => start.cause === cause).length;
}

type Schedules = CarillonClient['schedules'];

async function countSlots(schedules: Schedules, id: string, cause: string) {
  const counts: Record<string, number> = {};
  let after: string | undefined;
  do {
    const page = await schedules.slots(id, { cause, limit: 1000, ...(after === undefined ? {} : { after }) });
    for (const { verdict, count } of page.items) counts[verdict] = (counts[verdict] ?? 0) + count;
    after = page.next ?? undefined;
  } while (after !== undefined);
  return counts;
}

async function countRuns(schedules: Schedules, id: string, cause: string) {
  const counts: Record<string, number> = {};
  let after: string | undefined;
  do {
    const page = await schedules.runs(id, { limit: 1000, ...(after === undefined ? {} : { after }) });
    for (const run of page.items) {
      if (run.cause === cause && run.outcome !== null) counts[run.outcome] = (counts[run.outcome] ?? 0) + 1;
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return counts;
}

/** Whether every slot of the backfill started a run and every run completed. */
export function wentWell({ verdicts, outcomes }: BackfillOutcome): boolean {
  const started = new Set(['started', 'startedLate']);
  return (
    Object.keys(verdicts).every((verdict) => started.has(verdict)) &&
    Object.keys(outcomes).every((outcome) => outcome === 'completed')
  );
}

export function outcomeText({ verdicts, outcomes }: BackfillOutcome): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ');
  const runs = list(outcomes);
  return `Slots: ${list(verdicts) || 'none'}.${runs === '' ? '' : ` Runs: ${runs}.`}\n`;
}
