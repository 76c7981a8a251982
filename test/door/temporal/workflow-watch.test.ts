/** Waiting for a workflow to end, and searching very many workflows, in virtual time and without a socket. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { addTime, instant } from '../../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { newRun } from '../../../packages/carillon/src/runs/run.ts';
import { runId } from '../../../packages/carillon/src/runs/run-id.ts';
import { AttributeRegistry } from '../../../packages/carillon/src/service/attribute-registry.ts';
import { Namespaces } from '../../../packages/carillon/src/service/namespaces.ts';
import type { SearchTuning } from '../../../packages/carillon/src/service/run-search/run-search.ts';
import { RunSearch } from '../../../packages/carillon/src/service/run-search/run-search.ts';
import type { Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/index.ts';
import type { Call, Method } from '../../../packages/server/src/door/temporal/method.ts';
import { workflowMethods } from '../../../packages/server/src/door/temporal/workflows/methods.ts';

let world: CarillonWorld;

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Counts the requests to the store, and its listeners. */
class Overheard {
  reads = 0;
  listeners = 0;

  over(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'runs') {
          return (...args: Parameters<Store['runs']>) => {
            this.reads += 1;
            return target.runs(...args);
          };
        }
        if (name === 'subscribe') {
          return (listener: Parameters<Store['subscribe']>[0]) => {
            this.listeners += 1;
            const leave = target.subscribe(listener);
            return () => {
              this.listeners -= 1;
              leave();
            };
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}

async function open(tuning: Partial<SearchTuning> = {}) {
  const leaving = new AbortController();
  const overheard = new Overheard();
  const gates: (() => void)[] = [];
  world = await CarillonWorld.start({
    patienceMs: 0,
    setup: (carillon) => {
      carillon.handle('gated', async () => await new Promise<void>((resolve) => gates.push(resolve)));
    },
  });
  const { clock } = world;
  let made = 0;
  const newId = () => `door-${made++}`;
  const store = overheard.over(world.store);
  const methods = workflowMethods({
    runs: internalsOf(world.carillon()).services.runs,
    runSearch: new RunSearch({ store, clock, tuning }),
    namespaces: new Namespaces({ store, clock, newId, archetypes: [] }),
    attributes: new AttributeRegistry({ store, clock, newId }),
    leaving: leaving.signal,
  });
  const ask = async (name: string, request: object, signal = new AbortController().signal) => {
    const call: Call = {
      identity: { actor: 'test', role: 'admin', namespaces: null },
      body: new Uint8Array(),
      metadata: { get: () => undefined },
      remainingMs: Number.POSITIVE_INFINITY,
      signal,
    };
    // biome-ignore lint/suspicious/noExplicitAny: each method has an answer of its own
    return (await (methods[name] as Method)({ namespace: 'default', ...request }, call)) as any;
  };
  return { ask, overheard, gates, leaving };
}

/** A native schedule that has one run going. */
async function startGated(): Promise<{ readonly workflowId: string; readonly runId: string }> {
  await world.carillon().schedules.create('s', { every: '1h', run: 'gated' });
  await world.advance('1h');
  const { items } = await world.store.runs({ namespace: 'default', limit: 1 });
  const [run] = items;
  if (run === undefined) throw new Error('nothing runs');
  return { workflowId: 's-2026-01-01T01:00:00Z', runId: run.id };
}

const closeOnly = { waitNewEvent: true, historyEventFilterType: 2 };

describe('a long poll for the end of a workflow', () => {
  test('gives an empty page and a token after twenty seconds, having looked only now and then', async () => {
    const { ask, overheard } = await open();
    const execution = await startGated();
    const before = overheard.reads;
    let answer: { history: { events: object[] }; nextPageToken?: Uint8Array } | undefined;
    const poll = ask('GetWorkflowExecutionHistory', { execution, ...closeOnly }).then((given) => {
      answer = given;
    });
    await world.advance('19s');
    expect(answer).toBeUndefined();
    await world.advance('1s');
    await poll;
    expect(answer?.history.events).toEqual([]);
    expect(answer?.nextPageToken?.length).toBeGreaterThan(0);
    expect(overheard.reads - before).toBeLessThanOrEqual(6);
    expect(overheard.listeners).toBe(0);
  });

  test('ends without any time passing when the run does, and stays with its run', async () => {
    const { ask, gates } = await open();
    const execution = await startGated();
    const poll = ask('GetWorkflowExecutionHistory', { execution, ...closeOnly });
    await world.settle();
    const at = world.now;
    gates[0]?.();
    const { history, nextPageToken } = await poll;
    expect(history.events).toHaveLength(1);
    expect(history.events[0]).toMatchObject({ eventType: 2, eventId: 2 });
    expect(nextPageToken).toBeUndefined();
    expect(world.now).toBe(at);
  });

  test('ends when the run is terminated', async () => {
    const { ask } = await open();
    const execution = await startGated();
    const poll = ask('GetWorkflowExecutionHistory', { execution, ...closeOnly });
    await world.settle();
    const workflowExecution = execution;
    const stop = { workflowExecution, reason: 'stop', identity: '', firstExecutionRunId: '' };
    await ask('TerminateWorkflowExecution', stop);
    const { history } = await poll;
    expect(history.events[0]).toMatchObject({
      eventType: 27,
      workflowExecutionTerminatedEventAttributes: { reason: 'stop' },
    });
  });

  test('is given up when the caller goes away, and leaves nothing behind', async () => {
    const { ask, overheard } = await open();
    const execution = await startGated();
    const controller = new AbortController();
    const poll = ask('GetWorkflowExecutionHistory', { execution, ...closeOnly }, controller.signal);
    const outcome = expect(poll).rejects.toMatchObject({ code: 'cancelled' });
    await world.settle();
    expect(overheard.listeners).toBe(1);
    controller.abort();
    await outcome;
    expect(overheard.listeners).toBe(0);
  });

  test('ends at once with an empty page and a token when the server goes', async () => {
    const { ask, overheard, leaving } = await open();
    const execution = await startGated();
    const poll = ask('GetWorkflowExecutionHistory', { execution, ...closeOnly });
    await world.settle();
    leaving.abort();
    const { history, nextPageToken } = await poll;
    expect(history.events).toEqual([]);
    expect(nextPageToken.length).toBeGreaterThan(0);
    expect(overheard.listeners).toBe(0);
  });

  test('of many callers needs one subscription, and one reading when something happens', async () => {
    const { ask, overheard, gates } = await open();
    const execution = await startGated();
    const polls = Array.from({ length: 50 }, () =>
      ask('GetWorkflowExecutionHistory', { execution, ...closeOnly }),
    );
    await world.settle();
    expect(overheard.listeners).toBe(1);
    const before = overheard.reads;
    gates[0]?.();
    for (const { history } of await Promise.all(polls)) expect(history.events).toHaveLength(1);
    expect(overheard.reads - before).toBeLessThanOrEqual(3);
    expect(overheard.listeners).toBe(0);
  });
});

/** Writes finished runs of a schedule that no longer exists directly into the store. */
async function fill(count: number): Promise<void> {
  const start = world.now;
  const rows = Array.from({ length: count }, (_, index) => {
    const nominal = addTime(start, index) as Instant;
    const run = newRun({
      id: runId(nominal, `${index}`),
      alias: `wf-${index}`,
      namespace: 'default',
      queue: 'q',
      name: index % 5000 === 0 ? 'rare' : 'common',
      now: nominal,
      options: { nominal, schedule: 'old', workflowId: `wf-${index}` },
    });
    return { ...run, state: 'done' as const, outcome: 'completed' as const, finishedAt: nominal };
  });
  for (let at = 0; at < rows.length; at += 5000) {
    await world.store.transact(
      { kind: 'keys', keys: [] },
      { decide: () => ({ writes: { newRuns: rows.slice(at, at + 5000) }, result: null }) },
    );
  }
}

test('a workflow id alone means the run that was started last, not the one for the latest time', async () => {
  const { ask } = await open();
  const run = (nominal: number, startedAt: number) =>
    newRun({
      id: runId(instant(nominal), `${nominal}`),
      alias: 'same',
      namespace: 'default',
      queue: 'q',
      name: `for-${nominal}`,
      now: instant(startedAt),
      options: { nominal: instant(nominal), schedule: 's', workflowId: 'same' },
    });
  // The one for 2000 is backfilled after the one for 3000 ran.
  const newRuns = [run(1000, 1000), run(3000, 3000), run(2000, 9000)];
  await world.store.transact(
    { kind: 'keys', keys: [] },
    { decide: () => ({ writes: { newRuns }, result: null }) },
  );
  const { workflowExecutionInfo } = await ask('DescribeWorkflowExecution', {
    execution: { workflowId: 'same' },
  });
  expect(workflowExecutionInfo.type.name).toBe('for-2000');
});

describe('looking through very many workflows', () => {
  test('every page looks at a bounded number, and the pages together miss nothing', async () => {
    const { ask, overheard } = await open();
    await fill(25_000);
    // Not a condition the store can search by.
    const query = "WorkflowType STARTS_WITH 'rare'";
    const found: string[] = [];
    let nextPageToken: Uint8Array | undefined;
    let pages = 0;
    do {
      const before = overheard.reads;
      const answer = await ask('ListWorkflowExecutions', { query, pageSize: 100, nextPageToken });
      expect(overheard.reads - before).toBeLessThanOrEqual(42);
      for (const { execution } of answer.executions) found.push(execution.workflowId);
      nextPageToken = answer.nextPageToken;
      pages += 1;
    } while (nextPageToken !== undefined);
    expect(found).toEqual(['wf-20000', 'wf-15000', 'wf-10000', 'wf-5000', 'wf-0']);
    expect(pages).toBe(3);
  });

  test('runs that come in between two pages shift nothing', async () => {
    const { ask } = await open();
    await fill(600);
    const first = await ask('ListWorkflowExecutions', { query: '', pageSize: 300 });
    await world.advance('1d');
    await fill(1);
    const second = await ask('ListWorkflowExecutions', {
      query: '',
      pageSize: 1000,
      nextPageToken: first.nextPageToken,
    });
    const ids = [...first.executions, ...second.executions].map(({ execution }) => execution.workflowId);
    expect(ids).toEqual(Array.from({ length: 600 }, (_, index) => `wf-${599 - index}`));
  });

  test('a count is right, or refused: never cut', async () => {
    const { ask } = await open({ examinedPerCount: 6000 });
    await fill(6000);
    await expect(ask('CountWorkflowExecutions', { query: "WorkflowType = 'rare'" })).resolves.toEqual({
      count: 2,
    });
    await expect(ask('CountWorkflowExecutions', { query: '' })).resolves.toEqual({ count: 6000 });
    await world.advance('1d');
    await fill(10);
    await expect(ask('CountWorkflowExecutions', { query: '' })).rejects.toMatchObject({
      code: 'failedPrecondition',
      reason: 'TOO_MANY_TO_COUNT',
    });
    await expect(ask('CountWorkflowExecutions', { query: "WorkflowId = 'wf-7'" })).resolves.toEqual({
      count: 2,
    });
  });
});
