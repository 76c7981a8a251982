/** Started workflows through the official client: what it can read of them, and how it stops them. */

import type { ScheduleOptions } from '@temporalio/client';
import {
  ApplicationFailure,
  CancelledFailure,
  Client,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../../packages/carillon/src/main.ts';
import { NonRetryable } from '../../../packages/carillon/src/main.ts';
import { runIdOf } from '../../../packages/server/src/door/temporal/workflows/run-uuid.ts';
import { until } from '../../support/until.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';

const eventStarted = 1;
const eventCompleted = 2;

let stage: GrpcStage;

/** Runs of `gated` end when their gate opens. */
const gates = new Map<string, () => void>();

function handlers(carillon: Carillon): void {
  carillon.handle('add', ({ input }: { input: readonly [number, number] }) => input[0] + input[1]);
  carillon.handle('nothing', () => {});
  carillon.handle('fail', () => {
    throw new NonRetryable('no luck', { details: { tries: 3 } });
  });
  carillon.handle('slow', async ({ signal }) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  carillon.handle('gated', async ({ input }: { input: string }) => {
    await new Promise<void>((resolve) => gates.set(input, resolve));
    return `through ${input}`;
  });
}

beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, handlers);
  await stage.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { Color: 2, Size: 3, Story: 1 },
  });
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

type Action = ScheduleOptions['action'];

/** A schedule that runs once, now; answers with the workflow it started. */
async function startOne(scheduleId: string, workflowType: string, fields: Partial<Action> = {}) {
  const action = { type: 'startWorkflow', workflowType, taskQueue: 'default', ...fields } as Action;
  const handle = await stage.client.schedule.create(
    schedule(scheduleId, { action, state: { triggerImmediately: true } }),
  );
  const { info } = await until(
    () => handle.describe(),
    ({ info }) => info.recentActions.length > 0,
  );
  const started = info.recentActions[0]?.action;
  if (started?.type !== 'startWorkflow') throw new Error('nothing was started');
  return { ...started.workflow, handle: stage.client.workflow.getHandle(started.workflow.workflowId) };
}

async function failureOf(result: Promise<unknown>): Promise<WorkflowFailedError> {
  const error = await result.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(WorkflowFailedError);
  return error as WorkflowFailedError;
}

