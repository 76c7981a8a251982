/** The queue under the schedules, used alone: work now, work later, and a request id against doing it twice. */
import { openCarillon } from 'carillon';

const carillon = await openCarillon('memory:');
let finish = () => {};
const allDone = new Promise<void>((resolve) => {
  finish = resolve;
});
let sent = 0;
const send = carillon.handle<{ to: string }>(
  'send',
  ({ input, schedule }) => {
    sent += 1;
    console.log(`sent to ${input.to}${schedule === null ? ', no schedule asked for it' : ''}`);
    if (sent === 3) finish();
  },
  { queue: 'mail', concurrency: 2 },
);
await carillon.start();

await carillon.runs.enqueue({ run: send, input: { to: 'ada' } });

const soon = new Date(Date.now() + 500);
const later = await carillon.runs.enqueue({ run: send, input: { to: 'grace' }, at: soon });
console.log(`grace has to wait: ${later.availableAt === soon.getTime()}`);

// A web request that is repeated queues its work once.
const order = { run: send, input: { to: 'alan' }, requestId: 'order-4711' };
const first = await carillon.runs.enqueue(order);
const again = await carillon.runs.enqueue(order);
console.log(`the same request is the same run: ${first.id === again.id}`);

const unwanted = await carillon.runs.enqueue({
  run: send,
  input: { to: 'absent' },
  at: new Date(Date.now() + 3_600_000),
});
console.log(`a run that still waits is cancelled at once: ${await carillon.runs.cancel(unwanted.id)}`);

await allDone;
console.log(`${sent} mails were sent`);
await carillon.stop();
