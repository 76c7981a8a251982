/** What a second pause replaces of the first one. Pure. */
import { formatInstant } from '../../base/time.ts';
import type { Pause, ScheduleDefinition } from '../../scheduler/definition.ts';

type Paused = Pick<ScheduleDefinition, 'paused'> | undefined;

/** Sentences about the note, the person and the end that a pause loses and gets; none when all stay. */
export function pauseWords(before: Paused, after: Paused): readonly string[] {
  const old = before?.paused ?? null;
  const fresh = after?.paused ?? null;
  if (old === null || fresh === null) return [];
  return [...noteWords(old, fresh), ...personWords(old, fresh), ...endWords(old, fresh)];
}

function noteWords({ note: old }: Pause, { note }: Pause): readonly string[] {
  if (old === note) return [];
  if (old === '') return [`The pause gets the note “${note}”.`];
  return [note === '' ? `The note “${old}” is removed.` : `The note “${old}” becomes “${note}”.`];
}

function personWords({ by: old }: Pause, { by }: Pause): readonly string[] {
  return old === by ? [] : [`The pause is then by ${by || 'no name'}, before by ${old || 'no name'}.`];
}

function endWords({ until: old }: Pause, { until }: Pause): readonly string[] {
  if (old === until) return [];
  const before = old === undefined ? '' : formatInstant(old);
  if (until === undefined) return [`It no longer resumes by itself at ${before}.`];
  return [`It resumes by itself at ${formatInstant(until)}${before && `, not at ${before}`}.`];
}
