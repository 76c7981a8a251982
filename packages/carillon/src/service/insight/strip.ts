/** The last slots of a schedule, in the small form that lists show beside each schedule. */

import type { Instant } from '../../base/time.ts';
import { minute } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { durationOf } from '../../runs/fact.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { RunOutcome, RunRow, RunState, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { timeJson } from '../wire.ts';
import { isUntaken } from './attention.ts';
import type { Durations } from './durations.ts';
import { durationsOf, measuredRuns } from './durations.ts';
import type { OpenSlot, OpenVerdict } from './open-slots.ts';
import { isReplaced } from './replaced.ts';

export interface StripRun {
  readonly id: string;
  readonly state: RunState;
  /** Absent until the run has ended. */
  readonly outcome?: RunOutcome;
  /** From its first attempt to its end; absent until then. */
  readonly tookMs?: number;
  /** It waits, and no worker has taken it for longer than that takes. */
  readonly untaken?: true;
  /** Its schedule's overlap policy stopped it for a later run. */
  readonly replaced?: true;
}

export interface StripSlot {
  /** The nominal time; the last one of a stretch. */
  readonly at: string;
  /** `overdue` waits for its verdict; the slots of a pause that goes on are `paused`. */
  readonly verdict: Verdict | 'overdue';
  /** The number of slots of a stretch; absent: one. */
  readonly count?: number;
  /** Absent: `auto`, the schedule's own. */
  readonly cause?: string;
  readonly run?: StripRun;
  /** Its run is no longer kept, so that its outcome is not known. */
  readonly forgotten?: true;
}

/** Absent fields keep a list of many schedules small. */
export interface Strip extends Durations {
  /** The newest slot is the last. */
  readonly slots: readonly StripSlot[];
}

/** The slots of a strip. */
export const stripSlots = 20;

export interface StripMaterial {
  readonly incarnation: string;
  /** The slots up to now that have no row yet, newest first. */
  readonly open: readonly OpenSlot[];
  readonly now: Instant;
}

export async function readStrip(store: Store, material: StripMaterial): Promise<Strip> {
  const { incarnation } = material;
  const [slots, runs] = await Promise.all([
    store.slots({ incarnation, order: 'descending', limit: stripSlots }),
    store.runs({ owner: incarnation, payloads: false, limit: measuredRuns }),
  ]);
  return stripOf(slots.items, runs.items, material);
}

/** `slots` and `runs` come newest first. */
function stripOf(slots: readonly SlotRow[], runs: readonly RunRow[], { open, now }: StripMaterial): Strip {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const hasAllRuns = runs.length < measuredRuns;
  const shown: StripSlot[] = [];
  let left = stripSlots;
  for (const slot of inOrder(slots, open)) {
    if (left <= 0) break;
    const count = Math.min(slot.count, left);
    left -= count;
    if ('isOpen' in slot) {
      shown.push({ at: timeJson(slot.until), verdict: slot.verdict, ...(count === 1 ? {} : { count }) });
      continue;
    }
    const run = slot.runId === null ? undefined : byId.get(slot.runId);
    const isStarted = slot.verdict === 'started' || slot.verdict === 'startedLate';
    // The run of a slot that was decided while runs were read may not be among them.
    const isSettled = now - slot.at > minute;
    const isForgotten = slot.runId !== null && run === undefined && isStarted && hasAllRuns && isSettled;
    shown.push({
      at: timeJson(slot.until),
      verdict: slot.verdict as Verdict,
      ...(count === 1 ? {} : { count }),
      ...(slot.cause === auto ? {} : { cause: slot.cause }),
      ...(run === undefined ? {} : { run: stripRun(run, now) }),
      ...(isForgotten ? { forgotten: true } : {}),
    });
  }
  return { slots: shown.reverse(), ...durationsOf(runs) };
}

interface OpenStretch {
  readonly isOpen: true;
  readonly until: Instant;
  readonly verdict: Exclude<OpenVerdict, 'due'>;
  count: number;
}

/** Rows and open slots, newest first; neighbouring open slots are one stretch, as they will be in the ledger. */
function inOrder(rows: readonly SlotRow[], open: readonly OpenSlot[]): readonly (SlotRow | OpenStretch)[] {
  const all: (SlotRow | OpenStretch)[] = [];
  let next = 0;
  for (const { nominal, verdict } of open) {
    // A slot that is due at this moment will have its verdict before a person reads the list.
    if (verdict === 'due') continue;
    for (let row = rows[next]; row !== undefined && row.nominal > nominal; row = rows[next]) {
      all.push(row);
      next += 1;
    }
    const last = all.at(-1);
    if (last !== undefined && 'isOpen' in last && last.verdict === verdict) last.count += 1;
    else all.push({ isOpen: true, until: nominal, verdict, count: 1 });
  }
  return [...all, ...rows.slice(next)];
}

function stripRun(run: RunRow, now: Instant): StripRun {
  const { id, state, outcome } = run;
  const took = durationOf(run);
  return {
    id,
    state,
    ...(outcome === null ? {} : { outcome }),
    ...(took === null || outcome === null ? {} : { tookMs: took }),
    ...(isUntaken(run, now) ? { untaken: true } : {}),
    ...(isReplaced(run) ? { replaced: true } : {}),
  };
}
