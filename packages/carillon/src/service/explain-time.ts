/**
 * Why a schedule did, or did not, run at a time. This file gathers what the store has about that time: versions of the definition,
 * ledger, runs, and the times without a node. The decision itself is pure (`scheduler/explain.ts`).
 */
import type { Clock } from '../base/clock.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { readStamp } from '../engine/history.ts';
import { auto } from '../ledger/ledger.ts';
import type { Roster } from '../runtime/roster.ts';
import type { Silences } from '../runtime/silences.ts';
import { compiledOf } from '../scheduler/compiled-of.ts';
import { Definition } from '../scheduler/definition.ts';
import type { DefinitionVersion, Explanation } from '../scheduler/explain.ts';
import { explain, versionAt } from '../scheduler/explain.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { ListedExecution, RunRow, SlotRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { largestPage } from './limits.ts';
import { SlicedWork } from './spec-search.ts';

export interface ExplainOptions {
  readonly store: Store;
  readonly engine: Engine;
  /** The stored row of the schedule. */
  readonly row: ListedExecution;
  readonly clock: Clock;
  /** The spans of time in which no node was alive; undefined when unknown. */
  readonly silences: Pick<Silences, 'list'> | undefined;
  /** The living workers and the names that they know; undefined when unknown. */
  readonly roster: (() => Promise<Roster>) | undefined;
}

/**
 * One explanation for each slot of that time: the schedule's own one, then those of triggers and backfills. An own slot that has no row
 * yet comes last, because the others were decided.
 */
export async function explainTime(options: ExplainOptions, asked: Instant): Promise<readonly Explanation[]> {
  const { store, engine, row, clock, silences, roster } = options;
  const { incarnation } = row;
  const parts = await store.parts({ incarnation, name: Definition.name });
  const versions = parts.map((part) => ({
    stamp: part.stamp,
    at: part.at,
    definition: readStamp(Definition, part.data),
  }));
  const work = new SlicedWork();
  const at = await slotBehind(versions, asked, work);
  const slots = await store.slots({ incarnation, from: at, to: at, limit: largestPage });
  const ids = slots.items.flatMap((slot) => namedRuns(slot));
  const runs = ids.length === 0 ? [] : (await store.runs({ ids, limit: ids.length })).items;
  const { cursor, closed, remaining } = await engine.view(Schedule, row, row.key, (view) => ({
    cursor: view.child('generator').state.cursor,
    closed: view.state.closed,
    remaining: view.state.remaining,
  }));
  const material = {
    at,
    now: clock.now(),
    createdAt: row.createdAt,
    closedAt: row.closedAt,
    closed,
    remaining,
    incident: row.incident,
    versions,
    slots: slots.items,
    cursor,
    runs: new Map(runs.map((run) => [run.id, run])),
    silences: (await silences?.list()) ?? [],
    ...given({ knows: await knownNames(runs, roster) }),
  };
  const explanations = await work.answer((budget) => explain(material, budget));
  return [...explanations].sort((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ cause, decidedAt }: Explanation): number {
  if (cause !== auto) return 1;
  return decidedAt === null ? 2 : 0;
}

/** Undefined when no run waits, so that nothing has to be read. */
async function knownNames(
  runs: readonly RunRow[],
  roster: ExplainOptions['roster'],
): Promise<Roster['knows'] | undefined> {
  if (!runs.some(({ state }) => state === 'waiting')) return undefined;
  return (await roster?.())?.knows;
}

/** A caller may ask about the time after jitter at which a run started; then its slot is meant. */
async function slotBehind(
  versions: readonly DefinitionVersion[],
  at: Instant,
  work: SlicedWork,
): Promise<Instant> {
  const definition = versionAt(versions, at)?.definition;
  if (definition?.spec.jitterMs === undefined) return at;
  const compiled = compiledOf(definition);
  let before = addTime(at, 1);
  const found = await work.finish((budget) => {
    const result = compiled.searchBefore(before, { seed: definition.seed, budget });
    if (result.kind === 'unfinished') before = result.reached;
    return result;
  });
  return found.kind === 'found' && found.actual === at ? found.nominal : at;
}

function namedRuns(slot: SlotRow): readonly string[] {
  const blocker =
    slot.detail === null ? undefined : (JSON.parse(slot.detail) as { blockedBy?: string }).blockedBy;
  return [slot.runId, blocker].filter((id) => id !== null && id !== undefined);
}
