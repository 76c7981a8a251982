/** Unmodified activity workers of the TypeScript SDK run scheduled work. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';
import { quietRuntime } from './quiet-runtime.ts';

type Activities = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

let stage: GrpcStage;
let connection: NativeConnection;

beforeAll(async () => {
  quietRuntime();
  stage = await GrpcStage.open();
  connection = await NativeConnection.connect({ address: stage.address });
});
afterAll(async () => {
  await connection.close();
  await stage[Symbol.asyncDispose]();
});

/** Runs a worker on a queue of the test's own while `work` runs. */
async function withWorker<T>(taskQueue: string, activities: Activities, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({ connection, taskQueue, activities });
  return await worker.runUntil(work);
}

async function start(id: string, workflowType: string, action: object = {}) {
  const handle = await stage.client.schedule.create(
    schedule(id, {
      action: { type: 'startWorkflow', workflowType, taskQueue: id, args: [], ...action },
    } as never),
  );
  await handle.trigger();
  const { info } = await until(
    async () => await handle.describe(),
    ({ info: { recentActions } }) => recentActions.length > 0,
  );
  const [started] = info.recentActions;
  const { workflowId, firstExecutionRunId } = (
    started as never as { action: { workflow: { workflowId: string; firstExecutionRunId: string } } }
  ).action.workflow;
  return stage.client.workflow.getHandle(workflowId, firstExecutionRunId);
}

describe('an activity named like the workflow type', () => {
  test('gets the arguments, and its result is the result of the workflow', async () => {
    const add = async (...args: unknown[]) => {
      const { workflowExecution, attempt, taskQueue } = Context.current().info;
      return {
        sum: (args as number[]).reduce((a, b) => a + b),
        workflow: workflowExecution?.workflowId,
        attempt,
        taskQueue,
      };
    };
    await withWorker('adding', { add }, async () => {
      const workflow = await start('adding', 'add', { args: [1, 2, 3] });
      expect(await workflow.result()).toEqual({
        sum: 6,
        workflow: workflow.workflowId,
        attempt: 1,
        taskQueue: 'adding',
      });
    });
  });

  test('is tried again after a failure, with the details of its last heartbeat', async () => {
    const seen: unknown[] = [];
    const flaky = async () => {
      const { attempt, heartbeatDetails } = Context.current().info;
      seen.push(heartbeatDetails);
      if (attempt === 1) {
        Context.current().heartbeat({ done: 7 });
        throw ApplicationFailure.create({ message: 'not yet', type: 'Flaky', nextRetryDelay: '5ms' });
      }
      return attempt;
    };
    await withWorker('flaky', { flaky }, async () => {
      const workflow = await start('flaky', 'flaky', {
        retry: { maximumAttempts: 3, initialInterval: '5ms' },
      });
      expect(await workflow.result()).toBe(2);
      expect(seen).toEqual([undefined, { done: 7 }]);
    });
  });

  test('that fails for good fails the workflow, in its own words', async () => {
    const failing = () =>
      Promise.reject(ApplicationFailure.nonRetryable('no way', 'Hopeless', { why: 'this' }));
    await withWorker('failing', { failing }, async () => {
      const workflow = await start('failing', 'failing', { retry: { maximumAttempts: 5 } });
      const { cause } = (await workflow.result().catch((error: unknown) => error)) as {
        cause: ApplicationFailure;
      };
      expect(cause).toBeInstanceOf(ApplicationFailure);
      expect(cause).toMatchObject({
        message: 'no way',
        type: 'Hopeless',
        nonRetryable: true,
        details: [{ why: 'this' }],
      });
    });
  });

  test('is cancelled at once, although it sends no heartbeats', async () => {
    let isRunning = false;
    const endless = async () => {
      isRunning = true;
      await Context.current().cancelled;
    };
    await withWorker('endless', { endless }, async () => {
      const workflow = await start('endless', 'endless');
      await until(() => isRunning);
      await workflow.cancel();
      await workflow.result().catch(() => undefined);
      expect((await workflow.describe()).status.name).toBe('CANCELLED');
    });
  });

  test('is tried elsewhere when its worker stops under it', async () => {
    const attempts: number[] = [];
    const patient = async () => {
      attempts.push(attempts.length + 1);
      if (attempts.length === 1) await Context.current().cancelled;
      return 'done';
    };
    const first = await Worker.create({
      connection,
      taskQueue: 'moving',
      activities: { patient },
      shutdownGraceTime: 0,
    });
    const running = first.run();
    const workflow = await start('moving', 'patient');
    await until(() => attempts.length === 1);
    first.shutdown();
    await running;
    await withWorker('moving', { patient }, async () => expect(await workflow.result()).toBe('done'));
    expect(attempts).toEqual([1, 2]);
  });
});
