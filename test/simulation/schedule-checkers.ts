/**
 * What must be true of a schedule once the faults have stopped, read from the store alone. The expected slots are
 * recomputed from the stored versions of the definition, not from what the scheduler remembers.
 */
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { ScheduleDefinition } from '../../packages/carillon/src/scheduler/definition.ts';
import { verdicts } from '../../packages/carillon/src/scheduler/verdict.ts';
import type { Occurrence } from '../../packages/carillon/src/spec/index.ts';
import { compileSpec } from '../../packages/carillon/src/spec/index.ts';
import type { ListedExecution, RunRow, SlotRow } from '../../packages/carillon/src/store/records.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { readRow } from './schedule-watcher.ts';

/** What the callers of the simulation were told. */
export interface Acknowledged {
  readonly id: string;
  /** Triggers and backfills together. */
  causes: number;
  readonly triggers: string[];
  readonly backfills: {
    readonly id: string;
    readonly from: number;
    readonly to: number;
    cancelled: boolean;
  }[];
  /** No caller changed how runs may overlap. */
  steadyOverlap: boolean;
  /** No caller changed how many actions are left. */
  readonly granted: number | null;
  steadyGrant: boolean;
}

const most = 1_000_000;

export async function checkSchedule(store: Store, row: ListedExecution, plan: Acknowledged, now: Instant) {
  const { incarnation } = row;
  const { items: slots } = await store.slots({ incarnation, limit: most });
  const { items: runs } = await store.runs({ owner: incarnation, limit: most, order: 'ascending' });
  const parts = await store.parts({ incarnation, name: 'definition' });
  const versions = parts.map((part) => ({
    at: part.at,
    definition: JSON.parse(part.data) as ScheduleDefinition,
  }));
  const material = { row, slots, runs, versions, plan, now };
  return [
    ...checkLedger(material),
    ...checkRuns(material),
    ...checkCounters(material),
    ...checkManual(material),
    ...checkPolicies(material),
  ].map((problem) => `${plan.id}: ${problem}`);
}

interface Material {
  readonly row: ListedExecution;
  readonly slots: readonly SlotRow[];
  readonly runs: readonly RunRow[];
  readonly versions: readonly { readonly at: Instant; readonly definition: ScheduleDefinition }[];
  readonly plan: Acknowledged;
  readonly now: Instant;
}

/** Every slot of every version, up to the moment the next one took over. */
function expectedSlots({ row, versions, now }: Material): Occurrence[] {
  const expected: Occurrence[] = [];
  for (let index = 0; index < versions.length; ) {
    const { at, definition } = versions[index] as Material['versions'][number];
    const spec = JSON.stringify(definition.spec);
    let next = index + 1;
    while (next < versions.length && JSON.stringify(versions[next]?.definition.spec) === spec) next += 1;
    const compiled = compileSpec(definition.spec, { seed: definition.seed });
    const successor = versions[next]?.at;
    const last = versions.at(-1)?.definition.paused ?? null;
    const isOver = (slot: Occurrence) => {
      if (successor !== undefined) return slot.nominal > successor;
      if (row.closedAt !== null) return slot.nominal > row.closedAt;
      return slot.actual > (last === null ? now : last.at);
    };
    for (let after = at; ; ) {
      const slot = compiled.next(after, { seed: definition.seed });
      if (slot === undefined || isOver(slot)) break;
      expected.push(slot);
      after = slot.nominal;
    }
    index = next;
  }
  return expected;
}

function checkLedger(material: Material): string[] {
  const problems: string[] = [];
  const { slots, row } = material;
  const own = slots.filter((slot) => slot.cause === 'auto');
  const expected = expectedSlots(material);
  const covering = new Map<SlotRow, number>();
  let at = 0;
  for (const { nominal } of expected) {
    while (at < own.length && (own[at] as SlotRow).until < nominal) at += 1;
    const covers = own.slice(at, at + 3).filter((slot) => slot.nominal <= nominal && nominal <= slot.until);
    if (covers.length === 1)
      covering.set(covers[0] as SlotRow, (covering.get(covers[0] as SlotRow) ?? 0) + 1);
    else
      problems.push(`slot ${nominal} has ${covers.length} verdicts: ${covers.map((slot) => slot.verdict)}`);
  }
  for (const slot of own) {
    const covered = covering.get(slot) ?? 0;
    if (covered !== slot.count)
      problems.push(`row ${slot.nominal} ${slot.verdict} says ${slot.count}, covers ${covered}`);
  }
  for (const slot of slots) {
    if (!(verdicts as readonly string[]).includes(slot.verdict)) problems.push(`verdict '${slot.verdict}'`);
  }
  const waiting = new Set(
    readRow(row.state).invoker.waiting.map((start) => `${start.cause} ${start.nominal}`),
  );
  const buffered = slots.filter((slot) => slot.verdict === 'buffered');
  for (const slot of buffered) {
    if (!waiting.has(`${slot.cause} ${slot.nominal}`))
      problems.push(`slot ${slot.nominal} is buffered without a waiting start`);
  }
  if (buffered.length !== waiting.size) problems.push(`${waiting.size} wait, ${buffered.length} rows say so`);
  return problems;
}

