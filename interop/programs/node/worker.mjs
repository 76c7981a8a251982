// An activity worker of Temporal's TypeScript SDK. It prints what its activities do, so that a test knows when to kill what.
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address, taskQueue, name] = process.argv.slice(2);

function told(what) {
  const { activityType, attempt } = Context.current().info;
  console.log(`${what} ${activityType} ${attempt}`);
  return attempt;
}

const notYet = () => ApplicationFailure.retryable('not yet', 'Flaky');

const activities = {
  add: async (a, b, c) => ({ sum: a + b + c, attempt: told('began') }),
  resumes: async () => {
    if (told('began') > 1) return [Context.current().info.heartbeatDetails];
    Context.current().heartbeat({ done: 7 });
    throw notYet();
  },
  flaky: async () => {
    const attempt = told('began');
    if (attempt < 3) throw notYet();
    return attempt;
  },
  broken: async () => {
    told('began');
    throw ApplicationFailure.nonRetryable('never', 'Broken');
  },
  waits: async () => {
    told('began');
    try {
      for (;;) {
        Context.current().heartbeat();
        await Context.current().sleep(200);
      }
    } catch (error) {
      told('cancelled');
      throw error;
    }
  },
  slow: async (seconds) => {
    const attempt = told('began');
    await sleep(seconds * 1000);
    return { by: name, attempt };
  },
};

const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({ connection, taskQueue, activities, identity: name });
console.log('ready');
await worker.run();
