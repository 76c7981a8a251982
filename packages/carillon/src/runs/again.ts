/** A run made again from a finished one: the same work with the same input, as a new run that knows which one it repeats. */
import type { RunRow } from '../store/records.ts';
import type { NewRun } from './run.ts';
import { optionsOf } from './run.ts';

/**
 * It has no owner: the schedule of the first run counts neither its start nor its end. Its alias leads from the first run to
 * those that repeat it.
 */
export function againOf(run: RunRow): Omit<NewRun, 'id' | 'now' | 'owner'> {
  const { requestId: _, deadline: __, workflowId: ___, ...options } = optionsOf(run);
  const { namespace, queue, name, priority } = run;
  return {
    namespace,
    queue,
    name,
    priority,
    alias: againAlias(run.id),
    input: JSON.parse(run.input) as unknown,
    options: { ...options, againOf: run.id },
  };
}

export function againAlias(id: string): string {
  return `@again/${id}`;
}
