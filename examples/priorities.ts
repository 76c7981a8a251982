/**
 * Which of the waiting runs goes first. One place in the queue, four pieces of work: the highest priority first.
 * `high` is 100, `normal` 0, `low` -100; a number goes between them.
 */
import { openCarillon } from 'carillon';

const carillon = await openCarillon('memory:');
const order: string[] = [];
let finish = () => {};
const finished = new Promise<void>((resolve) => {
  finish = resolve;
});
const mail = carillon.handle<string>(
  'mail',
  ({ input }) => {
    order.push(input);
    if (order.length === 4) finish();
  },
  { concurrency: 1 },
);

// Queued before start(), so that all of them wait when the worker looks for the first time.
await carillon.runs.enqueue({ run: mail, input: 'newsletter', priority: 'low' });
await carillon.runs.enqueue({ run: mail, input: 'receipt' });
await carillon.runs.enqueue({ run: mail, input: 'password reset', priority: 'high' });
await carillon.runs.enqueue({ run: mail, input: 'invoice', priority: 10 });

await carillon.start();
await finished;
console.log(order.join(', '));
await carillon.stop();
