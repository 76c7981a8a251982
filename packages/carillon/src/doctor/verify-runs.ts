/** Checks that starts and runs correspond one to one, as long as both are kept. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { Finding, FindingKind, VerifyMaterial, VerifyRun, VerifySlot } from './verify.ts';

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
    const mayHaveGone = runId <= oldest || (row.cause !== 'auto' && !isFew);
    const mustBeThere = row.at >= now - kept.runsMs && !mayHaveGone;
    if (!byId.has(runId) && mustBeThere) {
      findings.push(about('runMissing', row, `its run ${runId} is not there`));
    }
  }
  return findings;
}

function doubled(runs: readonly VerifyRun[]): Finding[] {
  const findings: Finding[] = [];
  const first = new Map<string, string>();
  for (const { id, cause, nominal } of runs) {
    if (cause === null || nominal === null) continue;
    const slot = `${cause} ${nominal}`;
    const other = first.get(slot);
    if (other === undefined) first.set(slot, id);
    else {
      const text = `the runs ${other} and ${id} are both for this slot`;
      findings.push({ kind: 'runDoubled', cause, nominal, until: nominal, count: 1, text });
    }
  }
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
    if (cause !== 'auto' || nominal === null || nominal <= from || nominal > to || named.has(id)) continue;
    const text = `the run ${id} is for this slot, but no verdict names it`;
    findings.push({ kind: 'runUnknown', cause, nominal, until: nominal, count: 1, text });
  }
  return findings;
}

function about(kind: FindingKind, { cause, nominal, until, count }: VerifySlot, text: string): Finding {
  return { kind, cause, nominal, until, count, text };
}
