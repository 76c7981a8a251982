/**
 * One suite for both bodies of the API of hosts: embedded and over HTTP. Every method of `HostsApi` is called, and a program
 * gets the same answers and the same refusals from both.
 */
import { describe, expect, test } from 'vitest';
import { defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import type { HostsApi, HostViews } from '../../packages/carillon/src/service/hosts/hosts-api.ts';
import { reasonOf } from '../support/reason-of.ts';
import { until } from '../support/until.ts';

/** The fields of the answers that the suite reads. */
interface SeenViews extends HostViews {
  readonly host: {
    readonly id: string;
    readonly status: string;
    readonly topics: readonly { readonly name: string; readonly pending: number }[];
  };
  readonly hostSummary: { readonly id: string; readonly status: string };
  readonly hostEvent: { readonly id: string; readonly state: string };
  readonly hostRun: { readonly id: string; readonly handler: string; readonly createdAt: number | string };
  readonly hostExplanation: { readonly about: string; readonly answer: string; readonly text: string };
  readonly hostSlot: { readonly verdict: string };
}

/** Pays the oldest bill; the answer for `lost` is lost, and the change is not known to have happened. */
export const pay = defineWorkflow({ name: 'pay', topics: { bill: topic<{ amount: number }>() } })
  .producer('poll', {
    schedule: { cron: '0 0 1 1 *' },
    publishes: ['bill'],
    handler: (ctx) => ctx.publish('bill', { id: 'polled', payload: { amount: 1 } }),
  })
  .consumer('transfer', {
    subscribe: ['bill'],
    prepare: async (ctx) => {
      const [first] = await ctx.peek('bill');
      return {
        reservations: [{ topic: 'bill', ids: first === undefined ? [] : [first.id] }],
        data: { id: first?.id },
      };
    },
    mutate: (ctx, { id }) =>
      ctx.change('transfer', {
        run: () => {
          if (String(id).startsWith('lost')) throw new Error('connection reset');
          return 'paid';
        },
      }),
  });

/** Never chooses an event. */
export const keep = defineWorkflow({ name: 'keep', topics: { item: topic() } }).consumer('wait', {
  subscribe: ['item'],
  prepare: () => ({ reservations: [], data: null }),
});

export function exerciseHosts(name: string, open: () => HostsApi<SeenViews>): void {
  describe(name, () => {
    const statusOf = async (workflow: string) => (await open().describe(workflow)).status;
    const states = async (workflow: string, topicName: string) =>
      (await open().events(workflow, topicName)).items.map(({ id, state }) => [id, state]);
    const becomes = async (workflow: string, status: string) =>
      await until(
        () => statusOf(workflow),
        (found) => found === status,
      );

    test('lists, in pages and by words, and describes', async () => {
      const hosts = open();
      const first = await hosts.list({ limit: 1 });
      expect(first.items.map(({ id }) => id)).toEqual(['keep']);
      const second = await hosts.list({ limit: 1, after: String(first.next) });
      expect(second.items.map(({ id }) => id)).toEqual(['pay']);
      expect(second.next).toBeNull();
      expect((await hosts.list({ text: 'transfer' })).items.map(({ id }) => id)).toEqual(['pay']);
      expect((await hosts.list({ blocked: true })).items).toEqual([]);
      expect(await hosts.describe('pay')).toMatchObject({ id: 'pay', status: 'idle' });
      expect(await reasonOf(hosts.describe('none'))).toBe('NOT_FOUND');
    });

    test('publishes once per id, and a repeated request once', async () => {
      const hosts = open();
      await hosts.pause('pay', { note: 'lunch' });
      expect(await statusOf('pay')).toBe('paused');
      const twice = [
        { id: 'a', payload: { amount: 1 } },
        { id: 'a', payload: { amount: 2 } },
      ];
      expect(await hosts.publish('pay', 'bill', twice)).toEqual({ published: 1, ids: ['a', 'a'] });
      expect(await hosts.publish('pay', 'bill', { id: 'b', payload: { amount: 3 } })).toEqual({
        published: 1,
        ids: ['b'],
      });
      const named = await hosts.publish('pay', 'bill', { payload: { amount: 4 } }, { requestId: 'r-1' });
      expect(await hosts.publish('pay', 'bill', { payload: { amount: 4 } }, { requestId: 'r-1' })).toEqual(
        named,
      );
      expect((await hosts.describe('pay')).topics).toMatchObject([{ name: 'bill', pending: 3 }]);
      expect(await reasonOf(hosts.publish('pay', 'none', { payload: 1 }))).toBe('NOT_FOUND');
    });

    test('reads events by state, by id and in both orders', async () => {
      const hosts = open();
      const { items } = await hosts.events('pay', 'bill');
      expect(items.slice(0, 2).map(({ id, state }) => [id, state])).toEqual([
        ['a', 'pending'],
        ['b', 'pending'],
      ]);
      const newest = await hosts.events('pay', 'bill', { order: 'descending', limit: 1 });
      expect(newest.items.map(({ id }) => id)).toEqual([items.at(-1)?.id]);
      expect((await hosts.events('pay', 'bill', { id: ['b'] })).items.map(({ id }) => id)).toEqual(['b']);
      expect((await hosts.events('pay', 'bill', { state: ['consumed'] })).items).toEqual([]);
    });

    test('skips an event, and refuses one that is not there', async () => {
      const hosts = open();
      expect(await hosts.skip('pay', 'bill', 'b', { note: 'paid by hand' })).toEqual({ outcome: 'skipped' });
      expect(await states('pay', 'bill')).toContainEqual(['b', 'skipped']);
      expect(await reasonOf(hosts.skip('pay', 'bill', 'none'))).toBe('NOT_FOUND');
    });

    test('starts a producer by hand while paused, and a consumer when the workflow is free', async () => {
      const hosts = open();
      const { runId } = await hosts.trigger('pay', { producer: 'poll' });
      expect(runId).toEqual(expect.any(String));
      await until(
        () => states('pay', 'bill'),
        (found) => found.some(([id]) => id === 'polled'),
      );
      expect(await reasonOf(hosts.trigger('pay', { producer: 'none' }))).toBe('NOT_FOUND');
      expect(await reasonOf(hosts.trigger('pay', { consumer: 'none' }))).toBe('NOT_FOUND');
    });

    test('resumes, and consumes what is pending', async () => {
      const hosts = open();
      await hosts.resume('pay');
      await until(
        () => states('pay', 'bill'),
        (found) => found.every(([, state]) => state === 'consumed' || state === 'skipped'),
      );
      await becomes('pay', 'idle');
    });

    test('a change with an unknown outcome blocks until it is resolved, in any of four ways', async () => {
      const hosts = open();
      for (const [id, resolution, state] of [
        ['lost-1', { action: 'happened' }, 'consumed'],
        ['lost-2', { action: 'happened', result: { seen: true } }, 'consumed'],
        ['lost-3', { action: 'skip' }, 'skipped'],
      ] as const) {
        await hosts.publish('pay', 'bill', { id, payload: { amount: 1 } });
        await becomes('pay', 'blocked');
        expect((await hosts.list({ blocked: true })).items.map((each) => each.id)).toEqual(['pay']);
        expect(await reasonOf(hosts.resume('pay'))).toBe('CHANGE_UNRESOLVED');
        await hosts.resolve('pay', resolution, { note: 'as the bank says' });
        await becomes('pay', 'idle');
        expect(await states('pay', 'bill')).toContainEqual([id, state]);
      }
      expect(await reasonOf(hosts.resolve('pay', { action: 'skip' }))).toBe('NOTHING_TO_RESOLVE');
    });

    test('lists runs, newest first, their attempts, and the slots of a producer', async () => {
      const hosts = open();
      const { items, next } = await hosts.runs('pay', { limit: 2 });
      expect(items).toHaveLength(2);
      const [newest, older] = items.map(({ createdAt }) => new Date(createdAt).getTime());
      expect(newest).toBeGreaterThanOrEqual(older as number);
      const more = await hosts.runs('pay', { limit: 2, after: String(next) });
      expect(more.items.map(({ id }) => id)).not.toContain(items[0]?.id);
      const attempts = await hosts.attempts('pay', items[0]?.id ?? '');
      expect(attempts.map(({ id }) => id)).toContain(items[0]?.id);
      expect(await reasonOf(hosts.attempts('pay', 'none'))).toBe('NOT_FOUND');
      // It was started by hand, and not at a time of its own.
      expect((await hosts.slots('pay', 'poll')).items).toEqual([]);
    });

    test('explains a time of a producer, a consumer and an event', async () => {
      const hosts = open();
      expect(await hosts.explain('pay', { producer: 'poll', at: '2099-01-01T00:00:00Z' })).toMatchObject({
        about: 'producer',
      });
      expect(await hosts.explain('pay', { consumer: 'transfer' })).toMatchObject({ about: 'consumer' });
      expect(await hosts.explain('pay', { topic: 'bill', event: 'b' })).toMatchObject({
        about: 'event',
        answer: 'skipped',
      });
      expect(await reasonOf(hosts.explain('pay', { consumer: 'none' }))).toBe('NOT_FOUND');
    });

    test('releases and deletes', async () => {
      const hosts = open();
      await hosts.release('keep', { note: 'nothing to do' });
      await hosts.delete('keep', { note: 'not needed' });
      expect(await reasonOf(hosts.describe('keep'))).toBe('NOT_FOUND');
      expect((await hosts.list()).items.map(({ id }) => id)).toEqual(['pay']);
    });
  });
}
