/** An event as callers see it. */
import type { Instant } from '../../base/time.ts';
import { dataOf } from '../../host/event-lines.ts';
import type { EventRow, EventState } from '../../store/records.ts';

export interface HostEventView {
  readonly topic: string;
  readonly id: string;
  readonly sequence: number;
  readonly state: EventState;
  /** The run that reserved it or worked on it. */
  readonly runId: string | null;
  /** The run that published it; null: from outside. */
  readonly publishedBy: string | null;
  readonly attempt: number;
  readonly publishedAt: Instant;
  readonly changedAt: Instant;
  readonly payload: unknown;
  readonly skippedBy: string | null;
  readonly note: string | null;
}

export function viewEvent(event: EventRow): HostEventView {
  const { topic, id, sequence, state, holder, attempt, at, changedAt } = event;
  const { payload, by, skippedBy, note } = dataOf(event);
  return {
    topic,
    id,
    sequence,
    state,
    runId: holder,
    publishedBy: by ?? null,
    attempt,
    publishedAt: at,
    changedAt,
    payload,
    skippedBy: skippedBy ?? null,
    note: note ?? null,
  };
}