describe('the result of a workflow', () => {
  test('comes back as its handler returned it', async () => {
    const { handle } = await startOne('adds', 'add', { args: [2, 3] });
    await expect(handle.result()).resolves.toBe(5);
  });

  test('is undefined when the handler returns nothing', async () => {
    const { handle } = await startOne('returns-nothing', 'nothing');
    await expect(handle.result()).resolves.toBeUndefined();
  });

  test('is an application failure with type, message, stack and details when it failed', async () => {
    const { handle } = await startOne('fails', 'fail');
    const { cause } = await failureOf(handle.result());
    expect(cause).toBeInstanceOf(ApplicationFailure);
    const failure = cause as ApplicationFailure;
    expect(failure).toMatchObject({ message: 'no luck', type: 'NonRetryable', nonRetryable: true });
    expect(failure.details).toEqual([{ tries: 3 }]);
    expect(failure.stack).toContain('no luck');
  });

  test('is a timeout when its time was up', async () => {
    const { handle } = await startOne('times-out', 'slow', { workflowExecutionTimeout: '100ms' });
    const { cause } = await failureOf(handle.result());
    expect(cause).toBeInstanceOf(TimeoutFailure);
    expect((await handle.describe()).status.name).toBe('TIMED_OUT');
  });

  test('is waited for', async () => {
    const { handle } = await startOne('waits', 'gated', { args: ['a'] });
    await until(async () => gates.has('a'), Boolean);
    const result = handle.result();
    gates.get('a')?.();
    await expect(result).resolves.toBe('through a');
  });

  test('of an unknown workflow is not found', async () => {
    const handle = stage.client.workflow.getHandle('absent');
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(handle.describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(handle.cancel()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(handle.terminate()).rejects.toBeInstanceOf(WorkflowNotFoundError);
  });

  test('of a run that is not there is not found, though its workflow is', async () => {
    const { workflowId } = await startOne('other-run', 'nothing');
    const handle = stage.client.workflow.getHandle(workflowId, 'no-such-run');
    await expect(handle.describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
  });
});

describe('stopping a workflow', () => {
  test('a cancelled one ends as cancelled, and says so before it has ended', async () => {
    const { handle } = await startOne('cancels', 'slow');
    await until(
      () => handle.describe(),
      ({ status }) => status.name === 'RUNNING',
    );
    await handle.cancel();
    const { cause } = await failureOf(handle.result());
    expect(cause).toBeInstanceOf(CancelledFailure);
    const { status, raw } = await handle.describe();
    expect(status.name).toBe('CANCELLED');
    expect(raw.workflowExtendedInfo?.cancelRequested).toBe(true);
  });

  test('a terminated one ends at once, with the reason', async () => {
    const { handle } = await startOne('terminates', 'slow');
    await handle.terminate('enough');
    const { cause } = await failureOf(handle.result());
    expect(cause).toBeInstanceOf(TerminatedFailure);
    expect(cause?.message).toBe('enough');
    expect((await handle.describe()).status.name).toBe('TERMINATED');
  });

  test('one that is over cannot be terminated any more; cancelling it is no error', async () => {
    const { handle } = await startOne('over', 'nothing');
    await handle.result();
    await handle.cancel();
    expect((await handle.describe()).status.name).toBe('COMPLETED');
    await expect(handle.terminate()).rejects.toBeInstanceOf(WorkflowNotFoundError);
  });

  test('it is audited with who did it', async () => {
    const { handle, firstExecutionRunId } = await startOne('audited', 'slow');
    await handle.terminate('on the record');
    const { items } = await internalsOf(stage.carillon).runtime.store.audit({
      target: `run/${runIdOf(firstExecutionRunId)}`,
      limit: 10,
    });
    expect(items).toMatchObject([{ door: 'temporal', action: 'terminate', note: 'on the record' }]);
    expect(items[0]?.actor).toContain('@');
  });

  test('a first run that is another one guards against stopping the wrong one', async () => {
    const { workflowId, handle } = await startOne('guarded', 'slow');
    const request = {
      namespace: 'default',
      workflowExecution: { workflowId },
      firstExecutionRunId: 'another',
      reason: 'x',
    };
    await expect(stage.service.terminateWorkflowExecution(request)).rejects.toMatchObject({ code: 5 });
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});

describe('the description of a workflow', () => {
  test('has what the action said, and where it came from', async () => {
    const { handle, workflowId, firstExecutionRunId } = await startOne('described', 'add', {
      args: [1, 2],
      memo: { note: 'hello' },
      searchAttributes: { Color: ['red'], Size: [42] },
      workflowExecutionTimeout: '1h',
      staticSummary: 'a sum',
    });
    await handle.result();
    const described = await handle.describe();
    expect(described).toMatchObject({
      type: 'add',
      workflowId,
      runId: firstExecutionRunId,
      taskQueue: 'default',
      status: { name: 'COMPLETED' },
      historyLength: 2,
      memo: { note: 'hello' },
    });
    expect(workflowId).toMatch(/^described-workflow-\d{4}-.*Z$/);
    const typed = new Map(
      described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, [key.type, value]]),
    );
    expect(typed.get('Color')).toEqual(['KEYWORD', 'red']);
    expect(typed.get('Size')).toEqual(['INT', 42]);
    expect(typed.get('TemporalScheduledById')).toEqual(['KEYWORD', 'described']);
    expect(described.searchAttributes).toMatchObject({
      Color: ['red'],
      Size: [42],
      TemporalScheduledById: ['described'],
    });
    const [nominal] = described.searchAttributes.TemporalScheduledStartTime as Date[];
    expect(workflowId.endsWith(`${nominal?.toISOString().slice(0, 19)}Z`)).toBe(true);
    expect(described.startTime.getTime()).toBeLessThanOrEqual(described.closeTime?.getTime() ?? 0);
    await expect(described.staticSummary()).resolves.toBe('a sum');
    expect(described.raw.executionConfig?.workflowExecutionTimeout?.seconds?.toNumber()).toBe(3600);
  });

  test('stays as the action was when it started, though the schedule has changed since', async () => {
    const { handle } = await startOne('changes', 'nothing', { memo: { version: 1 } });
    await handle.result();
    const scheduled = stage.client.schedule.getHandle('changes');
    await scheduled.update((previous) => ({
      ...previous,
      action: { ...previous.action, memo: { version: 2 } } as Action & { workflowId: string },
    }));
    expect((await handle.describe()).memo).toEqual({ version: 1 });
    await scheduled.trigger();
    const [first] = await until(
      async () => await listed("TemporalScheduledById = 'changes'"),
      (found) => found.length === 2,
    );
    expect(first?.memo).toEqual({ version: 2 });
  });
});

describe('the history of a workflow', () => {
  test('has its beginning with input, memo and attributes, and its end', async () => {
    const { handle } = await startOne('history', 'add', { args: [20, 22], memo: { why: 'test' } });
    await handle.result();
    const { events } = await handle.fetchHistory();
    expect(events?.map(({ eventType }) => eventType)).toEqual([eventStarted, eventCompleted]);
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.workflowType?.name).toBe('add');
    expect(started?.input?.payloads?.map(({ data }) => Buffer.from(data ?? []).toString())).toEqual([
      '20',
      '22',
    ]);
    expect(Object.keys(started?.memo?.fields ?? {})).toEqual(['why']);
    expect(started?.identity).toBe('temporal-scheduler-default-history');
  });

  test('hands on the result of the run before', async () => {
    const { handle } = await startOne('chained', 'add', { args: [1, 1] });
    await handle.result();
    const scheduled = stage.client.schedule.getHandle('chained');
    // The workflow ids of two triggers within a second would be the same, so they differ by the run id.
    await scheduled.trigger();
    const [last] = await until(
      () => listed("TemporalScheduledById = 'chained'"),
      (found) => found.length === 2,
    );
    if (last === undefined) throw new Error('unreachable');
    const { events } = await stage.client.workflow.getHandle(last.workflowId, last.runId).fetchHistory();
    const { lastCompletionResult } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    expect(Buffer.from(lastCompletionResult?.payloads?.[0]?.data ?? []).toString()).toBe('2');
  });

  test('is served newest first too, and in pages to those who wait for more', async () => {
    const { workflowId, handle } = await startOne('paged', 'gated', { args: ['paged'] });
    await until(async () => gates.has('paged'), Boolean);
    const request = { namespace: 'default', execution: { workflowId }, waitNewEvent: true };
    const first = await stage.service.getWorkflowExecutionHistory(request);
    expect(first.history?.events).toHaveLength(1);
    expect(first.nextPageToken?.length).toBeGreaterThan(0);
    const next = stage.service.getWorkflowExecutionHistory({
      ...request,
      nextPageToken: first.nextPageToken,
    });
    gates.get('paged')?.();
    const { history, nextPageToken } = await next;
    expect(history?.events?.map(({ eventId }) => Number(eventId))).toEqual([2]);
    expect(nextPageToken ?? []).toHaveLength(0);
    await handle.result();
    const reverse = await stage.service.getWorkflowExecutionHistoryReverse(request);
    expect(reverse.history?.events?.map(({ eventId }) => Number(eventId))).toEqual([2, 1]);
  });

  test('only the end of one that goes on is nothing, unless it is waited for', async () => {
    const { workflowId, handle } = await startOne('goes-on', 'slow');
    const request = { namespace: 'default', execution: { workflowId }, historyEventFilterType: 2 };
    const { history, nextPageToken } = await stage.service.getWorkflowExecutionHistory(request);
    expect(history?.events ?? []).toHaveLength(0);
    expect(nextPageToken ?? []).toHaveLength(0);
    await handle.terminate();
  });

  test('a token that is not ours is refused', async () => {
    const request = {
      namespace: 'default',
      execution: { workflowId: 'x' },
      nextPageToken: Buffer.from('junk'),
    };
    await expect(stage.service.getWorkflowExecutionHistory(request)).rejects.toMatchObject({ code: 3 });
  });
});

async function listed(query: string, pageSize?: number) {
  const found = [];
  for await (const each of stage.client.workflow.list({
    query,
    ...(pageSize === undefined ? {} : { pageSize }),
  })) {
    found.push(each);
  }
  return found;
}

describe('finding workflows', () => {
  beforeAll(async () => {
    const attributes = (color: string, size: number) => ({ Color: [color], Size: [size] });
    const starts = await Promise.all([
      startOne('find-1', 'add', { args: [1, 1], searchAttributes: attributes('blue', 1) }),
      startOne('find-2', 'add', { args: [1, 2], searchAttributes: attributes('blue', 2) }),
      startOne('find-3', 'fail', { searchAttributes: attributes('green', 3) }),
    ]);
    await Promise.all(starts.map(({ handle }) => handle.result().catch(() => {})));
  });

  const found = async (query: string, pageSize?: number) =>
    (await listed(query, pageSize))
      .map(({ searchAttributes }) => searchAttributes.TemporalScheduledById?.[0])
      .sort();

  test.each([
    ["TemporalScheduledById = 'find-1'", ['find-1']],
    ["TemporalScheduledById IN ('find-1', 'find-2', 'absent')", ['find-1', 'find-2']],
    ["TemporalScheduledById STARTS_WITH 'find-' AND ExecutionStatus = 'Completed'", ['find-1', 'find-2']],
    ["TemporalScheduledById STARTS_WITH 'find-' AND ExecutionStatus != 'Completed'", ['find-3']],
    ["Color = 'blue'", ['find-1', 'find-2']],
    ["Color = 'blue' AND Size > 1", ['find-2']],
    ["Color IN ('blue', 'green') AND WorkflowType = 'fail'", ['find-3']],
    ["TemporalScheduledById = 'find-1' AND ParentWorkflowId IS NULL", ['find-1']],
    ["TemporalScheduledById = 'find-1' AND ExecutionStatus = 'ContinuedAsNew'", []],
    [
      "TemporalScheduledById = 'find-1' AND StartTime > '2000-01-01T00:00:00Z' AND CloseTime IS NOT NULL",
      ['find-1'],
    ],
    ["TemporalScheduledById = 'find-1' AND ExecutionDuration < '10m' AND TaskQueue = 'default'", ['find-1']],
    ["TemporalScheduledById = 'find-1' AND TemporalNamespaceDivision IS NULL", ['find-1']],
    ["TemporalScheduledById = 'absent'", []],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('by workflow id and by run id', async () => {
    const [one] = await listed("TemporalScheduledById = 'find-1'");
    const [two] = await listed("TemporalScheduledById = 'find-2'");
    expect(await found(`WorkflowId = '${one?.workflowId}'`)).toEqual(['find-1']);
    expect(await found(`RunId = '${one?.runId}'`)).toEqual(['find-1']);
    expect(await found(`RunId IN ('${one?.runId}', '${two?.runId}') AND Size = 2`)).toEqual(['find-2']);
    expect(await found(`WorkflowId IN ('${one?.workflowId}', '${two?.workflowId}')`)).toEqual([
      'find-1',
      'find-2',
    ]);
    expect(await found(`WorkflowId = '${one?.workflowId}' OR RunId = '${two?.runId}'`)).toEqual([
      'find-1',
      'find-2',
    ]);
  });

  test('in pages of one, nothing is lost and nothing comes twice', async () => {
    expect(await found("TemporalScheduledById STARTS_WITH 'find-'", 1)).toEqual([
      'find-1',
      'find-2',
      'find-3',
    ]);
    const ids = "TemporalScheduledById IN ('find-1', 'find-2', 'find-3')";
    expect(await found(ids, 1)).toEqual(['find-1', 'find-2', 'find-3']);
  });

  test('a page token does not go with another query', async () => {
    const request = { namespace: 'default', query: "TemporalScheduledById = 'find-1'", pageSize: 1 };
    const { nextPageToken } = await stage.service.listWorkflowExecutions(request);
    const other = { ...request, query: "TemporalScheduledById = 'find-2'", nextPageToken };
    await expect(stage.service.listWorkflowExecutions(other)).rejects.toMatchObject({ code: 3 });
  });

  test('they are counted, by status too', async () => {
    const { client } = stage;
    await expect(client.workflow.count("Color = 'blue'")).resolves.toMatchObject({ count: 2, groups: [] });
    const query = "TemporalScheduledById IN ('find-1','find-2','find-3') GROUP BY ExecutionStatus";
    await expect(client.workflow.count(query)).resolves.toEqual({
      count: 3,
      groups: [
        { count: 2, groupValues: [['Completed']] },
        { count: 1, groupValues: [['Failed']] },
      ],
    });
  });

  test('what cannot be understood is refused with the reason', async () => {
    const list = (query: string) => stage.service.listWorkflowExecutions({ namespace: 'default', query });
    await expect(list('Nope = 1')).rejects.toMatchObject({
      code: 3,
      details: 'invalid query: invalid search attribute: Nope at position 1',
    });
    await expect(list('GROUP BY ExecutionStatus')).rejects.toMatchObject({ code: 3 });
    await expect(list("WorkflowType = 'x' ORDER BY StartTime DESC")).rejects.toMatchObject({ code: 3 });
  });

  test('runs of a deleted schedule are still found by its id', async () => {
    const { handle } = await startOne('deleted', 'nothing');
    await handle.result();
    await stage.client.schedule.getHandle('deleted').delete();
    expect(await found("TemporalScheduledById = 'deleted'")).toEqual(['deleted']);
    expect((await handle.describe()).status.name).toBe('COMPLETED');
  });
});

describe('another namespace', () => {
  test('neither sees, finds nor stops a workflow, though it knows both ids', async () => {
    const namespace = 'elsewhere';
    await stage.service.registerNamespace({ namespace });
    const { workflowId, firstExecutionRunId: runId, handle } = await startOne('private', 'slow');
    const other = new Client({ connection: stage.connection, namespace }).workflow;
    const stranger = other.getHandle(workflowId, runId);
    await expect(stranger.describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(stranger.cancel()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(stranger.terminate()).rejects.toBeInstanceOf(WorkflowNotFoundError);
    await expect(stranger.fetchHistory()).rejects.toMatchObject({ code: 5 });
    for (const query of [`RunId = '${runId}'`, `WorkflowId = '${workflowId}'`, '']) {
      await expect(other.count(query)).resolves.toMatchObject({ count: 0 });
    }
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});

describe('a server that stops', () => {
  test('sends those who wait away at once, to ask elsewhere', async () => {
    const leaving = await GrpcStage.open({ drainMs: 20_000 }, {}, handlers);
    const action = {
      type: 'startWorkflow',
      workflowType: 'gated',
      taskQueue: 'default',
      args: ['leaving'],
    } as Action;
    await leaving.client.schedule.create(schedule('s', { action, state: { triggerImmediately: true } }));
    await until(async () => gates.has('leaving'), Boolean);
    const [run] = (await internalsOf(leaving.carillon).runtime.store.runs({ limit: 1 })).items;
    const poll = leaving.service.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: run?.alias ?? '' },
      waitNewEvent: true,
      historyEventFilterType: 2,
    });
    // Calls of one connection arrive in order: once this one is answered, the other one waits.
    await leaving.service.getSystemInfo({});
    const stopped = leaving.server.stop();
    const { history, nextPageToken } = await poll;
    expect(history?.events ?? []).toEqual([]);
    expect(nextPageToken?.length).toBeGreaterThan(0);
    gates.get('leaving')?.();
    await stopped;
    await leaving.connection.close();
  });
});
