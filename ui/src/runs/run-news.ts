/** Applies live events to a list of runs: the rows that have ended, and the runs that it does not show yet. Pure. */
import type { RunJson } from 'carillon/client';
import type { StreamedEvent } from '../live/sse.ts';
import type { RunsView } from './run-filters.ts';

/** The rows with the ends that the events report. Returns the same array when no row has changed. */
export function patchedRuns(
  runs: readonly RunJson[],
  events: readonly StreamedEvent[],
  now: number,
): readonly RunJson[] {
  const ends = new Map<unknown, StreamedEvent['data']>();
  for (const { type, data } of events) if (type === 'finished') ends.set(data.runId, data);
  if (ends.size === 0 || !runs.some(({ id, state }) => state !== 'done' && ends.has(id))) return runs;
  return runs.map((run) => {
    const end = run.state === 'done' ? undefined : ends.get(run.id);
    return end === undefined ? run : ended(run, end, now);
  });
}

function ended(
  run: RunJson,
  { outcome, attempt, durationMs, error }: StreamedEvent['data'],
  now: number,
): RunJson {
  const tookMs = typeof durationMs === 'number' ? durationMs : null;
  const startedAt = run.startedAt ?? (tookMs === null ? null : timeText(now - tookMs));
  const finishedAt =
    startedAt === null || tookMs === null ? timeText(now) : timeText(Date.parse(startedAt) + tookMs);
  return {
    ...run,
    state: 'done',
    outcome: outcome as RunJson['outcome'],
    attempt: typeof attempt === 'number' ? attempt : run.attempt,
    startedAt,
    finishedAt,
    worker: '',
    ...(typeof error === 'string' ? { failure: { message: error } as RunJson['failure'] } : {}),
  };
}

const timeText = (at: number) => new Date(at).toISOString();

/** The new runs of the view: those that began, or ended with an outcome that the view filters by. */
export function newRuns(
  events: readonly StreamedEvent[],
  view: RunsView,
  shown: ReadonlySet<string>,
): readonly string[] {
  const outcomes = view.chip?.filters.outcome as readonly unknown[] | undefined;
  const found = new Set<string>();
  for (const { type, data } of events) {
    const isNews =
      outcomes === undefined
        ? type === 'started' || type === 'enqueued'
        : type === 'finished' && outcomes.includes(data.outcome);
    if (!isNews || typeof data.runId !== 'string' || shown.has(data.runId)) continue;
    if (isOf(data.schedule, view.schedule) && isOf(data.name, view.handler) && isOf(data.queue, view.queue))
      found.add(data.runId);
  }
  return [...found];
}

/** Whether a field of an event is the wanted one. An event without the field matches. */
function isOf(told: unknown, wanted: string | undefined): boolean {
  return wanted === undefined || told === undefined || told === wanted;
}
