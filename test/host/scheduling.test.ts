/** Failure, retry, pause, sleep, order and manual runs: the behaviours 47 to 73 of the table in docs/host-behaviours.md. */
import { describe, expect, test } from 'vitest';
import { defineWorkflow, NonRetryable, topic } from '../../packages/carillon/src/embed/host.ts';
import { HostStage } from './host-stage.ts';
import { gate, sink } from './parts.ts';

const second = 1000;
const minute = 60 * second;

interface Options {
  readonly looks?: number[];
  /** Which of the pending ids to take; default all. */
  readonly choose?: (ids: readonly string[]) => readonly string[] | Promise<readonly string[]>;
  readonly wakeAt?: () => unknown;
  readonly next?: (publish: (id: string) => void) => unknown;
}

/** A consumer of `t` that notes when it looked. */
function taking({ looks = [], choose = (ids) => ids, wakeAt, next }: Options = {}) {
  return defineWorkflow({ name: 'w', topics: { t: topic<{ id: string }>(), other: topic<{ id: string }>() } })
    .consumer('take', {
      subscribe: ['t'],
      publishes: ['t'],
      prepare: async (ctx) => {
        looks.push(ctx.now());
        const pending = await ctx.peek('t');
        const ids = await choose(pending.map(({ id }) => id));
        const hint = wakeAt?.();
        return {
          reservations: [{ topic: 't', ids }],
          data: null,
          ...(hint === undefined ? {} : { wakeAt: hint as number }),
        };
      },
      next: async (ctx) => (await next?.((id) => ctx.publish('t', { id, payload: { id } }))) as undefined,
    })
    .consumer('second', { subscribe: ['other'], prepare: () => ({ reservations: [], data: null }) });
}

