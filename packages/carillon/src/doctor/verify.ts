/**
 * Recomputes what a schedule should have done and compares it with the ledger.
 *
 * The slots that should exist are those of each stored version of the spec, from when it was in force to when the
 * next one was, up to the cursor. The ledger must name each of them exactly once: no slot missing or doubled, no
 * overlapping rows, and each row with as many slots as the spec has in its range. Every start must have its run,
 * every run its start.
 *
 * Slots whose verdicts retention may have deleted, by age or by number, are out of scope and counted as such: a slot
 * before `floorOf` may be absent. Both sequences are in order of time and are walked in parallel, so a ledger of any
 * length needs no more memory than its rows.
 */
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import { defaultRetention } from '../runtime/retention-policy.ts';
import type { CompiledSpec, ScheduleSpec } from '../spec/index.ts';
import { budgetOf, compileSpec, timeZoneVersion } from '../spec/index.ts';
import { runFindings } from './verify-runs.ts';

export interface VerifyVersion {
  readonly at: Instant;
  readonly spec: ScheduleSpec;
  readonly seed: string;
  readonly timeZoneVersion: string;
  readonly paused: { readonly at: Instant } | null;
}

export interface VerifySlot {
  readonly cause: string;
  readonly nominal: Instant;
  readonly until: Instant;
  readonly count: number;
  readonly verdict: string;
  readonly at: Instant;
  readonly runId: string | null;
  readonly uncounted: boolean;
}

export interface VerifyRun {
  readonly id: string;
  readonly cause: string | null;
  readonly nominal: Instant | null;
  readonly createdAt: Instant;
  readonly isDone: boolean;
}

/** The retention of the store; records that it may have deleted prove nothing. */
export interface Kept {
  readonly ledgerMs: number;
  readonly ledgerRows: number;
  readonly runsMs: number;
  readonly runs: number;
}

export const defaultKept: Kept = {
  ledgerMs: defaultRetention.ledger,
  ledgerRows: defaultRetention.ledgerRows,
  runsMs: defaultRetention.finishedRuns,
  runs: defaultRetention.runsPerSchedule,
};

export interface VerifyMaterial {
  readonly now: Instant;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
  readonly cursor: Instant;
  readonly waiting: readonly { readonly nominal: Instant; readonly cause: string }[];
  /** The versions, oldest first. */
  readonly versions: readonly VerifyVersion[];
  /** The slots by nominal time. */
  readonly slots: readonly VerifySlot[];
  readonly runs: readonly VerifyRun[];
  readonly kept: Kept;
  /** The start of the checked range, exclusive. */
  readonly from?: Instant;
  /** The end of the checked range, inclusive. */
  readonly to?: Instant;
  /** Whether a node works on the schedule, so that an overdue slot is a finding. */
  readonly isLive: boolean;
}

export const findingKinds = {
  missing: 'a slot of the spec has no verdict',
  doubled: 'a slot has more than one verdict',
  overlapping: 'two stretches of the ledger cover the same time',
  unexpected: 'a verdict for a time the spec does not name',
  miscounted: 'a stretch does not have as many slots as the spec',
  stuck: 'a verdict says it waits, but nothing waits',
  overdue: 'a slot is due for long and has no verdict',
  runMissing: 'a start without its run',
  runShared: 'two verdicts name the same run',
  runDoubled: 'a slot was run by itself although a run of it existed',
  runBeside: 'a slot has more than one unfinished run',
  runUnknown: 'a run without its start in the ledger',
  unsearchable: 'the times of the spec are too hard to find; the search gave up',
} as const;
export type FindingKind = keyof typeof findingKinds;

export interface Finding {
  readonly kind: FindingKind;
  readonly cause: string;
  readonly nominal: Instant;
  /** The last affected slot. */
  readonly until: Instant;
  /** The number of affected slots. */
  readonly count: number;
  readonly text: string;
}

export interface Verification {
  readonly findings: readonly Finding[];
  /** The number of checked slots of the spec. */
  readonly slots: number;
  readonly rows: number;
  readonly runs: number;
  readonly versions: number;
  /** The time before which absent slots prove nothing. */
  readonly from: Instant;
  readonly to: Instant;
  /** What was not checked, and why. */
  readonly notes: readonly string[];
}

const auto = 'auto';

