/** Producers and time: the behaviours 1 to 19 of the table in docs/host-behaviours.md. */
import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { nextAfter } from '../../packages/carillon/src/host/due-times.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/index.ts';
import { HostStage } from './host-stage.ts';
import { gate, sink } from './parts.ts';

const minute = 60_000;

/** A workflow with one producer that notes when it ran, and a consumer that takes all. */
function polling(
  ran: number[],
  options: {
    readonly schedule?: { interval: string } | { cron: string; timezone?: string };
    readonly onBusy?: 'skip' | 'queueOne';
    readonly handler?: (
      publish: (id: string, n?: number) => void,
      state: { n: number } | undefined,
    ) => unknown;
  } = {},
) {
  const { schedule = { interval: '5m' }, onBusy = 'skip', handler } = options;
  return defineWorkflow({ name: 'w', topics: { t: topic<{ n: number }>() } })
    .producer('poll', {
      schedule,
      onBusy,
      publishes: ['t'],
      handler: async (ctx, state: { n: number } | undefined) => {
        ran.push(ctx.now());
        const result = await handler?.((id, n = 0) => ctx.publish('t', { id, payload: { n } }), state);
        return result as { n: number } | undefined;
      },
    })
    .consumer('take', sink('t'));
}

const verdicts = async (stage: HostStage, producer = 'poll') =>
  (await stage.hosts.slots('w', producer, { limit: 50 })).items
    .map(({ verdict, count }) => `${verdict}×${count}`)
    .reverse();

