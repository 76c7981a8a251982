/** Every service of ours may be started and stopped in any order, any number of times. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { Engine } from '../../packages/carillon/src/engine/engine.ts';
import { NodeLease } from '../../packages/carillon/src/runs/node-lease.ts';
import { RunQueue } from '../../packages/carillon/src/runs/run-queue.ts';
import { RunSweeper } from '../../packages/carillon/src/runs/run-sweeper.ts';
import { Worker } from '../../packages/carillon/src/runs/worker.ts';
import { RetentionSweeper } from '../../packages/carillon/src/runtime/retention.ts';
import { errandLibrary, errandState } from '../engine/errand.ts';
import type { Ground } from './stress.ts';
import { stressService } from './stress.ts';

const anEngine = ({ store, clock, newId }: Ground) => new Engine({ store, clock, newId, libraries: [] });

/** Side effects that last for ever unless they are told to stop. */
const errands = errandLibrary({
  send: ({ signal }) =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

stressService(
  'Engine',
  ({ store, clock, newId }) => new Engine({ store, clock, newId, libraries: [errands.library] }),
  {
    work: async ({ store, clock, newId }, random) => {
      const other = new Engine({ store, clock, newId, libraries: [errands.library] });
      const id = { namespace: 'default', id: `errand-${random.integer(0, 1_000_000)}` };
      await other.create(errands.library, id, errandState(clock.now()), (errand) => {
        errands.begin(errand);
        errands.sendParcel(errand, 'x');
      });
    },
  },
);

const aLease = (engine: Engine, { clock, newId }: Ground) =>
  new NodeLease({ engine, steadyClock: clock, name: 'w', newId });

stressService('NodeLease', (ground) => {
  // Only on a store that others share is there anything to keep.
  Object.defineProperty(ground.store, 'capabilities', { value: { shared: true, filters: 'all' } });
  return aLease(anEngine(ground), ground);
});

stressService(
  'Worker',
  (ground) => {
    const engine = anEngine(ground);
    return new Worker({
      engine,
      clock: ground.clock,
      newId: ground.newId,
      node: aLease(engine, ground),
      queues: {
        main: {
          concurrency: 2,
          handlers: () => async (context) => {
            await new Promise<void>((resolve, reject) => {
              const cancel = ground.clock.wakeAt((ground.clock.now() + 700) as never, resolve);
              context.signal.addEventListener('abort', () => {
                cancel();
                reject(context.signal.reason);
              });
            });
          },
        },
      },
      tuning: { drainMs: 300 },
    });
  },
  {
    work: async (ground, random) => {
      const queue = new RunQueue({ engine: anEngine(ground), newId: ground.newId });
      for (let n = random.integer(0, 3); n > 0; n--)
        await queue.enqueue({ namespace: 'default', queue: 'main', name: 'work' });
    },
  },
);

stressService(
  'RunSweeper',
  (ground) => {
    const engine = anEngine(ground);
    return new RunSweeper({ engine, node: aLease(engine, ground) });
  },
  // Its loop misses such a start like the engine's; it listens, but no worker acts on it.
);

stressService(
  'RetentionSweeper',
  ({ store, clock }) => new RetentionSweeper({ store, clock, policy: {}, trouble: () => {} }),
);

stressService(
  'Carillon',
  ({ store, clock, newId }) => {
    const carillon = new Carillon({ store, clock, newId });
    carillon.handle('work', () => 'done');
    return carillon;
  },
  // A stop during start ends what has begun so far; the rest begins afterwards, on a closed store.
  { restarts: false },
);

test('a process whose Carillon was stopped ends by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-stress-'));
  const program = `
    import { openCarillon } from ${JSON.stringify(new URL('../../packages/carillon/src/main.ts', import.meta.url).href)};
    for (let round = 0; round < 3; round++) {
      const carillon = await openCarillon('sqlite:' + ${JSON.stringify(join(folder, 'c.db'))});
      carillon.handle('work', () => 'done');
      await carillon.schedules.upsert('s', { every: '1h', run: 'work' });
      await Promise.all([carillon.start(), carillon.start()]);
      await Promise.all([carillon.stop(), carillon.stop()]);
    }
    console.log('stopped', process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);`;
  try {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe('stopped 0\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
