/**
 * Turns time into slots: examines the time since the cursor and says which slots run, which get
 * another verdict, and when the next one is due. Pure; the caller applies the result.
 *
 * One pass is limited in slots, in starts and in work. The remaining time is left to the next pass: `more` says that
 * there is some, `pass` what has to be remembered until then. A search that reached its limit of work does not move
 * the cursor: every slot up to the cursor has its verdict, and none lies between the cursor and `pass.reached`.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Budget, CompiledSpec } from '../spec/index.ts';
import type { Era, MissedPolicy } from './era.ts';
import { eraOf, isTooLate } from './era.ts';
import type { Judged, Slot } from './ledger.ts';
import { auto, judge } from './ledger.ts';

/** The state that an unfinished pass leaves for the next one. */
export interface Pass {
  /** No slot lies between the cursor and this time. */
  readonly reached: Instant;
  /** Units of work since the last slot was found. */
  readonly spent: number;
  /** With `oldest`: the slot of this backlog that runs, so that those after it are coalesced into it. */
  readonly ranAs: Instant | null;
}

export interface SlotSearch {
  readonly compiled: CompiledSpec;
  readonly seed: string;
  /** Every slot up to this time has its verdict. */
  readonly cursor: Instant;
  readonly pass: Pass | null;
  readonly now: Instant;
  readonly eras: readonly Era[];
  readonly windowMs: number;
  readonly missed: MissedPolicy;
  /** With `all`: how many of the newest due slots run; absent: every one. */
  readonly missedLimit?: number;
  readonly most: {
    /** The largest number of slots to examine. */
    readonly slots: number;
    /** The largest number of starts to return. */
    readonly starts: number;
    /** How many more starts may wait; at 0, due slots get the verdict `bufferFull`. */
    readonly room: number;
    /** The largest number of starts that may wait. */
    readonly buffer: number;
  };
  readonly budget: Budget;
}

export type SearchVerdict = 'paused' | 'missedWindow' | 'bufferFull' | 'coalesced';

/** The inputs of those verdicts. */
export interface SearchDetail {
  readonly pausedBy?: string;
  readonly note?: string;
  readonly pausedAt?: Instant;
  readonly missed?: 'skip';
  readonly windowMs?: number;
  readonly ranAs?: Instant;
  readonly buffered?: number;
}

export interface DueSlot extends Slot {
  /** When a person asked for the slot after its time: its catch-up window counts from this time. */
  readonly askedAt?: Instant;
}

export interface FoundSlots {
  readonly due: readonly DueSlot[];
  readonly judged: readonly Judged<SearchVerdict, SearchDetail>[];
  readonly cursor: Instant;
  readonly pass: Pass | null;
  /** When the next slot is due; null when the spec has none left, or when it is not known yet. */
  readonly next: Instant | null;
  /** The pass ended at one of its limits: the next one continues. */
  readonly more: boolean;
}

export function findSlots(search: SlotSearch): FoundSlots {
  return coalesce(findDue(search));
}

interface Found extends FoundSlots {
  /** How many of the newest due slots run; absent: all. */
  readonly keep: number | undefined;
}

function findDue(search: SlotSearch): Found {
  const { now, budget, windowMs, most } = search;
  const due: DueSlot[] = [];
  const judged: Judged<SearchVerdict, SearchDetail>[] = [];
  const walk = search.compiled.walk(search.pass?.reached ?? search.cursor, { seed: search.seed });
  let { cursor, missed } = search;
  let keep = missed === 'latest' ? 1 : search.missedLimit;
  let ranAs = search.pass?.ranAs ?? null;
  let spent = search.pass?.spent ?? 0;
  const ended = (next: Instant | null, more: boolean, reached: Instant | null): Found => {
    const pass =
      more && (reached !== null || ranAs !== null) ? { reached: reached ?? cursor, spent, ranAs } : null;
    return { due, judged, cursor, next, more, keep, pass };
  };
  for (let examined = 0; ; examined += 1) {
    const before = budget.left;
    const found = walk.next(budget);
    spent += before - budget.left;
    if (found.kind === 'unfinished') return ended(null, true, found.reached);
    if (found.kind === 'none') return ended(null, false, null);
    spent = 0;
    const { nominal, actual } = found;
    if (actual > now) return ended(actual, false, null);
    const isFull = most.room > 0 && due.length >= Math.min(most.room, most.starts) && keep === undefined;
    if (examined >= most.slots || isFull) return ended(actual, true, null);
    cursor = nominal;
    const slot = { nominal, actual, cause: auto, manual: false };
    const era = eraOf(search.eras, actual);
    if (era?.rule === 'paused') {
      judged.push(judge(slot, 'paused', { pausedBy: era.by, note: era.note, pausedAt: era.since }));
      continue;
    }
    // A person who resumes and asks for the missed slots wants them however old they are.
    if (era !== undefined) {
      missed = era.rule;
      keep = missed === 'latest' ? 1 : undefined;
    }
    const lateByMs = era === undefined ? now - actual : 0;
    if (isTooLate({ lateByMs, windowMs, missed })) {
      judged.push(judge(slot, 'missedWindow', lateByMs <= windowMs ? { missed: 'skip' } : { windowMs }));
    } else if (missed === 'oldest' && ranAs !== null) {
      judged.push(judge(slot, 'coalesced', { ranAs }));
    } else if (most.room === 0) {
      judged.push(judge(slot, 'bufferFull', { buffered: most.buffer }));
    } else {
      if (missed === 'oldest') ranAs = nominal;
      due.push(era === undefined ? slot : { ...slot, askedAt: now });
    }
  }
}

/**
 * With `latest`, only the newest of several due slots runs; with a limit, that many of the newest. If the pass ended early,
 * those are left to the next one, unless later slots (those of a pause) have their verdict already: moving the cursor back
 * would judge them again. In that case the slots before the pause are judged separately.
 */
function coalesce(found: Found): FoundSlots {
  const { due, more, keep } = found;
  if (keep === undefined || due.length === 0 || (due.length <= keep && !more)) return found;
  const kept = due.slice(-keep);
  const first = kept[0] as DueSlot;
  // While more slots are due, it is not known yet which one will run.
  const isOpenEnded = more && !((found.judged.at(-1)?.nominal ?? 0) > first.nominal);
  const detail = isOpenEnded ? undefined : { ranAs: first.nominal };
  const others = due.slice(0, -keep).map((slot) => judge(slot, 'coalesced' as const, detail));
  const judged = others.length === 0 ? found.judged : [...found.judged, ...others];
  if (!isOpenEnded) return { ...found, judged, due: kept };
  // The kept slots are found again by the next pass, so what the search found after them is discarded.
  return { ...found, judged, due: [], cursor: addTime(first.nominal, -1), pass: null };
}
