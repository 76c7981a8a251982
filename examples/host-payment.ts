/**
 * A payment whose answer is lost. The host never repeats it: it asks whether it happened, and when the bank cannot tell, it
 * stops and leaves the decision to a person.
 */
import { createHost, defineWorkflow, topic } from 'carillon/host';
import { CarillonWorld } from 'carillon/testing';

/** A bank that executes the transfer, loses the answer, and does not answer questions. */
const transfers: string[] = [];

const payroll = defineWorkflow({
  name: 'payroll',
  topics: { salary: topic<{ readonly amount: number }>() },
}).consumer('pay', {
  subscribe: ['salary'],
  prepare: async (ctx) => {
    const [first] = await ctx.peek('salary', { limit: 1 });
    const ids = first === undefined ? [] : [first.id];
    return { reservations: [{ topic: 'salary', ids }], data: { amount: first?.payload.amount ?? 0 } };
  },
  mutate: (ctx, { amount }) =>
    ctx.change('transfer', {
      run: (key) => {
        transfers.push(`${amount} under ${key}`);
        throw new Error('the connection was lost');
      },
      reconcile: () => {
        throw new Error('the bank is closed');
      },
    }),
  next: (_, { amount }, change) => {
    console.log(
      `${amount}: ${change.status}${change.status === 'applied' ? `, receipt ${JSON.stringify(change.result)}` : ''}`,
    );
  },
});

await using world = await CarillonWorld.start({
  expectFailures: true,
  setup: (carillon) => void createHost({ carillon, workflows: [payroll] }),
});
const { hosts } = world.carillon();
await hosts.publish('payroll', 'salary', { id: 'march', payload: { amount: 4000 } });
await world.advance('1h');
const { status, attention, work } = await hosts.describe('payroll');
console.log(`${status}: ${attention?.replace(work?.change?.key ?? '', '…')}`);
await hosts.resume('payroll').catch((error: Error) => console.log(`resume is refused: ${error.message}`));
// A person looks at the account, finds the transfer, and says so.
await hosts.resolve(
  'payroll',
  { action: 'happened', result: { receipt: 17 } },
  { note: 'seen on the statement' },
);
await world.advance('1m');
console.log(`${transfers.length} transfer, ${(await hosts.describe('payroll')).status}`);
