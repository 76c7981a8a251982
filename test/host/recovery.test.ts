/** Recovery, shutdown and what is shown: the behaviours 74 to 92 of the table in docs/host-behaviours.md. */
import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../packages/carillon/src/base/time.ts';
import type { ChangeSteps } from '../../packages/carillon/src/embed/host.ts';
import { defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { HostStage } from './host-stage.ts';
import { gate, sink } from './parts.ts';

type Phase = 'prepare' | 'mutate' | 'run' | 'next';

/** A consumer that hangs in one phase, the first time it reaches it, until its process dies. */
function standing(
  at: Phase,
  calls: string[],
  options: { readonly steps?: Partial<ChangeSteps<unknown>>; readonly takes?: number } = {},
) {
  const hold = gate();
  let isFirst = true;
  const stop = async (phase: Phase) => {
    calls.push(phase);
    if (phase !== at || !isFirst) return;
    isFirst = false;
    await hold.wait();
  };
  const workflow = defineWorkflow({ name: 'w', topics: { t: topic<{ id: string }>() } }).consumer('do', {
    subscribe: ['t'],
    prepare: async (ctx) => {
      const all = await ctx.peek('t', { limit: options.takes ?? 100 });
      await stop('prepare');
      return { reservations: [{ topic: 't', ids: all.map(({ id }) => id) }], data: all.map(({ id }) => id) };
    },
    mutate: async (ctx) => {
      await stop('mutate');
      return await ctx.change('make', {
        run: async () => {
          await stop('run');
          return 'made';
        },
        ...options.steps,
      });
    },
    next: async () => await stop('next'),
  });
  return { workflow, hold };
}

const settings = { phaseLimit: '7d' };

describe('recovery', () => {
  for (const [title, at, expected] of [
    [
      'B74: dies in prepare: nothing was reserved, and a new run prepares',
      'prepare',
      ['prepare', 'prepare', 'mutate', 'run', 'next'],
    ],
    [
      'B75: dies after prepared, before the change: the events are released, and a new run prepares afresh',
      'mutate',
      ['prepare', 'mutate', 'prepare', 'mutate', 'run', 'next'],
    ],
    [
      'B76: dies in next: a continuation runs next, and the change is not repeated',
      'next',
      ['prepare', 'mutate', 'run', 'next', 'next'],
    ],
  ] as const) {
    test(title, async () => {
      const calls: string[] = [];
      const { workflow } = standing(at, calls);
      await using stage = await HostStage.open({ workflows: [workflow], settings });
      await stage.publish('w', 't', 'a');
      await stage.restart();
      await stage.advance('1m');
      expect(calls).toEqual(expected);
      expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
      const { items } = await stage.hosts.runs('w');
      expect(items.map(({ failureClass }) => failureClass)).toEqual([null, 'crashed']);
      expect(items[0]?.retryOf).toBe(items[1]?.id);
    });
  }

  test('B77: there is no session to close: the commit that ends a run is its end, also when the process dies right after it', async () => {
    const calls: string[] = [];
    const { workflow } = standing('prepare', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings, nodes: 2 });
    await stage.publish('w', 't', 'a');
    await stage.advance('10m');
    const { items } = await stage.hosts.runs('w');
    expect(items.every(({ state }) => state === 'done' || state === 'leased')).toBe(true);
  });

  test('B78: a start with nothing changed causes no look at all', async () => {
    const calls: string[] = [];
    const quiet = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('do', {
      subscribe: ['t'],
      prepare: () => {
        calls.push('prepare');
        return { reservations: [], data: null };
      },
    });
    await using stage = await HostStage.open({ workflows: [quiet] });
    await stage.publish('w', 't', 'a');
    await stage.restart();
    await stage.advance('1m');
    expect(calls).toHaveLength(1);
  });

  test('B79: no reserved event belongs to a run that is neither active nor to be continued, at any time', async () => {
    const calls: string[] = [];
    const { workflow } = standing('run', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings });
    await stage.publish('w', 't', 'a', 'b');
    await stage.restart();
    await stage.advance('1m');
    const { work } = await stage.hosts.describe('w');
    const { items } = await stage.hosts.events('w', 't', { state: ['reserved'] });
    expect(items.map(({ runId }) => runId)).toEqual([work?.chain, work?.chain]);
    expect(await stage.topic('w', 't')).toMatchObject({ reserved: 2, pending: 0 });
  });

  test('B80: a node that stops takes nothing new, waits for its run, then leaves it to recovery', async () => {
    const calls: string[] = [];
    const { workflow, hold } = standing('next', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings, nodes: 2 });
    await stage.publish('w', 't', 'a');
    const index = (await stage.world.carillon(0).activeRuns) > 0 ? 0 : 1;
    const stopping = stage.world.carillon(index).stop({ drainMs: 1000 });
    await stage
      .publish('w', 't', 'b')
      .catch(() => stage.world.carillon(1 - index).hosts.publish('w', 't', { id: 'b', payload: {} }));
    await stage.world.advance('2s');
    await stopping;
    stage.world.crash(index);
    await stage.world.advance('2m');
    const other = stage.world.carillon(1 - index).hosts;
    const { items } = await other.events('w', 't');
    expect(items.every(({ state }) => state === 'consumed')).toBe(true);
    expect(calls.filter((call) => call === 'run')).toHaveLength(2);
    hold.open();
  });

  test('B81: a run whose lease is lost cannot commit, and consumes nothing', async () => {
    const calls: string[] = [];
    const { workflow, hold } = standing('next', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings, nodes: 2 });
    await stage.publish('w', 't', 'a');
    const owner = stage.world.carillon(0).activeRuns > 0 ? 0 : 1;
    stage.world.cutOff(owner);
    await stage.world.advance('2m');
    // The other node has continued the work. Now the first one comes back and finishes its next.
    stage.world.cutOff(owner, false);
    hold.open();
    await stage.world.advance('1m');
    const hosts = stage.world.carillon(1 - owner).hosts;
    const { items } = await hosts.events('w', 't');
    expect(items.map(({ state, attempt }) => [state, attempt])).toEqual([['consumed', 1]]);
    const runs = (await hosts.runs('w')).items;
    expect(runs.filter(({ outcome }) => outcome === 'completed')).toHaveLength(1);
    expect(calls.filter((call) => call === 'run')).toHaveLength(1);
  });

  test('B92: a clock that steps back fires nothing twice; a step forward is one catch-up', async () => {
    const ran: number[] = [];
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('poll', {
        schedule: { interval: '5m' },
        publishes: ['t'],
        handler: (ctx) => void ran.push(ctx.scheduledAt),
      })
      .consumer('take', sink('t'));
    await using stage = await HostStage.open({ workflows: [flow] });
    await stage.advance('10m');
    expect(ran).toHaveLength(2);
    stage.world.skew(0, -30 * minute);
    await stage.advance('4m');
    stage.world.skew(0, 0);
    await stage.advance('6m');
    stage.world.skew(0, 2 * hour);
    await stage.advance('5m');
    expect(new Set(ran).size).toBe(ran.length);
    expect(ran).toHaveLength(5);
  });
});

