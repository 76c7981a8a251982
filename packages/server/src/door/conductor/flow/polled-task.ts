/** Tasks as workers and operators see them on their queue. */
import type { RunRow } from 'carillon/internal/service';
import type { Flow } from '../../../flow/flow.ts';
import { isOpenTask } from '../../../flow/flow.ts';
import { taskJson } from './flow-json.ts';

/** The tasks of these runs; `owners` are their workflows by incarnation. Tasks that were cancelled meanwhile are left out. */
export function polledTasks(owners: ReadonlyMap<string, Flow>, runs: readonly RunRow[]): readonly object[] {
  return runs.flatMap((run) => {
    const flow = owners.get(run.owner ?? '');
    const task = flow?.tasks.find(({ id }) => id === run.alias);
    return flow === undefined || task === undefined || !isOpenTask(task) ? [] : [taskJson(flow, task, run)];
  });
}
