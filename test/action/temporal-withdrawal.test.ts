/** Runs on a Temporal cluster that are stopped while no attempt watches their workflow: it must not go on. */
import { afterEach, expect, test } from 'vitest';
import { temporalQueues } from '../../packages/carillon/src/action/temporal-action.ts';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { findHandler } from '../../packages/carillon/src/runs/context.ts';
import { until } from '../support/until.ts';
import type { ReceivedStart, StubAnswers } from './temporal-stub.ts';
import { TemporalStub } from './temporal-stub.ts';

const unavailable = 14;
const invalidArgument = 3;
const open = 1;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Scene {
  readonly carillon: Carillon;
  readonly starts: ReceivedStart[];
  /** What the cluster was asked besides starts. */
  readonly asked: { readonly how: string; readonly request: Record<string, unknown> }[];
}

/** A cluster that begins every workflow and loses the answer, and then shows it as open. */
async function scene(
  receive: (start: ReceivedStart) => void = (start) => start.fail(unavailable),
  answers: Partial<StubAnswers> = {},
  store = 'memory:',
): Promise<Scene> {
  const starts: ReceivedStart[] = [];
  const asked: { how: string; request: Record<string, unknown> }[] = [];
  const note = (how: string) => (request: object) => {
    asked.push({ how, request: request as Record<string, unknown> });
    return {};
  };
  const stub = await TemporalStub.open(
    (start) => {
      starts.push(start);
      receive(start);
    },
    {
      describeWorkflowExecution: () => describedOf(starts, starts.at(-1)?.request.requestId ?? ''),
      requestCancelWorkflowExecution: note('cancel'),
      terminateWorkflowExecution: note('terminate'),
      ...answers,
    },
  );
  const carillon = await openCarillon({
    store,
    onWarning: () => {},
    temporal: { address: stub.address },
  });
  await carillon.start();
  closing.push(async () => {
    await carillon.stop({ drainMs: 0 });
    await stub[Symbol.asyncDispose]();
  });
  await carillon.schedules.create('s', {
    every: '1d',
    temporal: { workflowType: 'report', taskQueue: 'reports' },
    retry: { attempts: 10, initial: '1h', longest: '1h' },
  });
  return { carillon, starts, asked };
}

function describedOf(starts: readonly ReceivedStart[], requestId: string): object {
  const { workflowId } = starts.at(-1)?.request ?? {};
  return {
    workflowExecutionInfo: { status: open, execution: { workflowId, runId: 'run' }, firstRunId: 'first' },
    workflowExtendedInfo: { requestIdInfos: { [requestId]: { eventType: 1, eventId: 1 } } },
  };
}

/** Triggers the schedule and waits until its first attempt has failed. */
async function afterLostAnswer({ carillon }: Scene) {
  await carillon.schedules.trigger('s');
  const run = await until(
    async () => (await carillon.schedules.runs('s', { limit: 1 })).items[0],
    (found) => found?.state === 'waiting' && found.attempt === 1,
  );
  return run as NonNullable<typeof run>;
}

async function withdrawals({ runs }: Carillon) {
  const { items } = await runs.list({ limit: 100, include: 'payloads' });
  return items.filter(({ name }) => name === 'withdraw report');
}

test.each(['cancel', 'terminate'] as const)(
  'a %s between two attempts reaches the workflow whose start was not answered',
  async (how) => {
    const here = await scene(undefined, {}, 'sqlite::memory:');
    const run = await afterLostAnswer(here);
    expect(await here.carillon.runs[how](run.id, { reason: 'not needed' })).toBe('ended');
    const { how: done, request } = await until(() => here.asked[0]);
    expect(done).toBe(how);
    expect(request).toMatchObject({
      namespace: 'default',
      workflowExecution: { workflowId: here.starts[0]?.request.workflowId },
      firstExecutionRunId: 'first',
      reason: 'not needed',
    });
    const [withdrawal] = await until(
      async () => await withdrawals(here.carillon),
      ([found]) => found?.state === 'done',
    );
    expect(withdrawal).toMatchObject({ outcome: 'completed', result: { withdrawn: true } });
    expect(here.starts).toHaveLength(1);
  },
);