describe('what is shown', () => {
  test('B82: a sleeping consumer shows until when, and which topics wake it', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { a: topic(), b: topic() } }).consumer('both', {
      subscribe: ['a', 'b'],
      prepare: () => ({ reservations: [], data: null }),
    });
    await using stage = await HostStage.open({ workflows: [flow] });
    await stage.publish('w', 'a', '1');
    expect(await stage.consumer('w', 'both')).toMatchObject({
      state: 'sleeping',
      sleepingUntil: stage.world.now + 5 * minute,
      wakesOn: ['a', 'b'],
    });
    const why = await stage.hosts.explain('w', { consumer: 'both' });
    expect(why.answer).toBe('sleeping');
    expect(why.text).toMatch(
      /found nothing to do .* sleeps until .*; an event in 'a', 'b', or a person, wakes it sooner/,
    );
    expect((await stage.hosts.explain('w', { topic: 'a', event: '1' })).text).toContain(
      "'both' has not chosen it",
    );
  });

  test('B83, B84: producers show next and last time, outcome and skips; topics their pending count and oldest age', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('poll', {
        schedule: { interval: '5m' },
        publishes: ['t'],
        handler: (ctx) => ctx.publish('t', { payload: 1 }),
      })
      .consumer('never', { subscribe: ['t'], prepare: () => ({ reservations: [], data: null }) });
    await using stage = await HostStage.open({ workflows: [flow] });
    const start = stage.world.now;
    await stage.advance('12m');
    expect(await stage.producer('w', 'poll')).toMatchObject({
      next: start + 15 * minute,
      skipped: 0,
      last: { outcome: 'committed', startedAt: start + 10 * minute },
    });
    expect(await stage.topic('w', 't')).toMatchObject({
      pending: 2,
      oldestAt: start + 5 * minute,
      stale: false,
    });
    expect((await stage.hosts.list()).items).toMatchObject([
      { id: 'w', pending: 2, next: start + 15 * minute, attention: null },
    ]);
  });

  test('B85: a run shows the events it reserved, the change it made, and why it is blocked', async () => {
    const calls: string[] = [];
    const { workflow } = standing('run', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings });
    await stage.publish('w', 't', 'a');
    const { work } = await stage.hosts.describe('w');
    expect(work).toMatchObject({ handler: 'do', change: { name: 'make', outcome: 'uncertain' } });
    const reserved = await stage.hosts.events('w', 't', { state: ['reserved'] });
    expect(reserved.items.map(({ id, runId }) => [id, runId])).toEqual([['a', work?.runId]]);
    await stage.restart();
    await stage.advance('1m');
    expect((await stage.hosts.describe('w')).attention).toContain('make');
    await stage.hosts.resolve('w', { action: 'happened', result: 1 });
    await stage.advance(1);
    const [run] = (await stage.hosts.runs('w')).items;
    expect(run?.summary).toMatchObject({ reserved: { t: ['a'] }, change: 'applied' });
  });

  test('B86: events that are pending for more than seven days are flagged', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('never', {
      subscribe: ['t'],
      prepare: () => ({ reservations: [], data: null }),
    });
    await using stage = await HostStage.open({ workflows: [flow], settings: { sleepTimeout: '2d' } });
    await stage.publish('w', 't', 'a');
    await stage.advance(7 * day);
    expect((await stage.topic('w', 't')).stale).toBe(false);
    await stage.advance('1m');
    expect((await stage.topic('w', 't')).stale).toBe(true);
  });

  test('retention removes events that were worked on or skipped, and never a pending, reserved or blocked one', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { t: topic<{ id: string }>() } }).consumer('do', {
      subscribe: ['t'],
      prepare: async (ctx) => {
        const [first] = (await ctx.peek('t')).filter(({ id }) => id !== 'left');
        const ids = first === undefined ? [] : [first.id];
        return { reservations: [{ topic: 't', ids }], data: { id: first?.id ?? '' } };
      },
      mutate: async (ctx, { id }) => {
        if (id !== 'lost') return undefined;
        return await ctx.change('make', {
          run: () => {
            throw new Error('no answer');
          },
        });
      },
    });
    await using stage = await HostStage.open({
      workflows: [flow],
      retention: { events: day, finishedRuns: day },
    });
    await stage.publish('w', 't', 'done', 'left', 'lost');
    expect(await stage.events('w', 't')).toEqual({
      consumed: ['done'],
      pending: ['left'],
      reserved: ['lost'],
    });
    await stage.advance(5 * day);
    expect(await stage.events('w', 't')).toEqual({ pending: ['left'], reserved: ['lost'] });
    await stage.hosts.resolve('w', { action: 'happened', result: 1 });
    await stage.advance(1);
    expect(await stage.events('w', 't')).toEqual({ pending: ['left'], consumed: ['lost'] });
  });

  test('B88: a person skips a pending event: it is final, is not offered again, and is not the oldest', async () => {
    const offered: string[][] = [];
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('look', {
      subscribe: ['t'],
      prepare: async (ctx) => {
        offered.push((await ctx.peek('t')).map(({ id }) => id));
        return { reservations: [], data: null };
      },
    });
    await using stage = await HostStage.open({ workflows: [flow] });
    await stage.publish('w', 't', 'a');
    await stage.advance('1m');
    await stage.publish('w', 't', 'b');
    expect(await stage.hosts.skip('w', 't', 'a', { note: 'broken', actor: 'ann' })).toEqual({
      outcome: 'skipped',
    });
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 1, oldestAt: stage.world.now });
    await stage.advance('5m');
    expect(offered.at(-1)).toEqual(['b']);
    expect((await stage.hosts.events('w', 't')).items[0]).toMatchObject({
      state: 'skipped',
      skippedBy: 'ann',
      note: 'broken',
    });
    expect((await stage.hosts.explain('w', { topic: 't', event: 'a' })).text).toMatch(
      /^it was skipped by ann at .*: broken$/,
    );
    await expect(stage.hosts.skip('w', 't', 'a')).rejects.toMatchObject({ reason: 'EVENT_FINAL' });
    await expect(stage.hosts.skip('w', 't', 'none')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  test('B89: a skip of an event reserved before the change ends the run, and the others of the batch are worked on', async () => {
    const calls: string[] = [];
    const { workflow, hold } = standing('mutate', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings });
    await stage.publish('w', 't', 'a', 'b');
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a', 'b'] });
    expect(await stage.hosts.skip('w', 't', 'a')).toEqual({ outcome: 'skipped' });
    hold.open();
    await stage.advance('1m');
    expect(await stage.events('w', 't')).toEqual({ skipped: ['a'], consumed: ['b'] });
    expect(calls.filter((call) => call === 'run')).toHaveLength(1);
    expect((await stage.hosts.runs('w')).items.map(({ outcome }) => outcome)).toEqual([
      'completed',
      'terminated',
    ]);
  });

  test('B90: after the change a skip comes too late: the run completes and the event is consumed', async () => {
    const calls: string[] = [];
    const { workflow, hold } = standing('next', calls);
    await using stage = await HostStage.open({ workflows: [workflow], settings });
    await stage.publish('w', 't', 'a');
    expect(await stage.hosts.skip('w', 't', 'a')).toEqual({ outcome: 'tooLate' });
    hold.open();
    await stage.advance(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B91: a deployment with changed code leaves events alone, and a run uses one version throughout', async () => {
    const calls: string[] = [];
    const hold = gate();
    const version = (name: string, waits: boolean) =>
      defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('do', {
        subscribe: ['t'],
        prepare: async (ctx) => {
          calls.push(`${name} prepare`);
          const all = await ctx.peek('t', { limit: 1 });
          return { reservations: [{ topic: 't', ids: all.map(({ id }) => id) }], data: 1 };
        },
        next: async () => {
          if (waits) await hold.wait();
          calls.push(`${name} next`);
        },
      });
    await using stage = await HostStage.open({
      workflows: (node) => [version(`v${node + 1}`, node === 0)],
      nodes: 2,
    });
    stage.world.crash(1);
    await stage.world.advance('1m');
    await stage.publish('w', 't', 'a', 'b');
    await stage.restart(1);
    hold.open();
    await stage.advance('1m');
    expect(calls.slice(0, 2)).toEqual(['v1 prepare', 'v1 next']);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a', 'b'] });
    expect((await stage.hosts.describe('w')).version).toBe(1);
  });

  test('a node runs only workflows it knows; the others wait for one that does, and the state says so', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('take', sink('t'));
    await using stage = await HostStage.open({ workflows: (node) => (node === 1 ? [flow] : []), nodes: 2 });
    stage.world.crash(1);
    await stage.world.advance('1m');
    await stage.publish('w', 't', 'a');
    await stage.advance('10m');
    const told = await stage.hosts.describe('w');
    expect(told.work).toMatchObject({ waitsForNode: true, handler: 'take' });
    const listed = async () => (await stage.hosts.list()).items.map((each) => each.waitsForNodeSince);
    expect(await listed()).toEqual([told.work?.since]);
    expect(told.waitsForNodeSince).toEqual(told.work?.since);
    expect(await stage.hosts.explain('w', { consumer: 'take' })).toMatchObject({
      answer: 'waitsForNode',
      text: expect.stringContaining('no node that knows the workflow has taken it yet'),
    });
    await stage.restart(1);
    await stage.advance('1m');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    expect(await listed()).toEqual([null]);
  });
});
