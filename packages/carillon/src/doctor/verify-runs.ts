/** Checks that starts and runs correspond one to one, as long as both are kept. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { Finding, FindingKind, VerifyMaterial, VerifyRun, VerifySlot } from './verify.ts';

const auto = 'auto';

const startVerdicts: ReadonlySet<string> = new Set(['started', 'startedLate']);

/** `from` is the time before which retention may have deleted verdicts. */
export function runFindings(material: VerifyMaterial, from: Instant): Finding[] {
  const { slots, runs, cursor, now } = material;
  const byId = new Map(runs.map((run) => [run.id, run]));
  const starts = slots.filter((slot) => startVerdicts.has(slot.verdict) && slot.at <= now);
  return [
    ...startFindings(starts, byId, material),
    ...doubled(runs),
    ...unknown(runs, slots, { from, to: cursor }),
  ];
}

function startFindings(
  starts: readonly VerifySlot[],
  byId: ReadonlyMap<string, VerifyRun>,
  { runs, now, kept }: VerifyMaterial,
): Finding[] {
  const findings: Finding[] = [];
  const named = new Map<string, VerifySlot>();
  const done = runs.flatMap((run) => (run.isDone ? [run.id] : [])).sort();
  // Retention by number keeps the newest runs by id: runs above this id were never in excess.
  const oldest = done.length < kept.runs ? '' : (done.at(-kept.runs) ?? '');
  // Backfills create runs with old ids: if retention by number may have deleted runs, theirs may be among them.
  const isFew = starts.length < kept.runs;
  for (const row of starts) {
    const { runId } = row;
    if (runId === null) {
      findings.push(about('runMissing', row, 'it is said to have started, and names no run'));
      continue;
    }
    const other = named.get(runId);
    named.set(runId, row);
    if (other !== undefined) {
      const text = `the run ${runId} is also that of ${other.cause} at ${formatInstant(other.nominal)}`;
      findings.push(about('runShared', row, text));
    }
    const mayHaveGone = runId <= oldest || (row.cause !== auto && !isFew);
    const mustBeThere = row.at >= now - kept.runsMs && !mayHaveGone;
    if (!byId.has(runId) && mustBeThere) {
      findings.push(about('runMissing', row, `its run ${runId} is not there`));
    }
  }
  return findings;
}

/**
 * One run per slot, for all causes together: a slot is never run by itself once a run of it exists, and a person may run it again, but not
 * beside an unfinished run of it.
 */
function doubled(runs: readonly VerifyRun[]): Finding[] {
  const slots = new Map<Instant, SlotRun[]>();
  for (const run of runs) {
    if (!hasSlot(run)) continue;
    const others = slots.get(run.nominal);
    if (others === undefined) slots.set(run.nominal, [run]);
    else others.push(run);
  }
  return [...slots.values()].flatMap((each) => (each.length > 1 ? slotFindings(each) : []));
}

interface SlotRun extends VerifyRun {
  readonly cause: string;
  readonly nominal: Instant;
}

/** Triggers are left out: a trigger for the present moment has no slot, and its run does not show that. */
function hasSlot(run: VerifyRun): run is SlotRun {
  const { cause, nominal } = run;
  return nominal !== null && cause !== null && !cause.startsWith('trigger:');
}

function slotFindings(runs: readonly SlotRun[]): Finding[] {
  const findings: Finding[] = [];
  const find = (kind: FindingKind, { cause, nominal }: SlotRun, text: string) =>
    findings.push({ kind, cause, nominal, until: nominal, count: 1, text });
  const [first, ...later] = [...runs].sort((a, b) => a.createdAt - b.createdAt);
  for (const run of later) {
    if (run.cause === auto) find('runDoubled', run, `the run ${run.id} came after ${first?.id} of this slot`);
  }
  const [open, ...beside] = runs.filter(({ isDone }) => !isDone);
  for (const run of beside) find('runBeside', run, `the runs ${open?.id} and ${run.id} are both unfinished`);
  return findings;
}

/**
 * Checks only the schedule's own slots, because only for them the cursor proves that the verdict was written before
 * the read.
 */
function unknown(
  runs: readonly VerifyRun[],
  slots: readonly VerifySlot[],
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Finding[] {
  const named = new Set(slots.flatMap(({ runId }) => (runId === null ? [] : [runId])));
  const findings: Finding[] = [];
  for (const { id, cause, nominal } of runs) {
    if (cause !== auto || nominal === null || nominal <= from || nominal > to || named.has(id)) continue;
    const text = `the run ${id} is for this slot, but no verdict names it`;
    findings.push({ kind: 'runUnknown', cause, nominal, until: nominal, count: 1, text });
  }
  return findings;
}

function about(kind: FindingKind, { cause, nominal, until, count }: VerifySlot, text: string): Finding {
  return { kind, cause, nominal, until, count, text };
}
