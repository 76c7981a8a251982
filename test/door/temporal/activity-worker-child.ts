/**
 * An activity worker of the TypeScript SDK in a process of its own, until it is killed. Argument: the address of the server. It reports
 * every attempt to its parent, and an attempt waits for a message of its parent, which may be lost with the process.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { quietRuntime } from './quiet-runtime.ts';

const [address = ''] = process.argv.slice(2);
quietRuntime();
const words = new Map<string, (word: string) => void>();
process.on('message', ({ to, word }: { to: string; word: string }) => words.get(to)?.(word));
process.on('disconnect', () => process.exit(0));

async function step(): Promise<unknown> {
  const { info, cancelled } = Context.current();
  const to = info.workflowExecution?.workflowId ?? '';
  const word = new Promise<string>((resolve) => words.set(to, resolve));
  Context.current().heartbeat({ at: info.attempt });
  process.send?.({ began: to, attempt: info.attempt, details: info.heartbeatDetails });
  const said = await Promise.race([word, cancelled]).catch((error: unknown) => {
    process.send?.({ cancelled: to });
    throw error instanceof CancelledFailure ? error : new CancelledFailure('cancelled');
  });
  if (said === 'fail') throw ApplicationFailure.nonRetryable('as told', 'Told');
  return { attempt: info.attempt, details: info.heartbeatDetails ?? null };
}

const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({ connection, taskQueue: 'steps', activities: { step } });
process.send?.({ ready: true });
await worker.run();