test('a start that replaces it terminates the workflow whose start was not answered', async () => {
  const here = await scene((start) => {
    if (here.starts.length === 1) start.fail(unavailable);
  });
  await afterLostAnswer(here);
  const [first] = here.starts;
  await here.carillon.schedules.trigger('s', { overlap: 'terminateOther' });
  const { how, request } = await until(() => here.asked[0]);
  expect(how).toBe('terminate');
  expect(request).toMatchObject({ workflowExecution: { workflowId: first?.request.workflowId } });
});

test('a cluster that is down is asked again until it has stopped the workflow', async () => {
  let looks = 0;
  const here = await scene(undefined, {
    describeWorkflowExecution: () => {
      looks += 1;
      if (looks === 1) throw Object.assign(new Error('down'), { code: unavailable });
      return describedOf(here.starts, here.starts[0]?.request.requestId ?? '');
    },
  });
  const run = await afterLostAnswer(here);
  await here.carillon.runs.cancel(run.id);
  expect((await until(() => here.asked[0])).how).toBe('cancel');
  expect(looks).toBe(2);
});

test('a holder that cannot reach the cluster leaves the cancel to a withdrawal', async () => {
  let cancels = 0;
  const here = await scene((start) => start.answer(), {
    requestCancelWorkflowExecution: () => {
      cancels += 1;
      if (cancels === 1) throw Object.assign(new Error('down'), { code: unavailable });
      return {};
    },
  });
  await here.carillon.schedules.trigger('s');
  const run = await until(
    async () => (await here.carillon.schedules.runs('s', { limit: 1 })).items[0],
    (found) => found?.state === 'leased',
  );
  await until(() => here.starts[0]);
  await here.carillon.runs.cancel(run?.id ?? '');
  await until(() => cancels === 2);
  expect((await here.carillon.runs.get(run?.id ?? '')).outcome).toBe('cancelled');
});

test('a workflow of another request under the same id is left alone', async () => {
  const here = await scene(undefined, {
    describeWorkflowExecution: () => describedOf(here.starts, 'of somebody else'),
  });
  const run = await afterLostAnswer(here);
  await here.carillon.runs.terminate(run.id);
  const [withdrawal] = await until(
    async () => await withdrawals(here.carillon),
    ([found]) => found?.state === 'done',
  );
  expect(withdrawal?.result).toEqual({ withdrawn: false });
  expect(here.asked).toEqual([]);
});

test('a start that the cluster refused has nothing to withdraw', async () => {
  const here = await scene((start) => start.fail(invalidArgument));
  await here.carillon.schedules.trigger('s');
  await until(async () => (await here.carillon.schedules.runs('s', { limit: 1 })).items[0]?.state === 'done');
  expect(await withdrawals(here.carillon)).toEqual([]);
});

test('a probe that is given up before it was sent does not keep the breaker open', async () => {
  let ahead = 0;
  const clock = new SystemClock();
  const shifted = Object.assign(Object.create(clock) as SystemClock, {
    now: () => (clock.now() + ahead) as Instant,
  });
  let code = unavailable;
  let asked = 0;
  const stub = await TemporalStub.open((start) => {
    asked += 1;
    if (code === 0) start.answer();
    else start.fail(code);
  });
  const queue = temporalQueues({ clock: shifted, address: stub.address })['@temporal/default'];
  closing.push(async () => {
    await queue?.close?.();
    await stub[Symbol.asyncDispose]();
  });
  const perform = async (signal = new AbortController().signal) =>
    await findHandler(
      queue?.handlers ?? {},
      'report',
    )?.({
      id: 'run',
      namespace: 'default',
      input: { workflowType: 'report', taskQueue: 'reports', follow: false },
      schedule: null,
      workflowId: 'w',
      cause: null,
      scheduledAt: shifted.now(),
      lastResult: null,
      lastFailure: null,
      previousFailure: null,
      signal,
    } as never);
  for (let failure = 0; failure < 5; failure += 1)
    await expect(perform()).rejects.toThrow(/refused the start/);
  await expect(perform()).rejects.toThrow(/asked again later/);
  expect(asked).toBe(5);

  ahead = 6000;
  const stopped = new Error('the process stops');
  await expect(perform(AbortSignal.abort(stopped))).rejects.toBe(stopped);
  expect(asked).toBe(5);
  code = 0;
  expect(await perform()).toMatchObject({ workflowId: 'w' });
  // It answered, so the next one is no probe.
  expect(await perform()).toMatchObject({ workflowId: 'w' });
});
