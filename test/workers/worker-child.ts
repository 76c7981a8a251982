/**
 * A worker in a process of its own, until it is killed. Arguments: address of the server, lease in ms. It tells its parent of every
 * handler; handlers go on when the parent sends its first message, so that faults meet them at work on any machine.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorker } from '../../packages/carillon/src/client/index.ts';

const [url = '', leaseMs = ''] = process.argv.slice(2);
const released = once(process, 'message');
const worker = createWorker({
  url,
  leaseMs: Number(leaseMs),
  concurrency: 20,
  onTrouble: () => {},
  handlers: {
    work: async ({ id, signal, log, attempt }) => {
      process.send?.({ began: id });
      log('attempt', attempt, 'in', process.pid);
      await Promise.race([released, once(signal, 'abort')]);
      await sleep(10, undefined, { signal });
      process.send?.({ ended: id });
      return process.pid;
    },
  },
});
process.on('disconnect', () => process.exit(0));
await worker.start();
process.send?.({ ready: worker.id });
