import { expect, test } from 'vitest';
import { defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { HostStage } from './host-stage.ts';

test('a producer feeds a consumer, which makes a change and feeds another', async () => {
  const made: string[] = [];
  const announced: unknown[] = [];
  const inbox = defineWorkflow({
    name: 'inbox',
    topics: { mail: topic<{ n: number }>(), ticket: topic<{ mail: string }>() },
  })
    .producer('poll', {
      schedule: { interval: '5m' },
      publishes: ['mail'],
      handler: (ctx, state: { n: number } | undefined) => {
        const n = (state?.n ?? 0) + 1;
        ctx.publish('mail', { id: `m${n}`, payload: { n } });
        return { n };
      },
    })
    .consumer('file', {
      subscribe: ['mail'],
      publishes: ['ticket'],
      prepare: async (ctx) => {
        const [first] = await ctx.peek('mail', { limit: 1 });
        if (first === undefined) return { reservations: [], data: null };
        return { reservations: [{ topic: 'mail', ids: [first.id] }], data: { id: first.id } };
      },
      mutate: async (ctx, prepared) =>
        await ctx.change('create', {
          run: async (key) => {
            made.push(key);
            return { ticket: `t-${prepared?.id}` };
          },
        }),
      next: async (ctx, prepared, change) => {
        if (change.status === 'applied')
          ctx.publish('ticket', { id: change.result.ticket, payload: { mail: prepared?.id ?? '' } });
        return { filed: 1 };
      },
    })
    .consumer('announce', {
      subscribe: ['ticket'],
      prepare: async (ctx) => {
        const all = await ctx.peek('ticket');
        announced.push(...all.map(({ id, payload }) => [id, payload.mail]));
        return { reservations: [{ topic: 'ticket', ids: all.map(({ id }) => id) }], data: {} };
      },
    });
  await using stage = await HostStage.open({ workflows: [inbox] });
  await stage.advance('16m');
  expect(made).toHaveLength(3);
  expect(announced).toEqual([
    ['t-m1', 'm1'],
    ['t-m2', 'm2'],
    ['t-m3', 'm3'],
  ]);
  expect(await stage.events('inbox', 'mail')).toEqual({ consumed: ['m1', 'm2', 'm3'] });
});
