/** A worker in a process of its own, until it is killed. Arguments: address of the server, lease in ms. Tells its parent of every handler. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorker } from '../../packages/carillon/src/client/index.ts';

const [url = '', leaseMs = ''] = process.argv.slice(2);
const worker = createWorker({
  url,
  leaseMs: Number(leaseMs),
  concurrency: 20,
  onTrouble: () => {},
  handlers: {
    work: async ({ id, signal, log, attempt }) => {
      process.send?.({ began: id });
      log('attempt', attempt, 'in', process.pid);
      await sleep(10, undefined, { signal });
      process.send?.({ ended: id });
      return process.pid;
    },
  },
});
process.on('disconnect', () => process.exit(0));
await worker.start();
process.send?.({ ready: worker.id });
