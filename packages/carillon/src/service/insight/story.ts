/** An explanation with everything a person may ask next: how it came about, what else could have been, what was seen. */
import type { Instant } from '../../base/time.ts';
import { auditTarget } from '../../scheduler/audit.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { shownAudit } from '../audit-view.ts';
import { SlicedWork } from '../spec-search.ts';
import type { ExplanationJson } from '../wire.ts';
import { explanationJson, timeJson } from '../wire.ts';
import type { Alternative } from './alternatives.ts';
import { alternativesOf } from './alternatives.ts';
import type { ChainLink } from './chain.ts';
import { chainOf } from './chain.ts';
import { durationsOf } from './durations.ts';
import type { HistoryOf } from './history-material.ts';

/** What the decision saw. */
export interface Saw {
  /** When it was decided; null when nothing was. */
  readonly decidedAt: string | null;
  /** The version of the definition that was in force. */
  readonly stamp: number | null;
  readonly zone: string;
  readonly timeZoneVersion: string;
  readonly overlap: string;
  readonly limit: number;
  readonly catchupWindowMs: number;
  readonly missed: string;
  /** The unfinished runs of the schedule at that moment. */
  readonly running: number;
}

export interface Story extends ExplanationJson {
  /** The cause first, the verdict last. */
  readonly chain: readonly ChainLink[];
  readonly alternatives: readonly Alternative[];
  /** Null when no version of that time is stored. */
  readonly saw: Saw | null;
}

export interface StoryMaterial {
  readonly store: Store;
  readonly history: HistoryOf;
  readonly silences: readonly Silence[];
}

/** Runs that are looked at to know what was running, and what is usual. */
const mostRuns = 200;
const mostAudit = 200;

export async function readStories(
  explanations: readonly Explanation[],
  { store, history, silences }: StoryMaterial,
): Promise<readonly Story[]> {
  const { incarnation, key } = history.row;
  const [recent, audit] = await Promise.all([
    store.runs({ owner: incarnation, payloads: false, limit: mostRuns }),
    store.audit({ namespace: key.namespace, target: auditTarget(key.id), limit: mostAudit }),
  ]);
  const blockers = explanations.flatMap(({ detail }) => detail?.blockedBy ?? []);
  const missing = blockers.filter((id) => !recent.items.some((run) => run.id === id));
  const others =
    missing.length === 0
      ? []
      : (await store.runs({ ids: missing, payloads: false, limit: missing.length })).items;
  const runs = [...recent.items, ...others];
  const work = new SlicedWork();
  const stories: Story[] = [];
  for (const explanation of explanations) {
    const definition = history.versions.find(({ stamp }) => stamp === explanation.stamp)?.definition;
    const byId = new Map(runs.map((run) => [run.id, run]));
    const running =
      explanation.decidedAt === null ? 0 : runningAt(runs, explanation.decidedAt, explanation.run);
    const blocker = byId.get(explanation.detail?.blockedBy ?? '');
    const material = { explanation, silences };
    stories.push({
      ...explanationJson(explanation),
      chain: chainOf({
        ...material,
        definition,
        runs: byId,
        usual: durationsOf(recent.items),
        audit: audit.items.map(shownAudit),
      }),
      alternatives:
        definition === undefined
          ? []
          : await work.answer((budget) =>
              alternativesOf({ ...material, definition, running, blocker }, budget),
            ),
      saw:
        definition === undefined
          ? null
          : {
              decidedAt: timeJson(explanation.decidedAt),
              stamp: explanation.stamp,
              zone: definition.spec.zone ?? 'UTC',
              timeZoneVersion: definition.timeZoneVersion,
              overlap: definition.policy.overlap,
              limit: definition.policy.limit,
              catchupWindowMs: definition.policy.catchupWindowMs,
              missed: definition.policy.missed,
              running,
            },
    });
  }
  return stories;
}

/** The runs that had been started and had not ended; the slot's own run does not count. */
function runningAt(runs: readonly RunRow[], at: Instant, own: RunRow | null): number {
  return runs.filter(
    ({ id, createdAt, finishedAt }) =>
      id !== own?.id && createdAt <= at && (finishedAt === null || finishedAt > at),
  ).length;
}