function isStart({ runId, verdict }: SlotRow): boolean {
  return runId !== null && verdict.startsWith('started');
}

function checkRuns({ slots, runs, row }: Material): string[] {
  const problems: string[] = [];
  const bySlot = new Map<string, RunRow>();
  const byRun = new Map(slots.filter(isStart).map((slot) => [slot.runId, slot]));
  for (const run of runs) {
    const { nominal, cause } = JSON.parse(run.options) as { nominal: number; cause: string };
    const key = `${cause} ${nominal}`;
    if (bySlot.has(key)) problems.push(`slot ${key} has two runs`);
    bySlot.set(key, run);
    const slot = byRun.get(run.id);
    if (
      slot === undefined ||
      slot.nominal !== nominal ||
      slot.cause !== cause ||
      !slot.verdict.startsWith('started')
    )
      problems.push(`run ${run.id} for ${key} has no row that says so`);
  }
  for (const slot of slots) {
    if (slot.verdict.startsWith('started') && !bySlot.has(`${slot.cause} ${slot.nominal}`))
      problems.push(`slot ${slot.nominal} says started, without a run`);
  }
  const going = new Set(runs.filter((run) => run.state !== 'done').map((run) => run.id));
  const { open } = readRow(row.state).invoker;
  if (open !== going.size) problems.push(`${going.size} runs go on, the schedule counts ${open}`);
  return problems;
}

function checkCounters({ row, slots, plan }: Material): string[] {
  const { counters, causes } = readRow(row.state).root;
  const total = (...of: string[]) =>
    slots.filter((slot) => of.includes(slot.verdict)).reduce((sum, slot) => sum + slot.count, 0);
  const told = {
    actions: total('started', 'startedLate'),
    overlapSkipped: total('skippedOverlap'),
    missedCatchupWindow: total('missedWindow'),
    bufferDropped: total('bufferFull'),
  };
  const problems: string[] = [];
  if (JSON.stringify(told) !== JSON.stringify(counters))
    problems.push(`counters ${JSON.stringify(counters)}, ledger ${JSON.stringify(told)}`);
  if (causes !== plan.causes)
    problems.push(`${plan.causes} triggers and backfills acknowledged, ${causes} done`);
  return problems;
}

/** Each trigger and each slot of a backfill was answered for, exactly once. */
function checkManual({ row, slots, versions, plan }: Material): string[] {
  const problems: string[] = [];
  for (const cause of plan.triggers) {
    const found = slots.filter((slot) => slot.cause === cause);
    if (found.length !== 1) problems.push(`${cause} has ${found.length} verdicts`);
  }
  const oneSpec = new Set(versions.map(({ definition }) => JSON.stringify(definition.spec))).size === 1;
  const { definition } = versions[0] as Material['versions'][number];
  for (const backfill of plan.backfills) {
    const found = slots.filter((slot) => slot.cause === `backfill:${backfill.id}`);
    const window = { from: (backfill.from - 1) as Instant, to: backfill.to as Instant };
    const { times } = compileSpec(definition.spec, { seed: definition.seed }).between(window, 100_000);
    const mayBeCut = backfill.cancelled || row.closedAt !== null || !oneSpec;
    if (mayBeCut ? oneSpec && found.length > times.length : found.length !== times.length)
      problems.push(`backfill ${backfill.id}: ${found.length} verdicts for ${times.length} slots`);
  }
  if (row.closedAt === null && readRow(row.state).backfills > 0 && readRow(row.state).invoker.open === 0)
    problems.push('a backfill stands still');
  return problems;
}

function checkPolicies({ runs, versions, plan }: Material): string[] {
  const problems: string[] = [];
  const own = runs.filter((run) => (JSON.parse(run.options) as { cause: string }).cause === 'auto');
  if (plan.granted !== null && plan.steadyGrant && own.length > plan.granted)
    problems.push(`${own.length} actions of ${plan.granted}`);
  const { policy } = (versions[0] as Material['versions'][number]).definition;
  if (!plan.steadyOverlap || (policy.overlap === 'allowAll' && !policy.keepOriginalId)) return problems;
  const ends: number[] = [];
  const endOf = (run: RunRow) => run.finishedAt ?? Number.MAX_SAFE_INTEGER;
  for (const run of [...runs].sort((a, b) => a.createdAt - b.createdAt || endOf(a) - endOf(b))) {
    const going = ends.filter((end) => end > run.createdAt).length;
    if (going >= (policy.keepOriginalId ? 1 : policy.limit))
      problems.push(`${run.id} overlaps ${going} others`);
    ends.push(endOf(run));
  }
  return problems;
}
