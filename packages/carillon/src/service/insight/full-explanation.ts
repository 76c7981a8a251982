/** An explanation with everything a person may ask next: how it came about, what else could have been, what was seen. */

import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { auto } from '../../ledger/ledger.ts';
import { auditTarget } from '../../scheduler/audit.ts';
import { clockEffect } from '../../scheduler/clock-effect.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import { zoneOfSpec } from '../../spec/index.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { shownAudit } from '../audit-view.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import type { ExplanationJson } from '../wire.ts';
import { explanationJson, timeJson } from '../wire.ts';
import type { Alternative } from './alternatives.ts';
import { alternativesOf } from './alternatives.ts';
import { chainOf } from './chain.ts';
import type { ChainLink } from './chain-link.ts';
import { freeingRun } from './chain-runs.ts';
import { durationsOf } from './durations.ts';
import type { HistoryOf } from './history-material.ts';
import { authorOf, writtenVersions } from './stretches.ts';
import { likelySkip } from './timeline.ts';

/** What the decision saw. */
export interface DecisionInputs {
  /** When it was decided; null when nothing was. */
  readonly decidedAt: string | null;
  /** The version of the definition that was in force. */
  readonly stamp: number | null;
  /** Its number among the stored versions, from 1, and how many there are. */
  readonly version: number;
  readonly versions: number;
  readonly zone: string;
  readonly timeZoneVersion: string;
  readonly overlap: string;
  readonly limit: number;
  readonly catchupWindowMs: number;
  readonly missed: string;
  /** The unfinished runs of the schedule at that moment. */
  readonly running: number;
}

export interface FullExplanation extends ExplanationJson {
  /** The cause first, the verdict last. */
  readonly chain: readonly ChainLink[];
  readonly alternatives: readonly Alternative[];
  /** Null when no version of that time is stored. */
  readonly saw: DecisionInputs | null;
}

export interface FullExplanationMaterial {
  readonly store: Store;
  readonly history: HistoryOf;
  readonly silences: readonly Silence[];
}

/** The most runs that are read to find out which were running, and how long runs usually take. */
const mostRuns = 200;
const mostAudit = 200;
/** The most earlier slots that are examined. */
const mostWaiting = 100;

export async function readFullExplanations(
  explanations: readonly Explanation[],
  { store, history, silences }: FullExplanationMaterial,
): Promise<readonly FullExplanation[]> {
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
  const usual = durationsOf(recent.items);
  const versions = writtenVersions(history, audit.items);
  const work = new SlicedWork();
  const full: FullExplanation[] = [];
  for (const explanation of explanations) {
    const definition = history.versions.find(({ stamp }) => stamp === explanation.stamp)?.definition;
    const byId = new Map(runs.map((run) => [run.id, run]));
    const running =
      explanation.decidedAt === null ? 0 : runningAt(runs, explanation.decidedAt, explanation.run);
    const blocker = byId.get(explanation.detail?.blockedBy ?? '') ?? freeingRun({ explanation, runs: byId });
    const waiting = definition === undefined ? [] : await heldUp(definition, explanation, blocker, work);
    const material = { explanation, silences, usual, waiting };
    full.push({
      ...explanationJson(explanation),
      chain: chainOf({
        ...material,
        definition,
        runs: byId,
        audit: audit.items.map(shownAudit),
        versions,
        tooLong:
          explanation.answer === 'notYet'
            ? await likelySkip(history, explanation.at, recent.items)
            : undefined,
        resumed: resumedAfter(explanation, history, audit.items),
        clock:
          definition === undefined || !isSlot(explanation)
            ? undefined
            : await work.answer((budget) => clockEffect(definition, explanation.at, budget)),
      }),
      alternatives:
        definition === undefined
          ? []
          : await work.answer((budget) =>
              alternativesOf({ ...material, definition, running, blocker, now: history.now }, budget),
            ),
      saw: definition === undefined ? null : inputsOf(definition, explanation, { history, running }),
    });
  }
  return full;
}

function inputsOf(
  { spec, timeZoneVersion, policy }: ScheduleDefinition,
  { decidedAt, stamp }: Explanation,
  { history, running }: { readonly history: HistoryOf; readonly running: number },
): DecisionInputs {
  return {
    decidedAt: timeJson(decidedAt),
    stamp,
    version: versionNumber(history, stamp),
    versions: history.versions.length,
    zone: zoneOfSpec(spec),
    timeZoneVersion,
    overlap: policy.overlap,
    limit: policy.limit,
    catchupWindowMs: policy.catchupWindowMs,
    missed: policy.missed,
    running,
  };
}

/** Answers about times that the spec leaves out for another reason than the clock. */
const elsewhere: ReadonlySet<string> = new Set(['excluded', 'outOfBounds', 'notInSpec', 'forgotten']);

function isSlot({ cause, answer }: Explanation): boolean {
  return cause === auto && !elsewhere.has(answer);
}

function versionNumber({ versions }: HistoryOf, stamp: number | null): number {
  return versions.findIndex((version) => version.stamp === stamp) + 1;
}

/** The earlier slots that the same run blocked: none of them ended the wait for it. */
async function heldUp(
  definition: ScheduleDefinition,
  { at, answer, cause }: Explanation,
  blocker: RunRow | undefined,
  work: SlicedWork,
): Promise<readonly Instant[]> {
  if (blocker === undefined || answer !== 'skippedOverlap' || cause !== auto) return [];
  const window = { from: blocker.createdAt, to: addTime(at, -1) };
  const { seed } = definition;
  const { times } = await timesBetween(compiledOf(definition), { window, limit: mostWaiting, seed }, work);
  return times.map(({ nominal }) => nominal).filter((nominal) => nominal > blocker.createdAt);
}

/** Who ended the pause that the slot fell into, and when. */
function resumedAfter({ at, answer }: Explanation, { versions }: HistoryOf, audit: readonly AuditRow[]) {
  if (answer !== 'paused') return undefined;
  const end = versions.find((version) => version.at >= at && version.definition.paused === null);
  if (end === undefined) return undefined;
  const { actor: by = '', note = '' } = authorOf(audit, end.at) ?? {};
  return { at: end.at, by, note };
}

/** The runs that had been started and had not ended; the slot's own run does not count. */
function runningAt(runs: readonly RunRow[], at: Instant, own: RunRow | null): number {
  return runs.filter(
    ({ id, createdAt, finishedAt }) =>
      id !== own?.id && createdAt <= at && (finishedAt === null || finishedAt > at),
  ).length;
}
