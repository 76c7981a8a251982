/**
 * The lock as a utility of its own: two nodes on one store want to do the same thing, and one of them does. The fence tells
 * a late holder from the present one.
 */
import { openCarillon } from 'carillon';
import { acquireLock, storeLocks, withLock } from 'carillon/lock';

const carillon = await openCarillon('memory:');
const locks = storeLocks(carillon);

// What the lock protects remembers the largest fence it has seen, and refuses smaller ones.
let seen = 0;
function write(by: string, fence: number): void {
  console.log(fence < seen ? `${by}: too late, fence ${fence} is behind ${seen}` : `${by}: written`);
  seen = Math.max(seen, fence);
}

// Both try at the same time; the one that comes second gets null instead of waiting.
const job = (node: string) =>
  withLock(locks, 'invoices', { ttl: '30s' }, async (signal, { fence }) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    signal.throwIfAborted(); // aborts when the lock is lost
    write(node, fence);
    return node;
  });
const done = await Promise.all([job('node 1'), job('node 2')]);
console.log(`one of two did it: ${done.filter((node) => node !== null).length === 1}`);

// By hand. A holder that stood still for longer than its ttl has lost the lock without knowing.
const slow = await acquireLock(locks, 'invoices', { ttl: 20 });
await new Promise((resolve) => setTimeout(resolve, 60));
const quick = await acquireLock(locks, 'invoices', { ttl: '30s' });
write('the quick one', quick?.fence ?? 0);
write('the slow one', slow?.fence ?? 0);
await quick?.release();

await carillon.stop();
