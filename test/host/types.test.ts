/** What does not compile: each refusal here is checked by the compiler, and the test only has to load. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';

interface Mail {
  readonly subject: string;
}

test('payloads, prepared data and results are typed, and a phase offers only what it may do', () => {
  const ticket = z.object({ n: z.number() });
  const workflow = defineWorkflow({ name: 'inbox', topics: { mail: topic<Mail>(), ticket: topic(ticket) } })
    .producer('poll', {
      schedule: { interval: '5m' },
      publishes: ['mail'],
      handler: async (ctx, state: { readonly since: string } | undefined) => {
        ctx.publish('mail', { id: state?.since ?? '', payload: { subject: 'x' } });
        // @ts-expect-error: not the payload of this topic
        ctx.publish('mail', { payload: { subjet: 'x' } });
        // @ts-expect-error: a topic that this producer does not declare
        ctx.publish('ticket', { payload: { n: 1 } });
        // @ts-expect-error: a topic that no one declares
        ctx.publish('nope', { payload: 1 });
        // @ts-expect-error: a producer reads no events
        void ctx.peek;
        return { since: 'now' };
      },
    })
    .consumer('file', {
      subscribe: ['mail'],
      publishes: ['ticket'],
      prepare: async (ctx, state: { readonly filed: number } | undefined) => {
        const [first] = await ctx.peek('mail');
        const subject: string = first?.payload.subject ?? '';
        // @ts-expect-error: a topic that it does not subscribe to
        await ctx.peek('ticket');
        // @ts-expect-error: prepare publishes nothing
        void ctx.publish;
        // @ts-expect-error: prepare changes nothing
        void ctx.change;
        return {
          reservations: [{ topic: 'mail', ids: [first?.id ?? ''] }],
          data: { subject, filed: state?.filed ?? 0 },
        };
      },
      mutate: async (ctx, prepared) => {
        // @ts-expect-error: mutate publishes nothing
        void ctx.publish;
        const text: string = prepared.subject;
        return await ctx.change('create', {
          run: async (key) => ({ ticket: text.length, key }),
          reconcile: async () => null,
        });
      },
      next: async (ctx, prepared, change) => {
        // @ts-expect-error: next changes nothing
        void ctx.change;
        if (change.status === 'applied') ctx.publish('ticket', { payload: { n: change.result.ticket } });
        // @ts-expect-error: not what the change returned
        if (change.status === 'applied') void change.result.nothing;
        return { filed: prepared.filed + 1 };
      },
    })
    .consumer('announce', { subscribe: ['ticket'], prepare: async () => ({ reservations: [], data: {} }) });
  expect([...workflow.producers.keys(), ...workflow.consumers.keys()]).toEqual(['poll', 'file', 'announce']);
  // @ts-expect-error: a topic that the workflow does not have
  workflow.consumer('bad', { subscribe: ['nope'], prepare: () => ({ reservations: [], data: null }) });
});
