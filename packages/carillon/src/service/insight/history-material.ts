/** What the timeline of a schedule is computed from: its row, its stored definitions, and how far it has come. */
import type { Instant } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import { readStamp } from '../../engine/history.ts';
import { Definition } from '../../scheduler/definition.ts';
import type { DefinitionVersion } from '../../scheduler/explain.ts';
import { Schedule } from '../../scheduler/schedule.ts';
import type { ListedExecution } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

export interface HistoryOf {
  readonly row: ListedExecution;
  /** The stored definitions, oldest first. */
  readonly versions: readonly DefinitionVersion[];
  /** Every slot up to this time has its verdict. */
  readonly cursor: Instant;
  /** The next due time; null when there is none, or while it is paused. */
  readonly next: Instant | null;
  readonly remaining: number | null;
  readonly now: Instant;
}

export async function readHistoryOf(
  { store, engine }: { readonly store: Store; readonly engine: Engine },
  row: ListedExecution,
  now: Instant,
): Promise<HistoryOf> {
  const { incarnation } = row;
  const [parts, state] = await Promise.all([
    store.parts({ incarnation, name: Definition.name }),
    engine.view(Schedule, row, row.key, (view) => {
      const { cursor, next } = view.child('generator').state;
      return { cursor, next, remaining: view.state.remaining };
    }),
  ]);
  const versions = parts.map(({ stamp, at, data }) => ({
    stamp,
    at,
    definition: readStamp(Definition, data),
  }));
  return { row, versions, now, ...state };
}

/** The definition in force now: the last one that was written. */
export function currentOf({ versions }: Pick<HistoryOf, 'versions'>): DefinitionVersion {
  return versions.at(-1) as DefinitionVersion;
}

export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** The parts of a span with the definition that was in force in each; pauses and resumes do not divide it. */
export function versionSpans(
  { versions }: Pick<HistoryOf, 'versions'>,
  { from, to }: Span,
): readonly (Span & { readonly version: DefinitionVersion })[] {
  const spans: (Span & { readonly version: DefinitionVersion })[] = [];
  for (const [index, version] of versions.entries()) {
    const begin = index === 0 ? from : (Math.max(from, version.at) as Instant);
    const end = Math.min(to, versions[index + 1]?.at ?? to) as Instant;
    if (begin > end) continue;
    const last = spans.at(-1);
    const isSame = last !== undefined && isSameSpec(last.version, version);
    if (isSame) spans[spans.length - 1] = { ...last, to: end };
    else spans.push({ from: begin, to: end, version });
  }
  return spans;
}

function isSameSpec(a: DefinitionVersion, b: DefinitionVersion): boolean {
  const [one, other] = [a, b].map(({ definition: { spec, seed } }) => JSON.stringify([spec, seed]));
  return one === other;
}
