/**
 * Three reasons not to take an event yet: it does not meet a criterion, ten of them make a batch (with a deadline), and once a
 * day is enough (a digest). A consumer that takes nothing sleeps; `wakeAt` wakes it earlier than the host's timeout.
 */
import { createHost, defineWorkflow, topic } from 'carillon/host';
import { CarillonWorld } from 'carillon/testing';

const minute = 60_000;
const clock = (at: number) => new Date(at).toISOString().slice(11, 16);

const orders = defineWorkflow({
  name: 'orders',
  topics: {
    order: topic<{ readonly paid: boolean }>(),
    parcel: topic<{ readonly order: string }>(),
    news: topic<string>(),
  },
})
  // Filters by a criterion that is not met yet: an order is taken once it is published again as paid.
  .consumer('pack', {
    subscribe: ['order'],
    publishes: ['parcel', 'news'],
    prepare: async (ctx) => {
      const paid = (await ctx.peek('order')).filter(({ payload }) => payload.paid).map(({ id }) => id);
      return { reservations: [{ topic: 'order', ids: paid }], data: { paid } };
    },
    next: (ctx, { paid }) => {
      for (const order of paid) {
        ctx.publish('parcel', { id: order, payload: { order } });
        ctx.publish('news', { id: order, payload: `packed ${order}` });
      }
    },
  })
  // Batches of ten, or what is there when the oldest has waited for half an hour.
  .consumer('ship', {
    subscribe: ['parcel'],
    prepare: async (ctx) => {
      const parcels = await ctx.peek('parcel', { limit: 10 });
      const [oldest] = parcels;
      const deadline = oldest === undefined ? 0 : oldest.publishedAt + 30 * minute;
      if (parcels.length < 10 && ctx.now() < deadline)
        return { reservations: [], data: null, wakeAt: deadline };
      if (parcels.length > 0) console.log(`${clock(ctx.now())} shipped ${parcels.length}`);
      return { reservations: [{ topic: 'parcel', ids: parcels.map(({ id }) => id) }], data: null };
    },
  })
  // A digest, once a day at nine.
  .consumer('digest', {
    subscribe: ['news'],
    prepare: async (ctx) => {
      const nine = Math.floor(ctx.now() / 86_400_000) * 86_400_000 + 9 * 60 * minute;
      const news = await ctx.peek('news', { limit: 1000 });
      if (ctx.now() < nine || news.every(({ publishedAt }) => publishedAt > nine))
        return { reservations: [], data: null };
      console.log(`${clock(ctx.now())} digest of ${news.length}`);
      return { reservations: [{ topic: 'news', ids: news.map(({ id }) => id) }], data: null };
    },
  });

await using world = await CarillonWorld.start({
  setup: (carillon) => void createHost({ carillon, workflows: [orders], settings: { sleepTimeout: '1h' } }),
});
const { hosts } = world.carillon();
for (let n = 1; n <= 14; n += 1) {
  await hosts.publish('orders', 'order', { id: `o${n}`, payload: { paid: n !== 3 } });
  await world.advance('1m');
}
await world.advance('1h');
// The payment of the third arrives: the same id, so it is the same event.
await hosts.publish('orders', 'order', { id: 'o3', payload: { paid: true } });
await world.advance('1d');
const { topics } = await hosts.describe('orders');
console.log(topics.map(({ name, pending }) => `${name} ${pending}`).join(', '));
