/** Encodes events as text of a server-sent event stream. */
import type { CarillonEvent } from 'carillon/internal/service';
import { timeJson } from 'carillon/internal/service';

/** A node wrote this schedule. */
export interface ChangedEvent {
  readonly type: 'changed';
  readonly namespace: string;
  readonly schedule: string;
  /**
   * Whether earlier events already contained the change, so that a reader that applied them need not read the schedule again.
   * False for changes by another node.
   */
  readonly told: boolean;
}

/** Events were missed: the reader must fetch its data again. It concerns every namespace. */
export interface ResetEvent {
  readonly type: 'reset';
  readonly namespace: null;
  readonly schedule: null;
}

export const resetEvent: ResetEvent = { type: 'reset', namespace: null, schedule: null };

export type StreamedEvent = CarillonEvent | ChangedEvent | ResetEvent;

export function eventText(id: string, event: StreamedEvent): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(dataOf(event))}\n\n`;
}

function dataOf(event: StreamedEvent): Readonly<Record<string, unknown>> {
  if (event.type === 'reset') return {};
  const { namespace: _, ...data } = event;
  if (!('nominal' in data)) return data;
  const from = 'from' in data ? { from: timeJson(data.from) } : {};
  return { ...data, nominal: timeJson(data.nominal), ...from };
}
