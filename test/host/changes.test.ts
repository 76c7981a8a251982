/** Reservations and outside changes: the behaviours 20 to 46 of the table in docs/host-behaviours.md. */
import { describe, expect, test } from 'vitest';
import type { ChangeSteps, PrepareContext, Topics } from '../../packages/carillon/src/embed/host.ts';
import { ChangeRefused, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { HostStage } from './host-stage.ts';
import { gate, sink } from './parts.ts';

interface Options {
  readonly prepare?: (ctx: PrepareContext<Topics, 't' | 'u'>) => Promise<unknown> | unknown;
  readonly steps?: ChangeSteps<unknown> | null;
  readonly mutate?: (
    change: (name: string, steps: ChangeSteps<unknown>) => Promise<unknown>,
  ) => Promise<unknown>;
  readonly next?: (change: unknown, prepared: unknown, publish: (id: string) => void) => unknown;
}

/** A consumer of `t` and `u` that takes the oldest event of `t`, makes a change and notes what `next` got. */
function changing(calls: string[], { prepare, steps, mutate, next }: Options = {}) {
  return defineWorkflow({
    name: 'w',
    topics: { t: topic<{ id: string }>(), u: topic<{ id: string }>(), out: topic<{ id: string }>() },
  })
    .consumer('do', {
      subscribe: ['t', 'u'],
      publishes: ['out'],
      prepare: async (ctx) => {
        calls.push('prepare');
        if (prepare !== undefined) return (await prepare(ctx as never)) as never;
        const [first] = await ctx.peek('t', { limit: 1 });
        const ids = first === undefined ? [] : [first.id];
        return { reservations: [{ topic: 't' as const, ids }], data: { ids } };
      },
      mutate: async (ctx, prepared) => {
        calls.push(`mutate ${JSON.stringify(prepared)}`);
        if (mutate !== undefined) return (await mutate((name, given) => ctx.change(name, given))) as never;
        if (steps === null) return undefined;
        return await ctx.change('make', steps ?? { run: (key) => `made ${key}` });
      },
      next: async (ctx, prepared, change) => {
        calls.push(`next ${change.status}`);
        return (await next?.(change, prepared, (id) =>
          ctx.publish('out', { id, payload: { id } }),
        )) as undefined;
      },
    })
    .consumer('sink', sink('out'));
}

const blockOf = async (stage: HostStage) => (await stage.hosts.describe('w')).block;

describe('reservations', () => {
  test('B20: prepare reserves ids in the same commit as its result, and the others stay pending', async () => {
    const hold = gate();
    const calls: string[] = [];
    await using stage = await HostStage.open({
      workflows: [changing(calls, { steps: { run: () => hold.wait() } })],
    });
    await stage.publish('w', 't', 'a', 'b');
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'], pending: ['b'] });
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 1, reserved: 1 });
    expect((await stage.hosts.describe('w')).work).toMatchObject({ phase: 'mutating', handler: 'do' });
    const { items } = await stage.hosts.events('w', 't', { state: ['reserved'] });
    expect(items[0]?.runId).toBe((await stage.hosts.describe('w')).work?.runId);
    hold.open();
  });

  for (const [title, answer, message] of [
    [
      'B21: an id that does not exist',
      { reservations: [{ topic: 't', ids: ['a', 'none'] }], data: 0 },
      "no event 'none'",
    ],
    [
      'B24: a topic that is not subscribed',
      { reservations: [{ topic: 'out', ids: ['a'] }], data: 0 },
      'does not subscribe',
    ],
    ['B29: a result without reservations', { data: 0 }, 'prepare must return'],
    ['a reservation that is not one', { reservations: ['a'], data: 0 }, 'each reservation must be'],
    ['data that is not JSON', { reservations: [], data: 10n }, 'is not JSON'],
  ] as const) {
    test(`${title} is a logic failure, and nothing is reserved`, async () => {
      await using stage = await HostStage.open({ workflows: [changing([], { prepare: () => answer })] });
      await stage.publish('w', 't', 'a');
      expect((await blockOf(stage))?.message).toContain(message);
      expect(await stage.events('w', 't')).toEqual({ pending: ['a'] });
      const [run] = (await stage.hosts.runs('w')).items;
      expect(run).toMatchObject({ outcome: 'failed', failureClass: 'logic' });
    });
  }

  test('B22: an id of another workflow under the same topic name is a logic failure, and the other is untouched', async () => {
    const other = defineWorkflow({ name: 'other', topics: { t: topic() } }).consumer('take', {
      subscribe: ['t'],
      prepare: () => ({ reservations: [], data: null }),
    });
    const thief = changing([], {
      prepare: () => ({ reservations: [{ topic: 't', ids: ['foreign'] }], data: 0 }),
    });
    await using stage = await HostStage.open({ workflows: [thief, other] });
    await stage.publish('other', 't', 'foreign');
    await stage.publish('w', 't', 'own');
    expect((await blockOf(stage))?.message).toContain("no event 'foreign'");
    expect(await stage.events('other', 't')).toEqual({ pending: ['foreign'] });
  });

  test('B23: an id that is consumed, skipped or reserved is a logic failure', async () => {
    let wanted = ['a'];
    const calls: string[] = [];
    await using stage = await HostStage.open({
      workflows: [
        changing(calls, {
          steps: null,
          prepare: () => ({ reservations: [{ topic: 't', ids: wanted }], data: 0 }),
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    await stage.publish('w', 't', 'b');
    expect((await blockOf(stage))?.message).toContain("'a' of the topic 't' is consumed");
    await stage.hosts.skip('w', 't', 'b');
    wanted = ['b'];
    await stage.hosts.resume('w');
    await stage.publish('w', 't', 'c');
    expect((await blockOf(stage))?.message).toContain("'b' of the topic 't' is skipped");
  });

  test('an event that a person skips while prepare runs is no failure: a fresh run looks again', async () => {
    const hold = gate();
    const seen: string[][] = [];
    await using stage = await HostStage.open({
      workflows: [
        changing([], {
          steps: null,
          prepare: async (ctx) => {
            const ids = (await ctx.peek('t')).map(({ id }) => id);
            seen.push(ids);
            await hold.wait();
            return { reservations: [{ topic: 't', ids }], data: 0 };
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a', 'b');
    await stage.advance('1s');
    await stage.hosts.skip('w', 't', 'a');
    hold.open();
    await stage.advance('1s');
    expect(seen).toEqual([['a', 'b'], ['b']]);
    expect(await blockOf(stage)).toBeNull();
    expect(await stage.events('w', 't')).toEqual({ skipped: ['a'], consumed: ['b'] });
  });

  test('B25: an id listed twice is pinned once', async () => {
    const twice = {
      reservations: [
        { topic: 't', ids: ['a', 'a'] },
        { topic: 't', ids: ['a'] },
      ],
      data: 0,
    };
    await using stage = await HostStage.open({
      workflows: [changing([], { steps: null, prepare: () => twice })],
    });
    await stage.publish('w', 't', 'a');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 0, reserved: 0 });
  });

  test('B26: a reservation across two topics pins both or neither', async () => {
    let ids = ['x'];
    const both = () => ({
      reservations: [
        { topic: 't', ids: ['a'] },
        { topic: 'u', ids },
      ],
      data: 0,
    });
    await using stage = await HostStage.open({ workflows: [changing([], { steps: null, prepare: both })] });
    await stage.publish('w', 't', 'a');
    expect(await stage.events('w', 't')).toEqual({ pending: ['a'] });
    await stage.publish('w', 'u', 'b');
    ids = ['b'];
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect([await stage.events('w', 't'), await stage.events('w', 'u')]).toEqual([
      { consumed: ['a'] },
      { consumed: ['b'] },
    ]);
  });

  for (const [title, reservations] of [
    ['B27: empty reservations', []],
    ['B28: reservation entries with empty id lists', [{ topic: 't', ids: [] }]],
  ] as const) {
    test(`${title}: mutate is not called, next gets none, the run commits and the consumer sleeps`, async () => {
      const calls: string[] = [];
      await using stage = await HostStage.open({
        workflows: [changing(calls, { prepare: () => ({ reservations, data: 0 }) })],
      });
      await stage.publish('w', 't', 'a');
      expect(calls).toEqual(['prepare', 'next none']);
      expect(await stage.consumer('w', 'do')).toMatchObject({
        state: 'sleeping',
        last: { outcome: 'committed', empty: true },
      });
      expect(await stage.events('w', 't')).toEqual({ pending: ['a'] });
    });
  }
});

describe('outside changes', () => {
  test('B30: mutate makes no change: next gets none, and the events are consumed', async () => {
    const calls: string[] = [];
    await using stage = await HostStage.open({ workflows: [changing(calls, { steps: null })] });
    await stage.publish('w', 't', 'a');
    expect(calls.at(-1)).toBe('next none');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B31: one change succeeds: next gets applied with its result, and the events are consumed at the commit', async () => {
    const got: unknown[] = [];
    await using stage = await HostStage.open({
      workflows: [
        changing([], { steps: { run: () => ({ ticket: 7 }) }, next: (change) => void got.push(change) }),
      ],
    });
    await stage.publish('w', 't', 'a');
    expect(got).toEqual([{ status: 'applied', result: { ticket: 7 } }]);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    const [run] = (await stage.hosts.runs('w')).items;
    expect(run?.summary).toMatchObject({ change: 'applied', reserved: { t: ['a'] } });
  });

  test('B32: a second change in mutate is refused as a logic failure; the first is kept for next', async () => {
    const made: string[] = [];
    const calls: string[] = [];
    let both = true;
    await using stage = await HostStage.open({
      workflows: [
        changing(calls, {
          mutate: async (change) => {
            await change('one', { run: () => made.push('one') });
            if (both) await change('two', { run: () => made.push('two') });
            return undefined;
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    expect(made).toEqual(['one']);
    expect((await blockOf(stage))?.message).toContain('one change');
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'] });
    both = false;
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect(made).toEqual(['one']);
    expect(calls.at(-1)).toBe('next applied');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B33: a context offers only what its phase may do, and refuses it after the phase has ended', async () => {
    const offered: Record<string, readonly string[]> = {};
    let late: (() => void) | undefined;
    let latePeek: (() => Promise<unknown>) | undefined;
    const phases = defineWorkflow({ name: 'w', topics: { t: topic(), out: topic() } })
      .consumer('do', {
        subscribe: ['t'],
        publishes: ['out'],
        prepare: async (ctx) => {
          offered.prepare = Object.keys(ctx);
          latePeek = () => ctx.peek('t');
          const [first] = await ctx.peek('t');
          return { reservations: [{ topic: 't', ids: first === undefined ? [] : [first.id] }], data: 1 };
        },
        mutate: (ctx) => {
          offered.mutate = Object.keys(ctx);
          return undefined;
        },
        next: (ctx) => {
          offered.next = Object.keys(ctx);
          late = () => ctx.publish('out', { payload: 1 });
        },
      })
      .consumer('sink', sink('out'));
    await using stage = await HostStage.open({ workflows: [phases] });
    await stage.publish('w', 't', 'a');
    const own = (phase: string) =>
      offered[phase]?.filter((name) => ['peek', 'get', 'pending', 'publish', 'change'].includes(name));
    expect([own('prepare'), own('mutate'), own('next')]).toEqual([
      ['peek', 'get', 'pending'],
      ['change'],
      ['publish'],
    ]);
    expect(() => late?.()).toThrow('after the handler had ended');
    await expect(latePeek?.()).rejects.toThrow('after prepare had ended');
    expect(await stage.events('w', 'out')).toEqual({});
  });

  test('B34: a change that is refused for certain releases the events and keeps its class', async () => {
    const refusal = { transient: false };
    const calls: string[] = [];
    await using stage = await HostStage.open({
      workflows: [
        changing(calls, {
          steps: {
            run: () => {
              throw new ChangeRefused('403', refusal);
            },
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    expect(await blockOf(stage)).toMatchObject({ kind: 'failed', message: '403' });
    expect((await stage.hosts.runs('w')).items[0]).toMatchObject({ failureClass: 'logic' });
    expect(await stage.events('w', 't')).toEqual({ pending: ['a'] });
    refusal.transient = true;
    await stage.hosts.resume('w');
    await stage.advance(1);
    expect((await stage.hosts.describe('w')).status).toBe('retrying');
    expect((await stage.hosts.runs('w')).items[0]).toMatchObject({ failureClass: 'transient' });
    expect((await stage.hosts.events('w', 't')).items[0]).toMatchObject({ state: 'pending', attempt: 3 });
  });

  test('B35: a change that takes too long is uncertain, never failed', async () => {
    const hold = gate();
    await using stage = await HostStage.open({
      workflows: [changing([], { steps: { run: () => hold.wait() } })],
      settings: { phaseLimit: '1m' },
    });
    await stage.publish('w', 't', 'a');
    await stage.advance('61s');
    expect(await stage.hosts.describe('w')).toMatchObject({
      status: 'blocked',
      block: { kind: 'uncertain' },
      work: { change: { name: 'make', outcome: 'uncertain', canReconcile: false } },
    });
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'] });
    hold.open();
  });

  test('B36: reconcile says it happened: next runs with its result; it did not: the events are released for a fresh run', async () => {
    for (const found of [{ ticket: 9 }, null]) {
      const got: unknown[] = [];
      const calls: string[] = [];
      const asked: string[] = [];
      let tries = 0;
      const run = (key: string) => {
        tries += 1;
        if (tries === 1) throw new Error('connection reset');
        return `second ${key.length > 0}`;
      };
      const reconcile = (key: string) => {
        asked.push(key);
        return found;
      };
      await using stage = await HostStage.open({
        workflows: [changing(calls, { steps: { run, reconcile }, next: (change) => void got.push(change) })],
      });
      await stage.publish('w', 't', 'a');
      await stage.advance(1);
      expect(asked).toHaveLength(1);
      expect(tries).toBe(found === null ? 2 : 1);
      expect(got).toEqual([{ status: 'applied', result: found ?? 'second true' }]);
      expect(calls.filter((call) => call === 'prepare')).toHaveLength(found === null ? 2 : 1);
      expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    }
  });

  test('B37, B38, B39: next fails after the change: the change is not repeated, next gets the same again, and the events are consumed once', async () => {
    const made: string[] = [];
    const got: unknown[] = [];
    let fails = 2;
    await using stage = await HostStage.open({
      workflows: [
        changing([], {
          steps: { run: (key) => made.push(key) },
          next: (change, prepared, publish) => {
            got.push([change, prepared]);
            publish('o');
            if (fails-- > 0) throw new Error('not yet');
          },
        }),
      ],
    });
    await stage.publish('w', 't', 'a');
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'] });
    expect(await stage.events('w', 'out')).toEqual({});
    await stage.advance('1m');
    expect(made).toHaveLength(1);
    expect(got).toHaveLength(3);
    expect(new Set(got.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    expect(await stage.events('w', 'out')).toEqual({ consumed: ['o'] });
    const { items } = await stage.hosts.runs('w');
    const committed = items.find(({ handler, outcome }) => handler === 'do' && outcome === 'completed');
    const chain = await stage.hosts.attempts('w', committed?.id ?? '');
    expect(chain.map(({ task }) => task)).toEqual(['run', 'continue', 'continue']);
    expect(chain.map(({ retryOf }) => retryOf)).toEqual([null, chain[0]?.id, chain[1]?.id]);
    // B87: from any member, oldest first.
    expect(await stage.hosts.attempts('w', chain[1]?.id ?? '')).toEqual(chain);
  });

  test('B40: several nodes and a person at once make one continuation', async () => {
    const got: string[] = [];
    let fails = 7;
    await using stage = await HostStage.open({
      workflows: [
        changing(got, {
          next: () => {
            if (fails-- > 0) throw new Error('no');
          },
        }),
      ],
      nodes: 3,
      settings: { retries: 0 },
    });
    await stage.publish('w', 't', 'a');
    fails = 0;
    await Promise.allSettled([0, 1, 2].map((node) => stage.world.carillon(node).hosts.resume('w')));
    await stage.advance('1m');
    expect(got.filter((call) => call.startsWith('next'))).toHaveLength(2);
    expect(got.filter((call) => call.startsWith('mutate'))).toHaveLength(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  /** A workflow whose process died while its change was under way. */
  async function diedInChange(steps: Partial<ChangeSteps<unknown>> = {}, calls: string[] = []) {
    const hold = gate();
    let isFirst = true;
    const run = async () => {
      calls.push('run');
      if (isFirst) {
        isFirst = false;
        await hold.wait();
      }
      return 'made';
    };
    const stage = await HostStage.open({
      workflows: [changing(calls, { steps: { run, ...steps } })],
      // In this world the code of a dead process keeps running: it must not reach its limit.
      settings: { phaseLimit: '1d' },
    });
    await stage.publish('w', 't', 'a');
    expect((await stage.hosts.describe('w')).work).toMatchObject({ phase: 'mutating' });
    await stage.restart();
    await stage.advance('40s');
    return stage;
  }

  test('B41: the process dies with the change begun: the run is parked, the events stay reserved, the workflow is blocked', async () => {
    await using stage = await diedInChange();
    const shown = await stage.hosts.describe('w');
    expect(shown).toMatchObject({
      status: 'blocked',
      block: { kind: 'uncertain' },
      work: { phase: 'mutating', runId: null },
    });
    expect(shown.attention).toContain("find out whether the change 'make' of 'do' happened");
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'] });
    await stage.publish('w', 't', 'b');
    await stage.advance('1h');
    expect(await stage.events('w', 't')).toEqual({ reserved: ['a'], pending: ['b'] });
  });

  test('B42: then reconcile says it happened: next runs, the events are consumed, no second change', async () => {
    const calls: string[] = [];
    await using stage = await diedInChange({ reconcile: () => 'found' }, calls);
    expect(calls.filter((call) => call === 'run')).toHaveLength(1);
    expect(calls.at(-1)).toBe('next applied');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
    expect((await stage.hosts.describe('w')).status).toBe('idle');
  });

  test('B43: a person says it did not happen: the events are processed again, once', async () => {
    const calls: string[] = [];
    await using stage = await diedInChange({}, calls);
    await stage.hosts.resolve('w', { action: 'didNotHappen' });
    await stage.advance(1);
    expect(calls.filter((call) => call === 'run')).toHaveLength(2);
    expect(calls.filter((call) => call === 'prepare')).toHaveLength(2);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('a person says it happened: next gets the result they give', async () => {
    const calls: string[] = [];
    await using stage = await diedInChange({}, calls);
    await stage.hosts.resolve(
      'w',
      { action: 'happened', result: { ticket: 1 } },
      { note: 'seen in the other system' },
    );
    await stage.advance(1);
    expect(calls.filter((call) => call === 'run')).toHaveLength(1);
    expect(calls.at(-1)).toBe('next applied');
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });

  test('B44: a person skips: next gets skipped, and the events are skipped and never offered again', async () => {
    const calls: string[] = [];
    await using stage = await diedInChange({}, calls);
    await stage.hosts.resolve('w', { action: 'skip' });
    await stage.advance('1h');
    expect(calls.at(-1)).toBe('next skipped');
    expect(calls.filter((call) => call === 'prepare')).toHaveLength(1);
    expect(await stage.events('w', 't')).toEqual({ skipped: ['a'] });
    expect(await stage.topic('w', 't')).toMatchObject({ pending: 0, reserved: 0 });
  });

  test('B45: try again without reconcile is refused', async () => {
    await using stage = await diedInChange();
    await expect(stage.hosts.resolve('w', { action: 'tryAgain' })).rejects.toMatchObject({
      reason: 'NO_RECONCILE',
    });
    expect((await stage.hosts.describe('w')).status).toBe('blocked');
  });

  test('B46: resolving a change that is settled is refused', async () => {
    await using stage = await diedInChange();
    await stage.hosts.resolve('w', { action: 'didNotHappen' });
    await stage.advance(1);
    for (const action of ['didNotHappen', 'skip', 'tryAgain'] as const)
      await expect(stage.hosts.resolve('w', { action })).rejects.toMatchObject({
        reason: 'NOTHING_TO_RESOLVE',
      });
  });

  test('a change that cannot be reconciled is asked about with pauses, then left to a person, who may ask again', async () => {
    const asked: number[] = [];
    let answer: unknown = new Error('still away');
    const now = { get: () => 0 };
    const reconcile = () => {
      asked.push(now.get());
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const calls: string[] = [];
    await using stage = await diedInChange({ reconcile }, calls);
    now.get = () => stage.world.now;
    expect((await stage.hosts.describe('w')).status).toBe('reconciling');
    await stage.advance('1h');
    expect(asked).toHaveLength(5);
    expect((await stage.hosts.describe('w')).block).toMatchObject({ kind: 'uncertain' });
    answer = 'found at last';
    await stage.hosts.resolve('w', { action: 'tryAgain' });
    await stage.advance(1);
    expect(asked).toHaveLength(6);
    expect(calls.filter((call) => call === 'run')).toHaveLength(1);
    expect(await stage.events('w', 't')).toEqual({ consumed: ['a'] });
  });
});
