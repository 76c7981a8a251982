/**
 * The workflow host of the demo day: a producer looks for orders every three hours, one consumer books each order with the
 * carrier, another tells the customer. The last booking ended without an answer, and the carrier could not say whether it was
 * made, so the workflow asks a person. By then the carrier is back: asked once more, it knows the booking.
 */
import type { Carillon } from 'carillon';
import { createHost, defineWorkflow, topic } from 'carillon/host';
import type { Instant } from 'carillon/internal/base';

interface Order {
  readonly number: number;
}

export const hostName = 'demo-orders';

export interface DayHost {
  readonly now: () => Instant;
  /** The carrier does not answer from this time on. Absent when it always answers. */
  readonly silentFrom?: Instant;
}

/** Defines the demo's workflow. Call it before `start`, on a store that has the workflow or is to get it. */
export function hostDay(carillon: Carillon, { now, silentFrom }: DayHost): void {
  const orders = defineWorkflow({
    name: hostName,
    topics: { placed: topic<Order>(), booked: topic<Order>() },
  })
    .producer('look', {
      schedule: { cron: '20 */3 * * *' },
      publishes: ['placed'],
      handler: async (ctx, last: { readonly number: number } | undefined) => {
        const number = (last?.number ?? 1000) + 1;
        await ctx.publish('placed', { id: `order-${number}`, payload: { number } });
        return { number };
      },
    })
    .consumer('book', {
      subscribe: ['placed'],
      publishes: ['booked'],
      prepare: async (ctx) => {
        const found = await ctx.peek('placed', { limit: 1 });
        return {
          reservations: [{ topic: 'placed' as const, ids: found.map(({ id }) => id) }],
          data: { number: found[0]?.payload.number ?? 0 },
        };
      },
      mutate: async (ctx, { number }) => {
        const ask = () => {
          if (silentFrom !== undefined && now() >= silentFrom) throw new Error('the carrier did not answer');
          return `booking ${number}`;
        };
        return await ctx.change('book', { run: ask, reconcile: ask });
      },
      next: async (ctx, { number }) => {
        await ctx.publish('booked', { id: `order-${number}`, payload: { number } });
      },
    })
    .consumer('tell', {
      subscribe: ['booked'],
      prepare: async (ctx) => {
        const found = await ctx.peek('booked', { limit: 1 });
        return { reservations: [{ topic: 'booked' as const, ids: found.map(({ id }) => id) }], data: {} };
      },
    });
  createHost({ carillon, workflows: [orders] });
}
