import type { CarillonClient, RunJson } from 'carillon/client';

/** Starts the work of a run again, as a run of the same slot or as work of its own. Returns the id of the new run if known. */
export async function startAgain(api: CarillonClient, run: RunJson): Promise<string | undefined> {
  if (run.schedule !== null) {
    const slot = run.scheduledAt === null ? {} : { scheduledAt: run.scheduledAt };
    await api.schedules.trigger(run.schedule, { ...slot, overlap: 'allowAll', note: `again: run ${run.id}` });
    return undefined;
  }
  const { name, queue, priority, input } = run;
  return (await api.runs.enqueue({ run: name, queue, priority, input })).id;
}
