/**
 * Reads every commit of a simulated cluster as it happens, and checks the promises, without knowing the code: nothing is
 * early, a paused or closed schedule starts nothing, cursors never fall, every waiting start has something to wait for, and
 * an open schedule always has a reason to be awake or asleep.
 */
import type { WaitingStart } from '../../packages/carillon/src/scheduler/buffered-start.ts';
import type { ScheduleDefinition } from '../../packages/carillon/src/scheduler/definition.ts';
import type { GeneratorState } from '../../packages/carillon/src/scheduler/generator.ts';
import { Generator } from '../../packages/carillon/src/scheduler/generator.ts';
import type { InvokerState } from '../../packages/carillon/src/scheduler/invoker.ts';
import { Invoker } from '../../packages/carillon/src/scheduler/invoker.ts';
import type { ScheduleState } from '../../packages/carillon/src/scheduler/schedule.ts';
import { Schedule } from '../../packages/carillon/src/scheduler/schedule.ts';
import type { ExecutionWrite, RunRow } from '../../packages/carillon/src/store/records.ts';
import type { Writes } from '../../packages/carillon/src/store/store.ts';
import type { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import { RunNameWatch } from './run-name-watch.ts';

/** A schedule's row, read without the engine (only its packing is ours). */
export interface ScheduleRow {
  readonly root: ScheduleState;
  readonly generator: GeneratorState;
  readonly invoker: InvokerState;
  readonly definitionStamp: number;
  readonly backfills: number;
}

export function readRow(state: string): ScheduleRow {
  const { c } = JSON.parse(state) as { c: Record<string, [unknown, number, number, number?]> };
  return {
    root: Schedule.packing.unpack(c['']?.[0]),
    generator: Generator.packing.unpack(c.generator?.[0]),
    invoker: Invoker.packing.unpack(c.invoker?.[0]),
    definitionStamp: c.definition?.[3] as number,
    backfills: Object.keys(c).filter((path) => path.startsWith('backfills:')).length,
  };
}

interface Known {
  readonly row: ScheduleRow;
  readonly open: boolean;
  readonly definition: ScheduleDefinition;
}

export interface Watcher {
  readonly commits: () => number;
}

export function watchSchedules(world: CarillonWorld, problems: string[]): Watcher {
  const { store } = world;
  const definitions = new Map<string, ScheduleDefinition>();
  const known = new Map<string, Known>();
  /** Unfinished runs by owner, and every run there ever was. */
  const unfinished = new Map<string, Set<string>>();
  const everInserted = new Set<string>();
  const names = new RunNameWatch();
  const noteRun = ({ id, owner, state }: RunRow) => {
    if (owner === null) return;
    const going = unfinished.get(owner) ?? new Set<string>();
    unfinished.set(owner, going);
    if (state === 'done') going.delete(id);
    else going.add(id);
  };
  let commits = 0;
  const look = (writes: Writes, now: number) => {
    commits += 1;
    for (const part of writes.parts ?? []) {
      if (part.name === 'definition') {
        definitions.set(`${part.incarnation} ${part.stamp}`, JSON.parse(part.data) as ScheduleDefinition);
      }
    }
    const started = new Map<string, RunRow[]>();
    for (const run of writes.newRuns ?? []) {
      started.set(run.owner ?? '', [...(started.get(run.owner ?? '') ?? []), run]);
    }
    for (const run of [...(writes.newRuns ?? []), ...(writes.runs ?? [])]) noteRun(run);
    problems.push(...names.look(writes));
    for (const run of writes.newRuns ?? []) {
      if (everInserted.has(run.id)) problems.push(`run ${run.id} was inserted twice`);
      everInserted.add(run.id);
    }
    for (const write of writes.executions ?? []) {
      if (write.key.archetype !== 'schedule') continue;
      const row = readRow(write.state);
      const definition = definitions.get(`${write.incarnation} ${row.definitionStamp}`) as ScheduleDefinition;
      const before = known.get(write.incarnation);
      const after = { row, open: write.status === 'open', definition };
      known.set(write.incarnation, after);
      const found = [
        ...checkRow(write, after),
        ...checkChange(before, after),
        ...names.checkBehind(row.invoker.waiting),
        ...checkCount(write, row, unfinished.get(write.incarnation) ?? new Set()),
        ...checkOrdinals(started.get(write.incarnation) ?? [], before),
        ...checkStarts(started.get(write.incarnation) ?? [], { before, after, now }),
      ];
      for (const problem of found) problems.push(`${write.key.id} v${write.version}: ${problem}`);
    }
  };
  const transact = store.transact.bind(store);
  store.transact = async (selection, decider) => {
    let decided: { writes: Writes; now: number } | undefined;
    const result = await transact(selection, {
      ...decider,
      decide: (loaded) => {
        const decision = decider.decide(loaded);
        decided = { writes: decision.writes, now: loaded.now };
        return decision;
      },
    });
    if (decided !== undefined) look(decided.writes, decided.now);
    return result;
  };
  return { commits: () => commits };
}

/** The hot row counts what the run table knows, names a few of them, and stays small. */
function checkCount(
  { state }: ExecutionWrite,
  { invoker }: ScheduleRow,
  going: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  const { open, newest, waiting, starts } = invoker;
  if (open !== going.size) problems.push(`counts ${open} unfinished runs, there are ${going.size}`);
  if (newest.length > 4) problems.push(`names ${newest.length} unfinished runs`);
  for (const { runId } of newest) if (!going.has(runId)) problems.push(`names ${runId}, which is over`);
  if (open > starts) problems.push(`${open} go on of ${starts} that were started`);
  if (waiting.length === 0 && state.length > 1500) problems.push(`its row has ${state.length} characters`);
  return problems;
}

/** Runs of one owner are numbered in the order of the commits that start them. */
function checkOrdinals(started: readonly RunRow[], before: Known | undefined): string[] {
  let next = before?.row.invoker.starts ?? 0;
  const problems: string[] = [];
  for (const run of [...started].sort((a, b) => (a.ordinal ?? -1) - (b.ordinal ?? -1))) {
    if (run.ordinal !== next) problems.push(`${run.id} has the ordinal ${run.ordinal}, not ${next}`);
    next += 1;
  }
  return problems;
}

function checkRow(write: ExecutionWrite, { row, open, definition }: Known): string[] {
  const { invoker, generator, root } = row;
  const { policy, paused } = definition;
  if (write.incident !== null) return [`quarantined: ${write.incident}`];
  const problems: string[] = [];
  if (root.remaining !== null && root.remaining < 0) problems.push(`${root.remaining} actions left`);
  if (!open) {
    if (invoker.waiting.length > 0) problems.push('closed with starts that wait');
    return problems;
  }
  const overlapOf = (start: WaitingStart) => start.overlap ?? policy.overlap;
  const limit = policy.keepOriginalId ? 1 : policy.limit;
  // A start behind a run of its own slot waits under every policy; all other starts wait only if the policy says so.
  const byPolicy = invoker.waiting.filter(({ behind }) => behind === undefined);
  if (byPolicy.length > 0 && invoker.open < limit) {
    problems.push(`${byPolicy.length} wait although only ${invoker.open} run`);
  }
  if (byPolicy.filter((start) => overlapOf(start) === 'bufferOne').length > 1) {
    problems.push('bufferOne holds more than one');
  }
  if (byPolicy.some((start) => ['skip', 'allowAll'].includes(overlapOf(start)))) {
    problems.push('a start waits whose policy never does');
  }
  if (paused !== null && invoker.waiting.some((start) => !start.manual)) {
    problems.push('paused, and starts of its own still wait');
  }
  for (const start of invoker.waiting) {
    const expires = (start.askedAt ?? start.actual) + Math.max(policy.catchupWindowMs, 1000) + 1;
    if (!start.manual && (write.wakeAt === null || write.wakeAt > expires)) {
      problems.push(`no timer lets ${start.nominal} go at the end of its window`);
    }
  }
  const canAct = (generator.next !== null || generator.pass !== null) && root.remaining !== 0;
  const isBusy = invoker.open > 0;
  const staysForEver = policy.idleCloseMs === 0 && !canAct;
  const sleepsRightly = (paused !== null && paused.until === undefined) || isBusy || staysForEver;
  if (write.wakeAt === null && !sleepsRightly) problems.push('asleep without a reason');
  if (write.wakeAt === null && row.backfills > 0 && !isBusy) problems.push('a backfill that nothing wakes');
  return problems;
}

function checkChange(before: Known | undefined, after: Known): string[] {
  if (before === undefined) return [];
  const problems: string[] = [];
  if (after.row.generator.cursor < before.row.generator.cursor) problems.push('the cursor fell');
  if (after.row.root.token < before.row.root.token) problems.push('the token fell');
  if (!before.open && after.open) problems.push('opened again');
  return problems;
}

function checkStarts(
  runs: readonly RunRow[],
  { before, after, now }: { before: Known | undefined; after: Known; now: number },
): string[] {
  const problems: string[] = [];
  if (runs.length > 0 && before?.open === false) problems.push('started a run after it was closed');
  for (const run of runs) {
    const options = JSON.parse(run.options) as { nominal: number; actual?: number; cause: string };
    if (options.cause !== 'auto') continue;
    const due = options.actual ?? options.nominal;
    if (due > now) problems.push(`started ${due - now} ms early`);
    const wasPaused = before !== undefined && before.definition.paused !== null;
    if (wasPaused && after.definition.paused !== null)
      problems.push(`started ${options.nominal} while paused`);
  }
  return problems;
}