/** The work for the slots of one schedule: a few seconds, and enough for every second of the 90 days that a ledger is kept. */
const mostUnits = 10_000_000;

/** A slot without a verdict this long after its time is overdue. */
const overdueAfter = 60_000;

export function verifyLedger(material: VerifyMaterial): Verification {
  const { slots, versions, runs, cursor, to } = material;
  const notes: string[] = [];
  const from = floorOf(material, notes);
  const end = Math.min(cursor, to ?? cursor) as Instant;
  const own = slots.filter((slot) => slot.cause === auto);
  const walk = walkLedger(material, own, { from, to: end });
  const findings = [
    ...walk.findings,
    ...stuckFindings(material),
    ...runFindings(material, from),
    ...(to === undefined || to > cursor ? overdueFindings(material, notes) : []),
  ];
  const other = new Set(
    versions.map((each) => each.timeZoneVersion).filter((each) => each !== timeZoneVersion()),
  );
  if (other.size > 0) {
    const names = [...other].join(', ');
    notes.push(
      `written under zone tables ${names}, recomputed under ${timeZoneVersion()}: a changed rule shows`,
    );
  }
  const inOrder = findings.sort((a, b) => a.nominal - b.nominal);
  return {
    findings: inOrder,
    slots: walk.expected,
    rows: slots.length,
    runs: runs.length,
    versions: versions.length,
    from,
    to: end,
    notes,
  };
}

/** The time before which a verdict may have been deleted, or the spec is no longer stored. */
function floorOf({ createdAt, now, versions, slots, kept, from }: VerifyMaterial, notes: string[]): Instant {
  let floor = createdAt;
  const raise = (at: Instant, note: string) => {
    if (at <= floor) return;
    floor = at;
    notes.push(`${note}: slots before ${formatInstant(at)} are out of scope`);
  };
  const [first] = versions;
  if (first !== undefined && first.at > createdAt) raise(first.at, 'older versions are no longer stored');
  raise(addTime(now, -kept.ledgerMs), 'older verdicts may have been forgotten');
  // Retention by number keeps the newest rows. Rows of a backfill may be older than rows that were deleted before.
  const oldest = slots.at(-kept.ledgerRows);
  if (oldest !== undefined && slots.length >= kept.ledgerRows)
    raise(oldest.nominal, `only the newest ${kept.ledgerRows} verdicts are kept`);
  if (from !== undefined && from > floor) floor = from;
  return floor;
}

interface Stretch {
  readonly from: Instant;
  readonly to: Instant;
}

function walkLedger(material: VerifyMaterial, own: readonly VerifySlot[], { from, to }: Stretch) {
  const findings: Finding[] = [];
  const should = new Expected(material.versions, from, to);
  let missing: { first: Instant; last: Instant; count: number } | undefined;
  const miss = (at: Instant) => {
    missing =
      missing === undefined
        ? { first: at, last: at, count: 1 }
        : { ...missing, last: at, count: missing.count + 1 };
  };
  const flush = () => {
    if (missing === undefined) return;
    const { first, last, count } = missing;
    findings.push({
      kind: 'missing',
      cause: auto,
      nominal: first,
      until: last,
      count,
      text: `${count === 1 ? 'no verdict' : `no verdict for ${count} slots`}, though every slot up to ${formatInstant(material.cursor)} must have one`,
    });
    missing = undefined;
  };
  let before: VerifySlot | undefined;
  for (const row of own) {
    if (row.until <= from) continue;
    if (row.nominal > to) break;
    if (before !== undefined && row.nominal <= before.until) findings.push(overlap(before, row));
    // A range that an earlier row covers is compared once.
    const begin = before === undefined ? row.nominal : Math.max(row.nominal, before.until + 1);
    while (should.head !== undefined && should.head < begin) {
      miss(should.head);
      should.move();
    }
    flush();
    const isWhole = begin === row.nominal && row.nominal > from && row.until <= to;
    const isNamed = should.head === row.nominal;
    let count = 0;
    while (should.head !== undefined && should.head <= row.until) {
      count += 1;
      should.move();
    }
    if (isWhole && !isNamed) findings.push(about('unexpected', row, 'the spec in force names no such time'));
    else if (isWhole && count !== row.count && !row.uncounted) {
      findings.push(
        about('miscounted', row, `the row counts ${row.count} slots, the spec has ${count} there`),
      );
    }
    if (before === undefined || row.until > before.until) before = row;
  }
  while (should.head !== undefined) {
    miss(should.head);
    should.move();
  }
  flush();
  if (should.gaveUpAt !== undefined) {
    const nominal = should.gaveUpAt;
    const text = 'nothing after this time could be checked';
    findings.push({ kind: 'unsearchable', cause: auto, nominal, until: nominal, count: 0, text });
  }
  return { findings, expected: should.seen };
}

