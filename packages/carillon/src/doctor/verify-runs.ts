/** Starts and runs must be one to one, as long as both are kept. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { Finding, FindingKind, VerifyMaterial, VerifyRun, VerifySlot } from './verify.ts';

const startVerdicts: ReadonlySet<string> = new Set(['started', 'startedLate']);

/** `from`: before it a verdict may have been forgotten. */
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
  // By number the newest are kept, by id: those above this one were never too many.
  const oldest = done.length < kept.runs ? '' : (done.at(-kept.runs) ?? '');
  // Backfills make runs with old ids late: where some may have gone by number, theirs may be among them.
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

/** Only the schedule's own: of those the cursor says that their verdict had been written when it was read. */
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
