/**
 * What happens when a run is still going as the next slot comes. Each overlap policy meets the same trouble: a schedule
 * every hour whose runs take an hour and a half. Five hours pass in virtual time.
 */
import type { ScheduleInput } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

async function show(title: string, policy: Partial<ScheduleInput>): Promise<void> {
  await using world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon, { sleep }) => {
      carillon.handle('import', ({ signal }) => sleep('90m', signal));
    },
  });
  const { schedules } = world.carillon();
  await schedules.create('import', { every: '1h', run: 'import', catchup: '6h', ...policy });
  await world.advance('5h');

  console.log(title);
  const runs = new Map((await schedules.runs('import')).items.map((run) => [run.id, run]));
  for (const { nominal, verdict, runId } of (await schedules.slots('import')).items) {
    const run = runs.get(runId ?? '');
    const began = run === undefined ? '' : ` ${hour(run.createdAt)}`;
    const end =
      run === undefined || run.finishedAt === null ? '' : `, ${run.outcome} ${hour(run.finishedAt)}`;
    console.log(`  slot ${hour(nominal)}  ${verdict}${began}${end}`);
  }
}

function hour(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

await show('skip (the default): a slot that finds a run going is dropped', { overlap: 'skip' });
await show('bufferOne: one slot may wait', { overlap: 'bufferOne' });
await show('bufferAll: all wait, in order', { overlap: 'bufferAll' });
await show('cancelOther: the running one is asked to stop', { overlap: 'cancelOther' });
await show('terminateOther: the running one is stopped at once', { overlap: 'terminateOther' });
await show('allowAll: start regardless', { overlap: 'allowAll' });
await show('skip with limit 2: two may go on at once', { overlap: 'skip', limit: 2 });