describe('failures', () => {
  test('B47: a transient failure before the change releases the events, counts the attempt, and is retried after a pause', async () => {
    const looks: number[] = [];
    let fails = 1;
    await using stage = await HostStage.open({
      workflows: [
        taking({
          looks,
          next: () => {
            if (fails-- > 0) throw new Error('away');
          },
        }),
      ],
    });
    const start = stage.world.now;
    await stage.publish('w', 't', 'a');
    expect((await stage.hosts.events('w', 't')).items[0]).toMatchObject({ state: 'pending', attempt: 2 });
    expect(await stage.hosts.describe('w')).toMatchObject({
      status: 'retrying',
      work: { attempt: 2, runId: null },
    });
    await stage.advance('10s');
    expect(looks).toEqual([start, start + 10 * second]);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B48: during the pause nothing else of the workflow runs, and triggers are remembered', async () => {
    const ran: string[] = [];
    let fails = 1;
    const two = defineWorkflow({ name: 'w', topics: { a: topic(), b: topic() } })
      .consumer('first', {
        subscribe: ['a'],
        prepare: async (ctx) => {
          ran.push('first');
          if (fails-- > 0) throw new Error('away');
          return {
            reservations: [{ topic: 'a', ids: (await ctx.peek('a')).map(({ id }) => id) }],
            data: null,
          };
        },
      })
      .consumer('second', {
        subscribe: ['b'],
        prepare: async (ctx) => {
          ran.push('second');
          return {
            reservations: [{ topic: 'b', ids: (await ctx.peek('b')).map(({ id }) => id) }],
            data: null,
          };
        },
      });
    await using stage = await HostStage.open({ workflows: [two] });
    await stage.publish('w', 'a', 'x');
    await stage.publish('w', 'b', 'y');
    expect(ran).toEqual(['first']);
    await stage.advance('10s');
    expect(ran).toEqual(['first', 'first', 'second']);
  });

  test('B49, B50: the count of retries survives restarts; when it is used up the workflow is blocked and a continuation is kept for resume', async () => {
    const made: string[] = [];
    let fails = true;
    const calls: string[] = [];
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('do', {
      subscribe: ['t'],
      prepare: async (ctx) => ({
        reservations: [{ topic: 't', ids: (await ctx.peek('t')).map(({ id }) => id) }],
        data: 1,
      }),
      mutate: (ctx) => ctx.change('make', { run: (key) => made.push(key) }),
      next: () => {
        calls.push('next');
        if (fails) throw new Error('down');
      },
    });
    await using stage = await HostStage.open({ workflows: [flow], settings: { retries: 3 } });
    await stage.publish('w', 't', 'a');
    for (const pause of ['10s', '20s']) {
      await stage.restart();
      await stage.advance(pause);
    }
    expect(calls).toHaveLength(3);
    await stage.restart();
    await stage.advance('40s');
    expect(calls).toHaveLength(4);
    const { status, work, block } = await stage.hosts.describe('w');
    expect([status, block?.kind, work?.task]).toEqual(['blocked', 'failed', 'continue']);
    await stage.advance('1d');
    expect(calls).toHaveLength(4);
    fails = false;
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect(made).toHaveLength(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B51: a run that fails for good stops the workflow until a person acts', async () => {
    const looks: number[] = [];
    let broken = true;
    await using stage = await HostStage.open({
      workflows: [
        taking({
          looks,
          choose: (ids) => {
            if (broken) throw new NonRetryable('a bug');
            return ids;
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    await stage.publish('w', 't', 'b');
    await stage.advance('1d');
    expect(looks).toHaveLength(1);
    const shown = await stage.hosts.describe('w');
    expect(shown).toMatchObject({ status: 'blocked', block: { kind: 'failed', message: 'a bug' } });
    expect(shown.attention).toContain('resume');
    broken = false;
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a', 'b'] });
  });

  test('B52: pending events that no consumer subscribes to any more cause no runs, and are shown as orphaned', async () => {
    const looks: number[] = [];
    let workflow = taking({ looks, choose: () => [] });
    await using stage = await HostStage.open({ workflows: () => [workflow] });
    await stage.publish('w', 't', 'a', 'b');
    workflow = defineWorkflow({ name: 'w', topics: { other: topic() } }).consumer(
      'second',
      sink('other'),
    ) as never;
    await stage.restart();
    const before = looks.length;
    await stage.advance('1d');
    expect(looks).toHaveLength(before);
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 2, orphaned: true, consumer: null });
    expect((await stage.hosts.explain('w', { topic: 't', event: 'a' })).answer).toBe('orphaned');
    // Deployed again, the consumer finds them.
    workflow = taking({ looks });
    await stage.restart();
    await stage.advance(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a', 'b'] });
  });
});

describe('sleep', () => {
  test('B53: after an empty run no further run until the timeout, then one look, and so on', async () => {
    const looks: number[] = [];
    await using stage = await HostStage.open({ workflows: [taking({ looks, choose: () => [] })] });
    const start = stage.world.now;
    await stage.publish('w', 't', 'a');
    await stage.advance('16m');
    expect(looks.map((at) => (at - start) / minute)).toEqual([0, 5, 10, 15]);
  });

  test('B54: an event published while prepare is running makes the consumer run again at once', async () => {
    const looks: number[] = [];
    const hold = gate();
    let isFirst = true;
    await using stage = await HostStage.open({
      workflows: [
        taking({
          looks,
          choose: async (ids) => {
            if (!isFirst) return ids;
            isFirst = false;
            await hold.wait();
            return [];
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    await stage.publish('w', 't', 'b');
    hold.open();
    await stage.advance(1);
    expect(looks).toHaveLength(2);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a', 'b'] });
  });

  test('B55: an event on a subscribed topic wakes a sleeping consumer at once, one on another topic does not', async () => {
    const looks: number[] = [];
    await using stage = await HostStage.open({ workflows: [taking({ looks, choose: () => [] })] });
    await stage.publish('w', 't', 'a');
    await stage.advance('1m');
    await stage.publish('w', 'other', 'x');
    expect(looks).toHaveLength(1);
    await stage.publish('w', 't', 'b');
    expect(looks).toHaveLength(2);
    // It looked again and sleeps again; what woke it is told.
    expect(await stage.consumer('w', 'take')).toMatchObject({ state: 'sleeping' });
  });

  test('B56: a person wakes a sleeping consumer', async () => {
    const looks: number[] = [];
    await using stage = await HostStage.open({ workflows: [taking({ looks, choose: () => [] })] });
    await stage.publish('w', 't', 'a');
    const { runId } = await stage.hosts.trigger('w', { consumer: 'take' });
    await stage.advance(1);
    expect(runId).not.toBeNull();
    expect(looks).toHaveLength(2);
  });

  test('B57, B58, B59: wakeAt only wakes earlier than the timeout, is not kept, and is bounded and checked', async () => {
    const looks: number[] = [];
    let hint: (() => unknown) | undefined;
    await using stage = await HostStage.open({
      workflows: [taking({ looks, choose: () => [], wakeAt: () => hint?.() })],
    });
    const start = stage.world.now;
    hint = () => start + 2 * minute;
    await stage.publish('w', 't', 'a');
    expect((await stage.consumer('w', 'take')).sleepingUntil).toBe(start + 2 * minute);
    hint = () => start + 2 * 60 * minute;
    await stage.advance('2m');
    expect(looks).toHaveLength(2);
    // In two hours: the timeout of five minutes comes first.
    expect((await stage.consumer('w', 'take')).sleepingUntil).toBe(start + 7 * minute);
    // Given once, it is not kept, also not over a restart.
    hint = () => new Date(start + 8 * minute);
    await stage.advance('5m');
    hint = undefined;
    await stage.restart();
    await stage.advance('1m');
    expect((await stage.consumer('w', 'take')).sleepingUntil).toBe(start + 13 * minute);
    for (const past of [start, start + 13 * minute + 1000]) {
      hint = () => past;
      await stage.hosts.trigger('w', { consumer: 'take' });
      await stage.advance(1);
      const { sleepingUntil, sleepingSince } = await stage.consumer('w', 'take');
      expect((sleepingUntil ?? 0) - (sleepingSince ?? 0)).toBeGreaterThanOrEqual(30 * second);
    }
    hint = () => 'tomorrow';
    await stage.hosts.trigger('w', { consumer: 'take' });
    await stage.advance(1);
    const [run] = (await stage.hosts.runs('w')).items;
    expect(JSON.stringify(run?.summary)).toContain('wakeAt was ignored: tomorrow');
  });

  test('B60: without events there are no runs and no transactions of the workflow in an hour', async () => {
    const looks: number[] = [];
    await using stage = await HostStage.open({ workflows: [taking({ looks })] });
    await stage.publish('w', 't', 'a');
    await stage.advance('1m');
    const { version } = (
      await stage.store.read({ keys: [{ namespace: 'default', archetype: 'host', id: 'w' }] })
    )[0] ?? { version: 0 };
    await stage.advance('1h');
    const [row] = await stage.store.read({ keys: [{ namespace: 'default', archetype: 'host', id: 'w' }] });
    expect(row?.version).toBe(version);
    expect(row?.wakeAt).toBeNull();
    expect(looks).toHaveLength(1);
  });

  test('a sleeping consumer with pending events costs one wake-up per timeout', async () => {
    const looks: number[] = [];
    await using stage = await HostStage.open({ workflows: [taking({ looks, choose: () => [] })] });
    await stage.publish('w', 't', 'a');
    const key = { namespace: 'default', archetype: 'host', id: 'w' };
    const [before] = await stage.store.read({ keys: [key] });
    await stage.advance('1h');
    const [after] = await stage.store.read({ keys: [key] });
    expect(looks).toHaveLength(13);
    // Each wake-up is the step that starts the run, its one checkpoint, and nothing else.
    expect((after?.version ?? 0) - (before?.version ?? 0)).toBe(12 * 2);
  });

  test('a run that found nothing but fed its own topic sleeps at least the shortest time', async () => {
    const looks: number[] = [];
    let fed = 0;
    await using stage = await HostStage.open({
      workflows: [taking({ looks, choose: () => [], next: (publish) => publish(`own-${++fed}`) })],
    });
    const start = stage.world.now;
    await stage.publish('w', 't', 'a');
    await stage.advance('2m');
    expect(looks.map((at) => (at - start) / second)).toEqual([0, 30, 60, 90, 120]);
    // An event of another origin wakes it at once.
    await stage.publish('w', 't', 'outside');
    expect(looks).toHaveLength(6);
  });
});

describe('order and manual runs', () => {
  /** Two consumers and a producer that note their order; the first run can be held. */
  function ordered(order: string[], hold: ReturnType<typeof gate>) {
    const take = <Name extends string>(name: string, of: Name) => ({
      ...sink(of),
      prepare: async (ctx: Parameters<ReturnType<typeof sink<Name>>['prepare']>[0]) => {
        order.push(name);
        if (order.length === 1) await hold.wait();
        const all = await ctx.peek(of);
        return { reservations: [{ topic: of, ids: all.map(({ id }: { id: string }) => id) }], data: null };
      },
    });
    return defineWorkflow({ name: 'w', topics: { a: topic(), b: topic(), c: topic() } })
      .producer('poll', {
        schedule: { interval: '1m' },
        onBusy: 'queueOne',
        publishes: ['a'],
        handler: () => void order.push('poll'),
      })
      .consumer('zeta', take('zeta', 'a') as never)
      .consumer('beta', take('beta', 'b') as never)
      .consumer('alpha', take('alpha', 'c') as never);
  }

  test('B61, B62: when a run ends, consumers come before producers, the one with the oldest pending event first', async () => {
    const order: string[] = [];
    const hold = gate();
    await using stage = await HostStage.open({ workflows: [ordered(order, hold)] });
    await stage.publish('w', 'a', '1');
    await stage.publish('w', 'b', '2');
    await stage.publish('w', 'c', '3');
    await stage.publish('w', 'a', '4');
    await stage.advance('61s');
    hold.open();
    await stage.advance(1);
    expect(order).toEqual(['zeta', 'beta', 'alpha', 'zeta', 'poll'].filter((_, i) => i !== 3));
  });

  test('B63: a thousand events published during a run are one queued run', async () => {
    const looks: number[] = [];
    const hold = gate();
    await using stage = await HostStage.open({
      workflows: [
        taking({
          looks,
          choose: async (ids) => {
            if (looks.length === 1) await hold.wait();
            return ids;
          },
        }),
      ],
      settings: { peek: 1000 },
    });
    await stage.publish('w', 't', 'first');
    for (let i = 0; i < 10; i += 1)
      await stage.publish('w', 't', ...Array.from({ length: 100 }, (_, n) => `${i}-${n}`));
    hold.open();
    await stage.advance(1);
    expect(looks).toHaveLength(2);
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 0, reserved: 0 });
  });

  test('B64: three nodes: never two runs of a workflow at once', async () => {
    let running = 0;
    let most = 0;
    let ran = 0;
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('poll', {
        schedule: { interval: '1s' },
        publishes: ['t'],
        onBusy: 'queueOne',
        handler: async (ctx) => {
          running += 1;
          most = Math.max(most, running);
          await Promise.resolve();
          ctx.publish('t', { payload: 1 });
          running -= 1;
        },
      })
      .consumer('take', {
        subscribe: ['t'],
        prepare: async (ctx) => {
          running += 1;
          most = Math.max(most, running);
          ran += 1;
          const all = await ctx.peek('t');
          running -= 1;
          return { reservations: [{ topic: 't', ids: all.map(({ id }) => id) }], data: null };
        },
      });
    await using stage = await HostStage.open({ workflows: [flow], nodes: 3 });
    await stage.advance('2m');
    expect(most).toBe(1);
    expect(ran).toBeGreaterThan(100);
  });

  test('B65: a manual producer run while another runs is refused as busy, and nothing is queued', async () => {
    const order: string[] = [];
    const hold = gate();
    await using stage = await HostStage.open({ workflows: [ordered(order, hold)] });
    await stage.publish('w', 'a', '1');
    await expect(stage.hosts.trigger('w', { producer: 'poll' })).rejects.toMatchObject({ reason: 'BUSY' });
    hold.open();
    await stage.advance(second);
    expect(order).toEqual(['zeta']);
  });

  test('B66, B67, B68: pause lets the run finish and starts nothing after it; manual runs work; resume considers due work at once', async () => {
    const order: string[] = [];
    const hold = gate();
    await using stage = await HostStage.open({ workflows: [ordered(order, hold)] });
    await stage.publish('w', 'a', '1');
    await stage.hosts.pause('w', { note: 'maintenance' });
    await stage.publish('w', 'b', '2');
    hold.open();
    await stage.advance('3m');
    expect(order).toEqual(['zeta']);
    expect(await stage.events('w', 'a')).toEqual({ consumed: ['1'] });
    expect(await stage.hosts.describe('w')).toMatchObject({
      status: 'paused',
      paused: { note: 'maintenance' },
    });
    await stage.hosts.trigger('w', { producer: 'poll' });
    await stage.advance(1);
    await stage.hosts.trigger('w', { consumer: 'alpha' });
    await stage.advance(1);
    expect(order).toEqual(['zeta', 'poll', 'alpha']);
    expect((await stage.hosts.describe('w')).status).toBe('paused');
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect(order).toEqual(['zeta', 'poll', 'alpha', 'beta']);
    const { items } = await stage.hosts.slots('w', 'poll');
    expect(items.map(({ verdict, count }) => `${verdict}×${count}`)).toEqual(['paused×3']);
    const { next } = await stage.producer('w', 'poll');
    expect(next).toBeGreaterThan(stage.world.now);
  });

  test('B69: resume while a change is unresolved is refused with the reason', async () => {
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('do', {
      subscribe: ['t'],
      prepare: async (ctx) => ({
        reservations: [{ topic: 't', ids: (await ctx.peek('t')).map(({ id }) => id) }],
        data: 1,
      }),
      mutate: (ctx) =>
        ctx.change('pay', {
          run: () => {
            throw new Error('connection reset');
          },
        }),
    });
    await using stage = await HostStage.open({ workflows: [flow] });
    await stage.publish('w', 't', 'a');
    await expect(stage.hosts.resume('w')).rejects.toMatchObject({
      reason: 'CHANGE_UNRESOLVED',
      message: expect.stringContaining("'pay'"),
    });
    expect((await stage.hosts.describe('w')).status).toBe('blocked');
  });

  test('B70: a manual producer run advances its state and leaves the grid as it is', async () => {
    const seen: unknown[] = [];
    const flow = defineWorkflow({ name: 'w', topics: { t: topic() } })
      .producer('poll', {
        schedule: { interval: '1h' },
        publishes: ['t'],
        handler: (ctx, state: { n: number } | undefined) => {
          seen.push([ctx.manual, state?.n]);
          return { n: (state?.n ?? 0) + 1 };
        },
      })
      .consumer('take', sink('t'));
    await using stage = await HostStage.open({ workflows: [flow] });
    const { next } = await stage.producer('w', 'poll');
    await stage.advance('10m');
    await stage.hosts.trigger('w', { producer: 'poll' });
    await stage.advance(1);
    expect((await stage.producer('w', 'poll')).next).toBe(next);
    await stage.advance('50m');
    expect(seen).toEqual([
      [true, undefined],
      [false, 1],
    ]);
  });

  test('B71: a workflow that is busy for an hour delays no other', async () => {
    const hold = gate();
    const slow = defineWorkflow({ name: 'slow', topics: { t: topic() } }).consumer('take', {
      subscribe: ['t'],
      prepare: async () => {
        await hold.wait();
        return { reservations: [], data: null };
      },
    });
    const looks: number[] = [];
    await using stage = await HostStage.open({
      workflows: [slow, taking({ looks })],
      settings: { phaseLimit: '2h' },
    });
    await stage.publish('slow', 't', 'x');
    for (let i = 0; i < 10; i += 1) {
      await stage.advance('6m');
      await stage.publish('w', 't', `e${i}`);
      expect(looks.at(-1)).toBe(stage.world.now);
    }
    hold.open();
  });

  test('B72, B73: a run that leaves events is followed by the next at once, and others get their turn in between', async () => {
    const order: string[] = [];
    const one = (name: string) =>
      defineWorkflow({ name, topics: { t: topic() } }).consumer('take', {
        subscribe: ['t'],
        prepare: async (ctx) => {
          order.push(name);
          const [first] = await ctx.peek('t', { limit: 1 });
          return { reservations: [{ topic: 't', ids: first === undefined ? [] : [first.id] }], data: null };
        },
      });
    await using stage = await HostStage.open({ workflows: [one('a'), one('b')] });
    await stage.publish('a', 't', ...Array.from({ length: 200 }, (_, i) => `${i}`));
    await stage.publish('b', 't', 'x');
    await stage.advance(1);
    expect(order.filter((name) => name === 'a')).toHaveLength(200);
    expect(order.indexOf('b')).toBeLessThan(201);
    expect(await stage.topic('a', 't')).toMatchObject({ pending: 0 });
  });
});
