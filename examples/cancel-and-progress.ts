/**
 * A long run reports how far it is, and stops cleanly when a caller cancels it: its AbortSignal aborts. The next
 * attempt of a run that failed half-way finds the stored progress and goes on from there. Progress is stored about once a
 * second, so an attempt may repeat a little: write work that can bear that.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openCarillon, RunInterrupted } from 'carillon';

const carillon = await openCarillon('memory:');
const copy = carillon.handle<{ files: number; failAt?: number }>('copy', async (run) => {
  const { files, failAt } = run.input;
  const from = (run.progress as { done: number } | null)?.done ?? 0;
  console.log(`attempt ${run.attempt} begins at file ${from}`);
  for (let done = from; done < files; done += 1) {
    if (run.attempt === 1 && done === failAt) throw new Error(`file ${done} is locked`);
    try {
      await pause(50, undefined, { signal: run.signal });
    } catch {
      if (run.signal.reason instanceof RunInterrupted)
        console.log(`told to stop (${run.signal.reason.kind}: ${run.signal.reason.message}) at file ${done}`);
      throw run.signal.reason;
    }
    run.heartbeat({ done: done + 1 });
  }
  return `${files} files`;
});
await carillon.start();

const retried = await carillon.runs.enqueue({
  run: copy,
  input: { files: 6, failAt: 3 },
  retry: { attempts: 2, initial: '100ms' },
});
await carillon.runs.wait(retried.id);

const long = await carillon.runs.enqueue({ run: copy, input: { files: 1000 } });
let { progress } = await carillon.runs.get(long.id);
while (progress === null) {
  await pause(20);
  ({ progress } = await carillon.runs.get(long.id));
}
console.log(`progress that every reader sees: ${JSON.stringify(progress)}`);
await carillon.runs.cancel(long.id, { reason: 'the disk is full' });
const ended = await carillon.runs.wait(long.id);
console.log(`the run is ${ended.outcome}: ${ended.failure?.message}`);
await carillon.stop();
