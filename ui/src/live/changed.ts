/** What a batch of events means for the data on the screen. */
import type { StreamedEvent } from './sse.ts';

export interface Changed {
  /** Events were missed: everything shown must be read again. */
  readonly all: boolean;
  readonly schedules: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
}

export function changedBy(events: readonly StreamedEvent[]): Changed {
  const schedules = new Set<string>();
  const runs = new Set<string>();
  let all = false;
  for (const { type, data } of events) {
    if (type === 'reset') all = true;
    if (typeof data.schedule === 'string') schedules.add(data.schedule);
    if (typeof data.runId === 'string') runs.add(data.runId);
  }
  return { all, schedules, runs };
}
