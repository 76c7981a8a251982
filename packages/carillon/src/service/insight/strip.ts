/** The last slots of a schedule, in the small form that lists show beside each schedule. */

import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { RunOutcome, RunRow, RunState, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { timeJson } from '../wire.ts';
import type { Durations } from './durations.ts';
import { durationsOf } from './durations.ts';

export interface StripRun {
  readonly id: string;
  readonly state: RunState;
  /** Absent until the run has ended. */
  readonly outcome?: RunOutcome;
  /** From its first attempt to its end; absent until then. */
  readonly tookMs?: number;
}

export interface StripSlot {
  /** The nominal time; the last one of a stretch. */
  readonly at: string;
  readonly verdict: Verdict;
  /** The number of slots of a stretch; absent: one. */
  readonly count?: number;
  /** Absent: `auto`, the schedule's own. */
  readonly cause?: string;
  readonly run?: StripRun;
}

/** Absent fields keep a list of many schedules small. */
export interface Strip extends Durations {
  /** The newest slot is the last. */
  readonly slots: readonly StripSlot[];
}

/** The slots of a strip. */
export const stripSlots = 20;
/** The newest runs that are read: those of the strip, and enough to know how long a run usually takes. */
const stripRuns = 60;

export async function readStrip(store: Store, incarnation: string): Promise<Strip> {
  const [slots, runs] = await Promise.all([
    store.slots({ incarnation, order: 'descending', limit: stripSlots }),
    store.runs({ owner: incarnation, payloads: false, limit: stripRuns }),
  ]);
  return stripOf(slots.items, runs.items);
}

/** `slots` and `runs` come newest first. */
function stripOf(slots: readonly SlotRow[], runs: readonly RunRow[]): Strip {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const shown: StripSlot[] = [];
  let left = stripSlots;
  for (const slot of slots) {
    if (left <= 0) break;
    const count = Math.min(slot.count, left);
    left -= count;
    const run = slot.runId === null ? undefined : byId.get(slot.runId);
    shown.push({
      at: timeJson(slot.until),
      verdict: slot.verdict as Verdict,
      ...(count === 1 ? {} : { count }),
      ...(slot.cause === auto ? {} : { cause: slot.cause }),
      ...(run === undefined ? {} : { run: stripRun(run) }),
    });
  }
  return { slots: shown.reverse(), ...durationsOf(runs) };
}

function stripRun(run: RunRow): StripRun {
  const { id, state, outcome } = run;
  const took = durationOf(run);
  return {
    id,
    state,
    ...(outcome === null ? {} : { outcome }),
    ...(took === null || outcome === null ? {} : { tookMs: took }),
  };
}
