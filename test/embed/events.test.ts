/** The events that listeners get: one closed union, from schedules and from runs enqueued by hand. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import type { CarillonEvent } from '../../packages/carillon/src/main.ts';
import { eventTypes, openCarillon } from '../../packages/carillon/src/main.ts';
import type { RunOutcome } from '../../packages/carillon/src/store/records.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import { until } from '../support/until.ts';

async function aWorld(troubles: unknown[] = []) {
  return await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    expectFailures: true,
    onTrouble: (error) => troubles.push(error),
    setup: (carillon, { sleep }) => {
      carillon.handle('work', () => 'done');
      carillon.handle('slow', async () => await sleep('1m'), { queue: 'slow', concurrency: 1 });
      carillon.handle('fail', () => {
        throw new Error('on purpose');
      });
    },
  });
}

function heardBy(world: CarillonWorld): CarillonEvent[] {
  const heard: CarillonEvent[] = [];
  world.carillon().subscribe((event) => heard.push(event));
  return heard;
}

describe('types', () => {
  test('a type that does not exist does not compile', () => {
    const isFinished = (event: CarillonEvent) =>
      // @ts-expect-error: the word is misspelt
      event.type === 'finishd';
    expect(
      isFinished({ type: 'specSearchLong', reached: instant(0), namespace: 'default', schedule: 's' }),
    ).toBe(false);
  });

  test('the type of an event determines its fields', () => {
    expectTypeOf<Extract<CarillonEvent, { type: 'finished' }>['outcome']>().toEqualTypeOf<RunOutcome>();
    expectTypeOf<Extract<CarillonEvent, { type: 'slot' }>['schedule']>().toEqualTypeOf<string>();
    expectTypeOf<Extract<CarillonEvent, { type: 'enqueued' }>['schedule']>().toEqualTypeOf<null>();
  });

  test('the list of types is the union', () => {
    expectTypeOf(eventTypes).items.toEqualTypeOf<CarillonEvent['type']>();
    expect([...eventTypes].sort()).toEqual([
      'backfillCompleted',
      'closed',
      'edited',
      'enqueued',
      'finished',
      'pausedOnFailure',
      'slot',
      'specSearchLong',
      'started',
    ]);
  });
});

describe('runs enqueued by hand', () => {
  test('have events from the queue to their end, with their id and no schedule', async () => {
    await using world = await aWorld();
    const heard = heardBy(world);
    const { id } = await world.carillon().runs.enqueue({ run: 'work', priority: 'high' });
    await world.advance('1s');
    const about = { namespace: 'default', schedule: null, runId: id, workflowId: null, name: 'work' };
    expect(heard).toEqual([
      { type: 'enqueued', ...about, queue: 'default', priority: 100 },
      { type: 'started', ...about, queue: 'default', priority: 100 },
      {
        type: 'finished',
        ...about,
        queue: 'default',
        outcome: 'completed',
        attempt: 1,
        durationMs: expect.any(Number),
      },
    ]);
  });

  test('are started when a worker takes them, not when they are queued', async () => {
    await using world = await aWorld();
    const heard = heardBy(world);
    const { runs } = world.carillon();
    const first = await runs.enqueue({ run: 'slow', queue: 'slow' });
    const second = await runs.enqueue({ run: 'slow', queue: 'slow' });
    await world.advance('3m');
    const told = heard.map((event) => ('runId' in event ? `${event.type} ${event.runId}` : event.type));
    expect(told).toEqual([
      `enqueued ${first.id}`,
      `started ${first.id}`,
      `enqueued ${second.id}`,
      `finished ${first.id}`,
      `started ${second.id}`,
      `finished ${second.id}`,
    ]);
  });

  test('are started once and finished once, however many attempts they take', async () => {
    await using world = await aWorld();
    const heard = heardBy(world);
    await world.carillon().runs.enqueue({ run: 'fail', retry: { attempts: 3, initial: '1s' } });
    await world.advance('1m');
    expect(heard.map(({ type }) => type)).toEqual(['enqueued', 'started', 'finished']);
    expect(heard.at(-1)).toMatchObject({ outcome: 'failed', attempt: 3, error: 'on purpose' });
  });

  test('that end before a worker took them have no duration', async () => {
    await using world = await aWorld();
    const heard = heardBy(world);
    const { runs } = world.carillon();
    await runs.enqueue({ run: 'slow', queue: 'slow' });
    const { id } = await runs.enqueue({ run: 'slow', queue: 'slow' });
    await runs.cancel(id);
    await world.settle();
    expect(heard.find(({ type }) => type === 'finished')).toMatchObject({
      runId: id,
      outcome: 'cancelled',
      durationMs: null,
    });
  });
});

describe('listeners', () => {
  test('one that throws does not affect the others, and is reported as trouble', async () => {
    const troubles: unknown[] = [];
    await using world = await aWorld(troubles);
    const carillon = world.carillon();
    carillon.subscribe(() => {
      throw new Error('broken listener');
    });
    carillon.observe({
      began: () => {
        throw new Error('broken observer');
      },
      trouble: () => {
        throw new Error('broken listener of trouble');
      },
    });
    const heard = heardBy(world);
    await carillon.schedules.create('s', { every: '1m', run: 'work' });
    await world.advance('2m');
    expect(heard.filter(({ type }) => type === 'finished')).toHaveLength(2);
    expect(troubles).toContainEqual(new Error('broken listener'));
    expect(troubles).toContainEqual(new Error('broken observer'));
    expect(await carillon.schedules.describe('s')).toMatchObject({ counters: { actions: 2 } });
  });

  test('an asynchronous one that throws is reported in the same place, and ends no process', async () => {
    const troubles: unknown[] = [];
    await using carillon = await openCarillon({
      store: 'memory:',
      onTrouble: async (error) => {
        troubles.push(error);
        throw new Error('broken channel of trouble');
      },
      onFailed: async () => {
        throw new Error('broken onFailed');
      },
      onWarning: async () => {
        throw new Error('broken onWarning');
      },
    });
    carillon.subscribe(async () => {
      throw new Error('broken listener');
    });
    carillon.subscribe(
      async () => {
        throw new Error('broken listener of the cluster');
      },
      { scope: 'cluster' },
    );
    carillon.hosts.subscribe(async () => {
      throw new Error('broken listener of hosts');
    });
    carillon.observe({
      began: async () => {
        throw new Error('broken observer');
      },
      trouble: async () => {
        throw new Error('broken observer of trouble');
      },
    });
    carillon.handle('fail', () => {
      throw new Error('on purpose');
    });
    const steps = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('take', {
      subscribe: ['t'],
      prepare: async () => ({ reservations: [], data: null }),
    });
    const host = createHost({ carillon, workflows: [steps] });
    await carillon.start();
    const { id } = await carillon.runs.enqueue({ run: 'fail' });
    expect(await carillon.runs.wait(id)).toMatchObject({ outcome: 'failed' });
    await host.send(steps, 't', { payload: 1 });
    const told = await until(
      () => new Set(troubles.map((error) => (error as Error).message)),
      (messages) => messages.size === 6,
    );
    expect([...told].sort()).toEqual([
      'broken listener',
      'broken listener of hosts',
      'broken listener of the cluster',
      'broken observer',
      'broken onFailed',
      'broken onWarning',
    ]);
  });
});