describe('producers', () => {
  test('B1: interval 5 m, workflow idle at the due time: exactly one run starts', async () => {
    const ran: number[] = [];
    await using stage = await HostStage.open({ workflows: [polling(ran)] });
    const start = stage.world.now;
    await stage.advance('5m');
    expect(ran).toEqual([start + 5 * minute]);
    await stage.advance('5m');
    expect(ran).toEqual([start + 5 * minute, start + 10 * minute]);
    expect(await verdicts(stage)).toEqual(['started×1', 'started×1']);
  });

  test('B2: a cron schedule runs once per occurrence and not in between', async () => {
    const ran: number[] = [];
    const cron = { cron: '*/15 9 * * *', timezone: 'Europe/Berlin' };
    await using stage = await HostStage.open({ workflows: [polling(ran, { schedule: cron })] });
    await stage.advance('1d');
    expect(ran.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
      '08:00',
      '08:15',
      '08:30',
      '08:45',
    ]);
  });

  test('B3: a due time while a run is active is skipped, recorded as busy, and the next is normal', async () => {
    const ran: number[] = [];
    const hold = gate();
    let calls = 0;
    await using stage = await HostStage.open({
      workflows: [polling(ran, { handler: () => (++calls === 1 ? hold.wait() : undefined) })],
      settings: { phaseLimit: '1h' },
    });
    await stage.advance('11m');
    expect(ran).toHaveLength(1);
    const [busy] = (await stage.hosts.slots('w', 'poll')).items;
    expect(busy).toMatchObject({ verdict: 'workflowBusy', count: 1 });
    expect(
      (await stage.hosts.explain('w', { producer: 'poll', at: stage.world.now - minute })).text,
    ).toContain('busy');
    expect(await stage.producer('w', 'poll')).toMatchObject({ skipped: 1, skippedInARow: 1 });
    hold.open();
    await stage.advance('5m');
    expect(ran).toHaveLength(2);
    expect(await verdicts(stage)).toEqual(['started×1', 'workflowBusy×1', 'started×1']);
    expect(await stage.producer('w', 'poll')).toMatchObject({ skipped: 1, skippedInARow: 0 });
  });

  test('B4: several nodes reach one due time: one run; a trigger path with nothing due starts none', async () => {
    const ran: number[] = [];
    await using stage = await HostStage.open({ workflows: [polling(ran)], nodes: 3 });
    await stage.advance('5m');
    expect(ran).toHaveLength(1);
    await stage.publish('w', 't', 'x');
    expect(ran).toHaveLength(1);
  });

  test('B5: a cron text that cannot be parsed, and every other problem, is refused at registration, all at once', async () => {
    const clock = new VirtualClock(instant(0));
    const carillon = new Carillon({ store: new MemoryStore({ clock }), clock, newId: () => 'x' });
    const bad = defineWorkflow({ name: 'bad name!', topics: { a: topic(), b: topic(), lonely: topic() } })
      .producer('p', { schedule: { cron: 'every day' }, publishes: ['a'], handler: () => undefined })
      .producer('q', { schedule: { interval: 'soon' }, publishes: [], handler: () => undefined })
      .producer('z', {
        schedule: { cron: '0 9 * * *', timezone: 'Mars/Base' },
        publishes: ['a'],
        handler: () => undefined,
      })
      .consumer('c', {
        subscribe: ['a'],
        publishes: ['b'],
        prepare: () => ({ reservations: [], data: undefined }),
      })
      .consumer('d', {
        subscribe: ['a', 'nope' as 'a'],
        prepare: () => ({ reservations: [], data: undefined }),
      });
    let problems: readonly { path: string; reason: string }[] = [];
    try {
      createHost({ carillon, workflows: [bad], settings: { peek: 5000 } });
    } catch (error) {
      ({ problems } = error as { problems: typeof problems });
    }
    const found = problems.map(({ path, reason }) => `${path.replace('bad name!.', '')} ${reason}`).sort();
    expect(found).toEqual(
      [
        'consumers.c.next NO_NEXT',
        'consumers.d.subscribe TWO_CONSUMERS',
        'consumers.d.subscribe UNKNOWN_TOPIC',
        'name BAD_NAME',
        'producers.p.schedule.cron BAD_CRON',
        'producers.q.publishes NO_TOPIC',
        'producers.q.schedule.interval BAD_INTERVAL',
        'producers.z.schedule.timezone BAD_TIMEZONE',
        'settings.peek BAD_SETTING',
        'topics.b NO_CONSUMER',
        'topics.lonely NO_CONSUMER',
      ].sort(),
    );
  });

  test('B6: the next time depends only on the instant, the schedule and the zone', () => {
    const text = JSON.stringify({ cron: '30 2 * * *', timezone: 'Europe/Berlin' });
    const after = instant(Date.UTC(2026, 2, 28, 12));
    for (const anchor of [0, 1234, 9_999_999]) {
      // On 29 March 2026 half past two does not exist in Berlin.
      expect(nextAfter({ text, anchor: instant(anchor) }, after)).toBe(Date.UTC(2026, 2, 29, 1, 30));
    }
  });

  test('B7: two producers, 5 m and 1 h: neither moves the other, and both run when both are due', async () => {
    const ran: string[] = [];
    const two = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('often', {
        schedule: { interval: '5m' },
        publishes: ['t'],
        handler: () => void ran.push('often'),
      })
      .producer('seldom', {
        schedule: { interval: '1h' },
        publishes: ['t'],
        handler: () => void ran.push('seldom'),
      })
      .consumer('take', sink('t'));
    await using stage = await HostStage.open({ workflows: [two] });
    await stage.advance('3h');
    expect(ran.filter((name) => name === 'often')).toHaveLength(36);
    expect(ran.filter((name) => name === 'seldom')).toHaveLength(3);
    expect(await stage.producer('w', 'seldom')).toMatchObject({ skipped: 0 });
  });

  test('B8: with runOnDeploy a producer is due at its deployment, otherwise at its first grid point', async () => {
    for (const [runOnDeploy, first] of [
      [true, 0],
      [false, 5 * minute],
    ] as const) {
      const ran: number[] = [];
      await using stage = await HostStage.open({ workflows: [polling(ran)], settings: { runOnDeploy } });
      const start = stage.world.now;
      await stage.advance('6m');
      expect(ran[0]).toBe(start + first);
    }
  });

  test('a due time shows the attempts of its work: one that failed, and then the one that succeeded', async () => {
    let isDown = true;
    const handler = () => {
      if (isDown) throw new Error('server is down');
      return { n: 1 };
    };
    await using stage = await HostStage.open({
      workflows: [polling([], { schedule: { interval: '1h' }, handler })],
    });
    const newest = async () => (await stage.hosts.slots('w', 'poll', { limit: 1 })).items[0];
    await stage.advance('1h');
    expect(await newest()).toMatchObject({ verdict: 'started', run: { outcome: 'failed', untaken: false } });
    isDown = false;
    await stage.advance('1m');
    const told = await newest();
    expect(told).toMatchObject({ run: { state: 'done', outcome: 'completed' } });
    expect(told?.run?.id).not.toBe(told?.runId);
  });

  test('B9: a failed run changes neither state nor next time, and is repeated with pauses, not in a loop', async () => {
    const ran: number[] = [];
    const seen: unknown[] = [];
    await using stage = await HostStage.open({
      workflows: [
        polling(ran, {
          schedule: { interval: '1h' },
          handler: (_, state) => {
            seen.push(state);
            if (ran.length === 1 || ran.length === 8) return { n: 1 };
            throw new Error('server is down');
          },
        }),
      ],
    });
    const start = stage.world.now;
    await stage.advance('1h');
    await stage.advance('1h');
    const hour = 60 * minute;
    await stage.advance('5m');
    expect(ran.map((at) => at - start - 2 * hour).slice(1)).toEqual([0, 10_000, 30_000, 70_000, 150_000]);
    await stage.advance('10m');
    // The fifth retry is the last; then the workflow waits for a person.
    expect(ran).toHaveLength(7);
    expect(seen.slice(1).every((state) => (state as { n: number }).n === 1)).toBe(true);
    expect(await stage.hosts.describe('w')).toMatchObject({
      status: 'blocked',
      block: { message: 'server is down' },
    });
    await stage.hosts.resume('w');
    await stage.advance('1h');
    expect(ran).toHaveLength(8);
    expect((ran[7] as number) - start).toBe(3 * hour);
  });

  test('B10: a host that was down across three occurrences runs once, and its next time is in the future', async () => {
    const ran: number[] = [];
    await using stage = await HostStage.open({ workflows: [polling(ran)] });
    stage.world.crash(0);
    await stage.world.advance('17m');
    await stage.restart();
    await stage.advance(1000);
    expect(ran).toHaveLength(1);
    expect(await verdicts(stage)).toEqual(['coalesced×2', 'startedLate×1']);
    const { next } = await stage.producer('w', 'poll');
    expect(next).toBeGreaterThan(stage.world.now);
  });

  test('B11: redeployed unchanged a schedule keeps its next time; changed it begins anew; removed it is gone', async () => {
    const ran: number[] = [];
    let workflow = polling(ran, { schedule: { interval: '1h' } });
    await using stage = await HostStage.open({ workflows: () => [workflow] });
    await stage.advance('20m');
    const before = (await stage.producer('w', 'poll')).next;
    await stage.restart();
    expect((await stage.producer('w', 'poll')).next).toBe(before);
    workflow = polling(ran, { schedule: { interval: '30m' } });
    await stage.restart();
    expect((await stage.producer('w', 'poll')).next).toBe(stage.world.now + 30 * minute);
    expect(await stage.hosts.describe('w')).toMatchObject({ version: 2 });
    workflow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('take', sink('t')) as never;
    await stage.restart();
    expect((await stage.hosts.describe('w')).producers).toEqual([]);
    await stage.advance('2h');
    expect(ran).toEqual([]);
  });

  test('B12, B13: events and state of a producer become visible with its commit, or not at all', async () => {
    const ran: number[] = [];
    const states: unknown[] = [];
    let fails = true;
    await using stage = await HostStage.open({
      workflows: [
        polling(ran, {
          handler: (publish, state) => {
            states.push(state);
            publish('a');
            publish('b');
            if (fails) throw new Error('after two of three');
            publish('c');
            return { n: 7 };
          },
        }),
      ],
    });
    await stage.advance('5m');
    expect(await stage.events('w', 't')).toEqual({});
    fails = false;
    await stage.advance('10s');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a', 'b', 'c'] });
    await stage.advance('5m');
    expect(states).toEqual([undefined, undefined, { n: 7 }]);
  });

  test('B14: the same message id published twice, also at the same time, is one event', async () => {
    await using stage = await HostStage.open({ workflows: [polling([])], nodes: 2 });
    await stage.hosts.pause('w');
    const sent = Array.from({ length: 6 }, (_, i) =>
      stage.world.carillon(i % 2).hosts.publish('w', 't', { id: 'same', payload: { n: i } }),
    );
    const counts = await Promise.all(sent);
    expect(counts.reduce((sum, { published }) => sum + published, 0)).toBe(1);
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 1 });
  });

  test('B15: republishing a consumed id changes nothing and wakes no consumer', async () => {
    const looks: number[] = [];
    const picky = defineWorkflow({ name: 'w', topics: { t: topic<{ n: number }>() } }).consumer('take', {
      subscribe: ['t'],
      prepare: async (ctx) => {
        looks.push(ctx.now());
        const all = await ctx.peek('t');
        return { reservations: [{ topic: 't', ids: all.map(({ id }) => id) }], data: null };
      },
    });
    await using stage = await HostStage.open({ workflows: [picky] });
    await stage.hosts.publish('w', 't', { id: 'a', payload: { n: 1 } });
    await stage.advance(1000);
    expect(looks).toHaveLength(1);
    const again = await stage.hosts.publish('w', 't', { id: 'a', payload: { n: 2 } });
    await stage.advance('1h');
    expect(again.published).toBe(0);
    expect(looks).toHaveLength(1);
    const { items } = await stage.hosts.events('w', 't');
    expect(items).toMatchObject([{ state: 'consumed', payload: { n: 1 } }]);
  });

  test('B16: republishing a pending id replaces the payload and keeps position and state', async () => {
    await using stage = await HostStage.open({ workflows: [polling([])] });
    await stage.hosts.pause('w');
    for (const [id, n] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const)
      await stage.hosts.publish('w', 't', { id, payload: { n } });
    const { items } = await stage.hosts.events('w', 't');
    expect(items.map(({ id, payload, state }) => [id, payload, state])).toEqual([
      ['a', { n: 3 }, 'pending'],
      ['b', { n: 2 }, 'pending'],
    ]);
  });

  test('B17: publishing to a topic the handler does not declare is a logic failure, and nothing is published', async () => {
    const other = defineWorkflow({ name: 'w', topics: { t: topic(), u: topic() } })
      .producer('poll', {
        schedule: { interval: '5m' },
        publishes: ['t'],
        handler: (ctx) => {
          ctx.publish('t', { id: 'a', payload: 1 });
          try {
            ctx.publish('u' as 't', { id: 'b', payload: 1 });
          } catch {
            // A handler that catches the refusal has broken the rule all the same.
          }
        },
      })
      .consumer('take', sink('t'))
      .consumer('takeU', sink('u'));
    await using stage = await HostStage.open({ workflows: [other] });
    await stage.advance('5m');
    const { status, block } = await stage.hosts.describe('w');
    expect(status).toBe('blocked');
    expect(block?.message).toContain("published to 'u'");
    expect(await stage.events('w', 't')).toEqual({});
  });

  test('B18: the first run sees no state, and still none after a run that returned nothing', async () => {
    const seen: unknown[] = [];
    await using stage = await HostStage.open({
      workflows: [polling([], { handler: (_, state) => void seen.push(state) })],
    });
    await stage.advance('10m');
    expect(seen).toEqual([undefined, undefined]);
  });

  test('B19: a state over the size limit fails the run, and the old state is kept', async () => {
    const seen: unknown[] = [];
    let large = false;
    const states = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('poll', {
        schedule: { interval: '5m' },
        publishes: ['t'],
        handler: (_, state: { text: string } | undefined) => {
          seen.push(state?.text.length);
          return { text: 'x'.repeat(large ? 2000 : 10) };
        },
      })
      .consumer('take', sink('t'));
    await using stage = await HostStage.open({ workflows: [states], settings: { stateSize: 1000 } });
    await stage.advance('5m');
    large = true;
    await stage.advance('5m');
    expect((await stage.hosts.describe('w')).block?.message).toContain('the state has 2011 characters');
    large = false;
    await stage.hosts.resume('w');
    await stage.advance('5m');
    expect(seen).toEqual([undefined, 10, 10]);
  });

  test("onBusy 'queueOne': one due time waits for the run to end, further ones are one with it", async () => {
    const ran: number[] = [];
    const hold = gate();
    let calls = 0;
    await using stage = await HostStage.open({
      workflows: [
        polling(ran, { onBusy: 'queueOne', handler: () => (++calls === 1 ? hold.wait() : undefined) }),
      ],
      settings: { phaseLimit: '1h' },
    });
    await stage.advance('17m');
    expect(await stage.producer('w', 'poll')).toMatchObject({ state: 'running', skipped: 0 });
    hold.open();
    await stage.advance(1000);
    expect(ran).toHaveLength(2);
    expect(await verdicts(stage)).toEqual(['started×1', 'startedLate×1', 'coalesced×1']);
  });

  test('a producer that is skipped again and again is reported as starving', async () => {
    const hold = gate();
    const facts: string[] = [];
    await using stage = await HostStage.open({
      workflows: [polling([], { schedule: { interval: '1m' }, handler: () => hold.wait() })],
      settings: { phaseLimit: '1h', starvingAfter: 3 },
    });
    stage.internals().runtime.facts((_, fact) => facts.push(fact.type));
    await stage.advance('5m');
    expect(await stage.producer('w', 'poll')).toMatchObject({ starving: true, skippedInARow: 4 });
    expect(facts.filter((type) => type === 'producerStarving')).toHaveLength(1);
    hold.open();
  });
});
