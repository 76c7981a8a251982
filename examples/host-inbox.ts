/**
 * An inbox poller feeds a ticket creator, which correlates two topics: a ticket is filed only when the mail and the customer
 * record it belongs to have both arrived. An afternoon of it passes in milliseconds.
 */
import { createHost, defineWorkflow, topic } from 'carillon/host';
import { CarillonWorld } from 'carillon/testing';

interface Mail {
  readonly from: string;
  readonly subject: string;
}

/** The mailbox and the ticket system that the workflow talks to. */
const mailbox: (Mail & { readonly at: number })[] = [
  { at: 10, from: 'ann@example.com', subject: 'printer on fire' },
  { at: 12, from: 'bob@example.com', subject: 'no coffee' },
];
const tickets = new Map<string, string>();

const inbox = defineWorkflow({
  name: 'inbox',
  topics: {
    mail: topic<Mail>(),
    customer: topic<{ readonly name: string }>(),
    ticket: topic<{ readonly title: string }>(),
  },
})
  .producer('poll', {
    schedule: { interval: '5m' },
    publishes: ['mail'],
    handler: (ctx, state: { readonly seen: number } | undefined) => {
      const minute = Math.floor(ctx.scheduledAt / 60_000) % 60;
      const fresh = mailbox.filter((mail, index) => mail.at <= minute && index >= (state?.seen ?? 0));
      for (const { from, subject } of fresh) ctx.publish('mail', { id: from, payload: { from, subject } });
      return { seen: (state?.seen ?? 0) + fresh.length };
    },
  })
  .consumer('file', {
    subscribe: ['mail', 'customer'],
    publishes: ['ticket'],
    // Takes a mail only together with the record of its sender; otherwise it sleeps until the record arrives.
    prepare: async (ctx) => {
      for (const mail of await ctx.peek('mail')) {
        const [customer] = await ctx.get('customer', [mail.id]);
        if (customer?.state !== 'pending') continue;
        const reservations = [
          { topic: 'mail' as const, ids: [mail.id] },
          { topic: 'customer' as const, ids: [customer.id] },
        ];
        return { reservations, data: { title: `${customer.payload.name}: ${mail.payload.subject}` } };
      }
      return { reservations: [], data: { title: '' } };
    },
    mutate: (ctx, { title }) =>
      ctx.change('create-ticket', {
        run: (key) => {
          tickets.set(key, title);
          return { number: tickets.size };
        },
        reconcile: (key) => (tickets.has(key) ? { number: tickets.size } : null),
      }),
    next: (ctx, { title }, change) => {
      if (change.status === 'applied')
        ctx.publish('ticket', { id: String(change.result.number), payload: { title } });
    },
  })
  .consumer('announce', {
    subscribe: ['ticket'],
    prepare: async (ctx) => {
      const fresh = await ctx.peek('ticket');
      for (const { id, payload } of fresh)
        console.log(`${new Date(ctx.now()).toISOString().slice(11, 16)} ticket ${id}: ${payload.title}`);
      return { reservations: [{ topic: 'ticket', ids: fresh.map(({ id }) => id) }], data: null };
    },
  });

await using world = await CarillonWorld.start({
  setup: (carillon) => void createHost({ carillon, workflows: [inbox] }),
});
const { hosts } = world.carillon();
await world.advance('11m');
console.log((await hosts.explain('inbox', { consumer: 'file' })).text);
await hosts.publish('inbox', 'customer', { id: 'ann@example.com', payload: { name: 'Ann' } });
await world.advance('10m');
await hosts.publish('inbox', 'customer', { id: 'bob@example.com', payload: { name: 'Bob' } });
await world.advance('1m');
console.log(`${tickets.size} tickets`);
