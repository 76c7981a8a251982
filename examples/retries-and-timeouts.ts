/** A run that fails is tried again after a growing pause; one that hangs is stopped; one that cannot succeed gives up. */
import { NonRetryable } from 'carillon';
import { CarillonWorld } from 'carillon/testing';

await using world = await CarillonWorld.start({
  expectFailures: true,
  start: '2026-01-01T00:00:00Z',
  setup: (carillon, { clock }) => {
    const log = (text: string) =>
      console.log(`  ${new Date(clock.now()).toISOString().slice(11, 23)} ${text}`);
    carillon.handle('flaky', ({ attempt, previousFailure }) => {
      log(`attempt ${attempt}${previousFailure === null ? '' : `, before: ${previousFailure.message}`}`);
      if (attempt < 4) throw new Error(`no answer number ${attempt}`);
      return 'at last';
    });
    carillon.handle('hangs', async ({ attempt, signal }) => {
      log(`attempt ${attempt} hangs`);
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    carillon.handle('hopeless', ({ attempt }) => {
      log(`attempt ${attempt}`);
      throw new NonRetryable('no such account');
    });
  },
});
const { schedules } = world.carillon();
const noon = '2026-01-01T12:00:00Z';

// Four attempts, with pauses of 1 s, 2 s and 4 s between them.
await schedules.create('flaky', {
  at: noon,
  run: 'flaky',
  retry: { attempts: 4, initial: '1s', coefficient: 2 },
});
// Each attempt may take 5 s, the whole run 12 s, pauses included.
await schedules.create('hangs', {
  at: '2026-01-01T13:00:00Z',
  run: 'hangs',
  attemptTimeout: '5s',
  timeout: '12s',
  retry: { attempts: 10, initial: '1s' },
});
await schedules.create('hopeless', { at: '2026-01-01T14:00:00Z', run: 'hopeless', retry: { attempts: 10 } });

for (const id of ['flaky', 'hangs', 'hopeless']) {
  console.log(`${id}:`);
  await world.advance(id === 'flaky' ? '12h30m' : '1h');
  const [run] = (await schedules.runs(id)).items;
  console.log(`  ${run?.outcome} after ${run?.attempt} attempt(s): ${run?.failure?.message ?? run?.result}`);
}
