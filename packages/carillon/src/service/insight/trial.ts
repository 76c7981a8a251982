/**
 * What a definition would have made of the past days: its times, and for each what the overlap policy decides, by the
 * same pure function that decides in production. Runs take as long as the real run nearest to them took. Pauses and
 * outages are left out on both sides, so that two definitions are compared and not two weeks.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { durationOf } from '../../runs/fact.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { OverlapPolicy, ScheduleDefinition } from '../../scheduler/definition.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import { resolveOverlap } from '../../scheduler/policy/overlap.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { quantile } from './durations.ts';
import type { Span } from './history-material.ts';

/** How many slots would have had each verdict; `stopped` counts runs that a later one would have ended early. */
export type TrialCounts = Partial<Record<Verdict | 'stopped', number>>;

export interface Trial {
  readonly from: string;
  readonly to: string;
  readonly before: TrialCounts;
  readonly after: TrialCounts;
  /** The runs whose lengths were used; 0: every run counts as done at once. */
  readonly measured: number;
  /** False when there were more slots than were looked at. */
  readonly isWhole: boolean;
}

const mostSlots = 5000;
const mostRuns = 1000;

export interface TrialMaterial extends Span {
  readonly before: ScheduleDefinition;
  readonly after: ScheduleDefinition;
  readonly incarnation: string;
}

export async function readTrial(
  store: Store,
  { from, to, before, after, incarnation }: TrialMaterial,
): Promise<Trial> {
  const { items } = await store.runs({ owner: incarnation, payloads: false, limit: mostRuns });
  const lengths = lengthsOf(items);
  const [old, next] = [
    await timesOf(before, { from, to }),
    before === after ? undefined : await timesOf(after, { from, to }),
  ];
  const found = next ?? old;
  return {
    from: timeJson(from),
    to: timeJson(to),
    before: replayed(old.times, before.policy, lengths),
    after: replayed(found.times, after.policy, lengths),
    measured: lengths.measured,
    isWhole: old.isWhole && found.isWhole,
  };
}

async function timesOf(
  definition: ScheduleDefinition,
  { from, to }: Span,
): Promise<{ readonly times: readonly Instant[]; readonly isWhole: boolean }> {
  const { seed } = definition;
  const query = { window: { from: addTime(from, -1), to }, limit: mostSlots, seed };
  const { times, truncated } = await timesBetween(compiledOf(definition), query, new SlicedWork());
  return { times: times.map(({ nominal }) => nominal), isWhole: !truncated };
}

interface Lengths {
  readonly measured: number;
  /** How long a run that begins then would have taken. */
  at(time: Instant): number;
}

function lengthsOf(runs: readonly RunRow[]): Lengths {
  const known = runs
    .flatMap((run) => {
      const length = durationOf(run);
      return length === null || run.startedAt === null ? [] : [{ at: run.startedAt, length }];
    })
    .sort((a, b) => a.at - b.at);
  const median =
    quantile(
      known.map(({ length }) => length).sort((a, b) => a - b),
      0.5,
    ) ?? 0;
  return {
    measured: known.length,
    at: (time) => {
      let low = 0;
      let high = known.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((known[middle]?.at ?? 0) <= time) low = middle + 1;
        else high = middle;
      }
      return known[low - 1]?.length ?? known[low]?.length ?? median;
    },
  };
}

interface Waiting {
  readonly overlap: OverlapPolicy;
  readonly at: Instant;
}

/** Walks over the times in order, with the ends of runs in between. Pure. */
export function replayed(
  times: readonly Instant[],
  {
    overlap,
    limit,
    catchupWindowMs,
  }: Pick<ScheduleDefinition['policy'], 'overlap' | 'limit' | 'catchupWindowMs'>,
  lengths: Pick<Lengths, 'at'>,
): TrialCounts {
  const counts: Record<string, number> = {};
  const count = (verdict: string) => {
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  };
  let waiting: readonly Waiting[] = [];
  let ends: number[] = [];
  const decide = (now: number) => {
    const decided = resolveOverlap({ waiting, running: ends.length, limit });
    waiting = decided.keep;
    for (const _ of [...decided.skip, ...decided.replaced]) count('skippedOverlap');
    if (decided.stopRunning !== 'no') {
      for (const _ of ends) count('stopped');
      ends = [];
      return decide(now);
    }
    let missed = 0;
    for (const { at } of decided.start) {
      const lateBy = now - at;
      if (lateBy > catchupWindowMs) {
        count('missedWindow');
        missed += 1;
        continue;
      }
      count(lateBy > lateAfter ? 'startedLate' : 'started');
      ends.push(now + lengths.at(now as Instant));
    }
    // When a start came too late, the next one that waits may start.
    if (missed > 0 && waiting.length > 0) decide(now);
  };
  const endBefore = (time: number) => {
    for (;;) {
      const first = Math.min(...ends);
      if (first > time) return;
      ends.splice(ends.indexOf(first), 1);
      if (waiting.length > 0) decide(first);
    }
  };
  for (const at of times) {
    endBefore(at);
    waiting = [...waiting, { overlap, at }];
    decide(at);
  }
  for (const _ of waiting) count('buffered');
  return counts;
}