function overlap(before: VerifySlot, row: VerifySlot): Finding {
  const isSame = row.nominal === before.nominal || row.count === 1;
  const other = `${before.verdict} from ${formatInstant(before.nominal)}${before.count > 1 ? ` to ${formatInstant(before.until)}` : ''}`;
  return about(
    isSame ? 'doubled' : 'overlapping',
    row,
    `the verdict ${row.verdict} stands beside another one: ${other}`,
  );
}

function about(kind: FindingKind, row: VerifySlot, text: string): Finding {
  const { cause, nominal, until, count } = row;
  return { kind, cause, nominal, until, count, text };
}

/** Iterates over the slots that each version should have had while it was in force. */
class Expected {
  readonly #versions: readonly (VerifyVersion & { readonly to: Instant; readonly compiled: CompiledSpec })[];
  readonly #to: Instant;
  readonly #budget = budgetOf(mostUnits);
  #index = 0;
  #at: Instant;
  head: Instant | undefined;
  seen = 0;
  gaveUpAt: Instant | undefined;

  constructor(versions: readonly VerifyVersion[], from: Instant, to: Instant) {
    this.#versions = versions.map((version, index) => ({
      ...version,
      to: versions[index + 1]?.at ?? to,
      compiled: compileSpec(version.spec, { seed: version.seed }),
    }));
    this.#to = to;
    this.#at = from;
    this.#find();
  }

  move(): void {
    this.seen += 1;
    this.#at = this.head as Instant;
    this.#find();
  }

  #find(): void {
    this.head = undefined;
    for (; this.#index < this.#versions.length; this.#index += 1) {
      const version = this.#versions[this.#index];
      if (version === undefined) return;
      const after = Math.max(this.#at, version.at) as Instant;
      const end = Math.min(version.to, this.#to);
      if (after >= end) continue;
      const found = version.compiled.search(after, { budget: this.#budget });
      if (found.kind === 'unfinished' && found.reached < end) {
        this.gaveUpAt = found.reached;
        return;
      }
      if (found.kind !== 'found' || found.nominal > end) continue;
      this.head = found.nominal;
      return;
    }
  }
}

function stuckFindings({ slots, waiting, now, cursor }: VerifyMaterial): Finding[] {
  const waits = new Set(waiting.map(({ cause, nominal }) => `${cause} ${nominal}`));
  return slots
    .filter(
      (row) => row.verdict === 'buffered' && row.at <= now && (row.cause !== auto || row.nominal <= cursor),
    )
    .filter((row) => !waits.has(`${row.cause} ${row.nominal}`))
    .map((row) => about('stuck', row, 'it was left to wait for a run to end, and waits nowhere any more'));
}

/** Findings about overdue slots after the cursor. */
function overdueFindings(
  { versions, cursor, now, closedAt, isLive, to }: VerifyMaterial,
  notes: string[],
): Finding[] {
  const version = versions.at(-1);
  if (version === undefined || closedAt !== null) return [];
  if (version.paused !== null) {
    notes.push(
      `paused since ${formatInstant(version.paused.at)}: its slots get their verdict when it resumes`,
    );
    return [];
  }
  const end = Math.min(to ?? now, now - overdueAfter);
  const compiled = compileSpec(version.spec, { seed: version.seed });
  const first = compiled.search(Math.max(cursor, version.at) as Instant, { seed: version.seed });
  if (first.kind !== 'found' || first.actual > end) return [];
  const late = `due since ${formatInstant(first.actual)} and not handled`;
  if (!isLive) {
    notes.push(`${late}: no node works on a store that is opened offline`);
    return [];
  }
  const { nominal } = first;
  return [{ kind: 'overdue', cause: auto, nominal, until: nominal, count: 1, text: late }];
}
