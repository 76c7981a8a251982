/**
 * Periodic tasks declared in code, in the manner of Celery Beat: every process says the same at its start, any number of
 * them may run, and each occurrence is one job. A person's pause outlives a deploy. Two days in virtual time.
 */
import { createPeriodic, type Periodic } from 'carillon/periodic';
import { CarillonWorld } from 'carillon/testing';

const processes: Periodic[] = [];
const ran: string[] = [];

await using world = await CarillonWorld.start({
  start: '2026-03-28T00:00:00Z',
  nodes: 3,
  setup: (carillon, { name }) => {
    const periodic = createPeriodic({ carillon, owner: 'billing', instance: name });
    periodic.task({
      id: 'nightly_report',
      cron: '30 2 * * *',
      timezone: 'Europe/Berlin',
      payload: { pages: 12 },
      priority: 'high',
      description: 'Yesterday in numbers',
      run: ({ payload, scheduledAt }) => {
        ran.push(`${payload.pages} pages at ${new Date(scheduledAt).toISOString()}`);
      },
    });
    periodic.task({ id: 'cleanup', every: '15m', run: () => void ran.push('cleanup') });
    processes.push(periodic);
  },
});
for (const periodic of processes) await periodic.start();
const [first] = processes as [Periodic];

await world.advance('1d');
console.log(`a day, three processes: ${ran.filter((each) => each === 'cleanup').length} cleanups`);

await first.pause('cleanup', 'the disk is being replaced', { actor: 'ann' });
await first.sync(); // what a deploy does
await world.advance('1d');
const { enabled, counts } = await first.state('cleanup');
console.log(`after a deploy and another day: enabled ${enabled}, ${counts.runs} runs`);

// 02:30 does not exist in Berlin on 29 March: it runs at the first instant that does.
for (const { decision, nominal } of [...(await first.history('nightly_report'))].reverse()) {
  console.log(`nightly_report ${new Date(nominal).toISOString()} ${decision}`);
}
console.log(ran.filter((each) => each !== 'cleanup').join('\n'));
