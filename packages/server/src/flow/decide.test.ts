// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
import type { Instant } from 'carillon/internal/base';
import { addTime, instant } from 'carillon/internal/base';
import { describe, expect, it } from 'vitest';
import { pauseFlow, restartFlow, resumeFlow, retryFlow, skipTask, terminateFlow } from './controls.ts';
import type { FlowWork } from './decide.ts';
import { decide } from './decide.ts';
import type { TaskDefinition } from './definition.ts';
import { assumedTask } from './definition.ts';
import type { Flow, FlowTask } from './flow.ts';
import { mostFlowTasks, newFlow, withTask } from './flow.ts';
import { readWorkflowDefinition } from './read-definition.ts';
import { rerunFlow } from './rerun.ts';
import type { TaskEnd } from './task-end.ts';
import { endTask } from './task-end.ts';

const start = instant(Date.UTC(2027, 0, 1));
const simple = (reference: string, more: object = {}) => ({
  name: 'work',
  taskReferenceName: reference,
  ...more,
});
const typed = (type: string, reference: string, more: object = {}) => simple(reference, { type, ...more });

/** Drives the decision by hand: work is given out and ended by the test. */
class Driver {
  flow: Flow;
  now: Instant = start;
  wakeAt: Instant | null = null;
  readonly open = new Map<string, FlowWork>();

  constructor(
    tasks: readonly object[],
    {
      input = {},
      definition = {},
      tasksOf = {},
      id = 'w',
    }: {
      input?: object;
      definition?: object;
      tasksOf?: Record<string, Partial<TaskDefinition>>;
      id?: string;
    } = {},
  ) {
    const read = readWorkflowDefinition({ name: 'f', version: 1, tasks, ...definition });
    if (read.definition === undefined) throw new Error(JSON.stringify(read.problems));
    const taskDefinitions = Object.fromEntries(
      Object.entries(tasksOf).map(([name, fields]) => [name, { ...assumedTask(name), ...fields }]),
    );
    this.flow = newFlow({
      definition: read.definition,
      taskDefinitions,
      workflowId: id,
      input: input as Record<string, unknown>,
      priority: 0,
      taskToDomain: {},
      startedAt: start,
    });
    this.decide();
  }

  decide(): void {
    const { flow, work, wakeAt } = decide(this.flow, this.now);
    this.flow = flow;
    this.wakeAt = wakeAt;
    for (const each of work) {
      const current = this.flow.tasks.find(({ id }) => id === each.task.id) as FlowTask;
      this.flow = withTask(this.flow, { ...current, run: `run-${each.task.id}` });
      expect(this.open.has(each.task.id)).toBe(false);
      this.open.set(each.task.id, each);
    }
  }

  task(reference: string): FlowTask {
    const found = this.flow.tasks.findLast((task) => task.reference === reference);
    if (found === undefined)
      throw new Error(
        `no task ${reference}; there are ${this.flow.tasks.map((task) => task.reference).join(', ')}`,
      );
    return found;
  }

  end(reference: string, end: Partial<TaskEnd> = {}): this {
    const { id } = this.task(reference);
    expect(this.open.delete(id)).toBe(true);
    this.flow = endTask(this.flow, id, { status: 'COMPLETED', ...end }, this.now);
    this.decide();
    return this;
  }

  after(ms: number): this {
    this.now = addTime(this.now, ms);
    this.decide();
    return this;
  }

  control(change: (flow: Flow) => Flow): this {
    this.flow = change(this.flow);
    this.open.clear();
    this.decide();
    return this;
  }

  get waiting(): readonly string[] {
    return [...this.open.values()].map(({ task }) => task.reference);
  }

  get statuses(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.flow.tasks.map(({ reference, status }) => [reference, status]));
  }
}

describe('a sequence', () => {
  it('schedules one task after the other and hands outputs on', () => {
    const driver = new Driver(
      [
        simple('a', { inputParameters: { n: '${workflow.input.n}' } }),
        simple('b', { inputParameters: { r: '${a.output.r}' } }),
      ],
      {
        input: { n: 7 },
        definition: { outputParameters: { last: '${b.output.x}', n: '${workflow.input.n}' } },
      },
    );
    expect(driver.task('a').input).toEqual({ n: 7 });
    expect(driver.waiting).toEqual(['a']);
    driver.end('a', { output: { r: 9 } });
    expect(driver.task('b').input).toEqual({ r: 9 });
    driver.end('b', { output: { x: 'y' } });
    expect(driver.flow).toMatchObject({ status: 'COMPLETED', output: { last: 'y', n: 7 }, endedAt: start });
  });

  it('ends without any work when all its tasks are pure', () => {
    const driver = new Driver(
      [typed('SET_VARIABLE', 's', { inputParameters: { v: 5 } }), typed('NOOP', 'n')],
      { definition: { outputParameters: { v: '${workflow.variables.v}' } } },
    );
    expect(driver.flow).toMatchObject({ status: 'COMPLETED', output: { v: 5 }, variables: { v: 5 } });
  });

  it('gives the output of its last task when it names none', () => {
    expect(new Driver([simple('a')]).end('a', { output: { r: 1 } }).flow.output).toEqual({ r: 1 });
  });
});

describe('failures', () => {
  const tasksOf = { work: { retryCount: 2, retryDelaySeconds: 10 } };

  it('a failed task is repeated as another instance after its delay', () => {
    const driver = new Driver([simple('a')], { tasksOf });
    driver.end('a', { status: 'FAILED', reason: 'boom' });
    expect(
      driver.flow.tasks.map(({ status, retryCount, retried, seq }) => ({ status, retryCount, retried, seq })),
    ).toEqual([
      { status: 'FAILED', retryCount: 0, retried: true, seq: 1 },
      { status: 'SCHEDULED', retryCount: 1, retried: false, seq: 2 },
    ]);
    expect([...driver.open.values()][0]?.availableAt).toBe(start + 10_000);
    expect(driver.task('a')).toMatchObject({
      reason: 'boom',
      retriedTaskId: 'w.1',
      callbackAfterSeconds: 10,
    });
  });

  it('when no retry is left, the workflow fails with the reason, and open tasks are cancelled', () => {
    const driver = new Driver(
      [
        typed('FORK_JOIN', 'f', { forkTasks: [[simple('a')], [simple('b')]] }),
        typed('JOIN', 'j', { joinOn: ['a', 'b'] }),
      ],
      { tasksOf: { work: { retryCount: 0 } } },
    );
    driver.end('a', { status: 'FAILED', reason: 'boom' });
    expect(driver.flow).toMatchObject({
      status: 'FAILED',
      reason: "Task w.2 failed with status: FAILED and reason: 'boom'",
      failedReferences: ['a'],
    });
    expect(driver.statuses).toEqual({ f: 'COMPLETED', a: 'FAILED', b: 'CANCELED', j: 'CANCELED' });
  });

  it('a terminal error is not repeated', () => {
    expect(
      new Driver([simple('a')], { tasksOf }).end('a', { status: 'FAILED_WITH_TERMINAL_ERROR', reason: 'no' })
        .flow.status,
    ).toBe('FAILED');
  });

  it('the retries of the workflow task count before those of the task type', () => {
    expect(
      new Driver([simple('a', { retryCount: 0 })], { tasksOf }).end('a', { status: 'FAILED' }).flow.status,
    ).toBe('FAILED');
  });

  it('an optional task is passed with errors', () => {
    const driver = new Driver([simple('a', { optional: true, retryCount: 0 }), simple('b')]).end('a', {
      status: 'FAILED',
    });
    expect(driver.statuses).toEqual({ a: 'COMPLETED_WITH_ERRORS', b: 'SCHEDULED' });
  });

  it.each([
    ['FIXED', [10, 10, 10]],
    ['EXPONENTIAL_BACKOFF', [10, 20, 40]],
    ['LINEAR_BACKOFF', [10, 20, 30]],
  ] as const)('delays of %s', (retryLogic, delays) => {
    const driver = new Driver([simple('a')], {
      tasksOf: { work: { retryCount: 3, retryDelaySeconds: 10, retryLogic } },
    });
    const seen = delays.map(() => driver.end('a', { status: 'FAILED' }).task('a').callbackAfterSeconds);
    expect(seen).toEqual(delays);
  });

  it.each([
    ['TIME_OUT_WF', 'TIMED_OUT'],
    ['RETRY', 'RUNNING'],
  ] as const)('a task that took too long under %s leaves the workflow %s', (timeoutPolicy, status) => {
    const driver = new Driver([simple('a')], { tasksOf: { work: { retryCount: 1, timeoutPolicy } } });
    expect(driver.end('a', { status: 'TIMED_OUT', timeout: 'task', reason: 'slow' }).flow.status).toBe(
      status,
    );
  });

  it('a silent worker costs one attempt under every policy', () => {
    const driver = new Driver([simple('a')], { tasksOf: { work: { retryCount: 1, retryDelaySeconds: 0 } } });
    driver.end('a', { status: 'TIMED_OUT', timeout: 'response' });
    expect(driver.flow.status).toBe('RUNNING');
    expect(driver.end('a', { status: 'TIMED_OUT', timeout: 'response' }).flow.status).toBe('TIMED_OUT');
  });

  it('a workflow that took too long times out under TIME_OUT_WF only', () => {
    const definition = { timeoutSeconds: 60, timeoutPolicy: 'TIME_OUT_WF' };
    const driver = new Driver([simple('a')], { definition });
    expect(driver.wakeAt).toBe(start + 60_000);
    expect(driver.after(59_999).flow.status).toBe('RUNNING');
    expect(driver.after(1).flow).toMatchObject({ status: 'TIMED_OUT' });
    expect(driver.statuses).toEqual({ a: 'CANCELED' });
    expect(new Driver([simple('a')], { definition: { timeoutSeconds: 60 } }).after(100_000).flow.status).toBe(
      'RUNNING',
    );
  });
});

describe('the time of all tries together', () => {
  const limited = { work: { totalTimeoutSeconds: 100, retryCount: 5, retryDelaySeconds: 10 } };

  it('counts from the first try, through delays', () => {
    const driver = new Driver([simple('a')], { tasksOf: limited });
    expect(driver.wakeAt).toBe(addTime(start, 100_000));
    driver.now = addTime(start, 60_000);
    driver.end('a', { status: 'FAILED', reason: 'boom' });
    expect(driver.task('a')).toMatchObject({ retryCount: 1, firstScheduledAt: start });
    expect(driver.wakeAt).toBe(addTime(start, 100_000));
    driver.after(39_999);
    expect(driver.flow.status).toBe('RUNNING');
    driver.after(1);
    expect(driver.flow).toMatchObject({
      status: 'TIMED_OUT',
      tasks: [{ status: 'FAILED' }, { status: 'TIMED_OUT', timeout: 'total' }],
      reason: expect.stringContaining('exceeded total timeout of 100 seconds'),
    });
  });

  it('a failure after it is not tried again', () => {
    const driver = new Driver([simple('a')], {
      tasksOf: { work: { ...limited.work, timeoutPolicy: 'ALERT_ONLY' } },
    });
    expect(driver.wakeAt).toBeNull();
    driver.after(100_000).end('a', { status: 'FAILED', reason: 'boom' });
    expect(driver.flow).toMatchObject({ status: 'FAILED', tasks: [{ status: 'FAILED', retried: false }] });
  });

  it('under RETRY nothing is tried again either; an optional task is passed, and its run is stopped', () => {
    const tasksOf = { work: { ...limited.work, timeoutPolicy: 'RETRY' as const } };
    const strict = new Driver([simple('a')], { tasksOf }).after(100_000);
    expect(strict.flow).toMatchObject({ status: 'TIMED_OUT', tasks: [{ status: 'TIMED_OUT' }] });
    const lenient = new Driver([simple('a', { optional: true })], { tasksOf });
    const { flow, overdue } = decide(lenient.flow, addTime(start, 100_000));
    expect(flow).toMatchObject({ status: 'COMPLETED', tasks: [{ status: 'COMPLETED_WITH_ERRORS' }] });
    expect(overdue).toEqual(['run-w.1']);
  });

  it('a retry by a person begins it again', () => {
    const driver = new Driver([simple('a')], { tasksOf: limited }).after(100_000);
    driver.control((flow) => retryFlow(flow, driver.now));
    expect(driver.wakeAt).toBe(addTime(start, 200_000));
    expect(driver.end('a').flow.status).toBe('COMPLETED');
  });
});

it('a time that is longer than any store can keep is a century', () => {
  const endless = 2 ** 53;
  const century = addTime(start, 100 * 366 * 86_400_000);
  const driver = new Driver([simple('a', { startDelay: endless })], {
    tasksOf: { work: { totalTimeoutSeconds: endless } },
    definition: { timeoutSeconds: endless, timeoutPolicy: 'TIME_OUT_WF' },
  });
  expect([driver.wakeAt, [...driver.open.values()][0]?.availableAt]).toEqual([century, century]);
});

describe('the time of a task that no run measures', () => {
  it.each([
    ['WAIT', typed('WAIT', 'a')],
    ['SUB_WORKFLOW', typed('SUB_WORKFLOW', 'a', { subWorkflowParam: { name: 'other' } })],
    ['DO_WHILE', typed('DO_WHILE', 'a', { loopCondition: 'x', loopOver: [simple('b', { name: 'else' })] })],
  ])('%s', (_, task) => {
    const driver = new Driver([task], { tasksOf: { work: { timeoutSeconds: 60, retryCount: 0 } } });
    expect(driver.wakeAt).toBe(addTime(start, 60_000));
    driver.after(60_000);
    expect(driver.flow).toMatchObject({ status: 'TIMED_OUT', reason: expect.stringContaining('60 seconds') });
    expect(driver.statuses.a).toBe('TIMED_OUT');
  });

  it('asyncComplete: from the poll until the end comes from outside', () => {
    const driver = new Driver([simple('a', { asyncComplete: true })], {
      tasksOf: { work: { timeoutSeconds: 60, retryCount: 0 } },
    });
    driver.end('a', { startedAt: start });
    expect(driver.task('a').status).toBe('IN_PROGRESS');
    expect(driver.after(60_000).flow.status).toBe('TIMED_OUT');
  });
});

describe('the delay of a retry', () => {
  it('backoffJitterMs: up to so much more, the same however often it is decided', () => {
    const delays = Array.from({ length: 40 }, (_, index) => {
      const driver = new Driver([simple('a')], {
        id: `w${index}`,
        tasksOf: { work: { retryCount: 1, retryDelaySeconds: 2, backoffJitterMs: 3000 } },
      });
      const failed = endTask(driver.flow, driver.task('a').id, { status: 'FAILED' }, start);
      const [first, again] = [decide(failed, start), decide(failed, start)];
      expect(again.work).toEqual(first.work);
      expect(first.work[0]?.task.callbackAfterSeconds).toBe(2);
      return (first.work[0]?.availableAt ?? start) - start;
    });
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(2000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000);
    expect(new Set(delays).size).toBeGreaterThan(30);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(2000);
  });

  it('a loop whose condition fails is never repeated, even if its definition says so', () => {
    const driver = new Driver(
      [typed('DO_WHILE', 'a', { loopCondition: 'x', loopOver: [typed('NOOP', 'b')] })],
      { tasksOf: { work: { retryCount: 3 } } },
    );
    driver.end('a', { status: 'FAILED', reason: 'x is not defined' });
    expect(driver.flow).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('not defined') });
  });
});

describe('branches', () => {
  const choice = typed('SWITCH', 's', {
    evaluatorType: 'value-param',
    expression: 'k',
    inputParameters: { k: '${workflow.input.k}' },
    decisionCases: { x: [simple('a')], y: [] },
    defaultCase: [simple('d')],
  });

  it.each([
    ['x', 'a'],
    ['y', 'd'],
    [undefined, 'd'],
  ])('a switch on %s takes the case with %s', (k, reference) => {
    const driver = new Driver([choice, simple('z')], { input: k === undefined ? {} : { k } });
    expect(driver.waiting).toEqual([reference]);
    expect(driver.end(reference).waiting).toEqual(['z']);
  });

  it('a script decides a switch when its run has ended', () => {
    const driver = new Driver([{ ...choice, evaluatorType: 'javascript', expression: '$.k' }]);
    expect([...driver.open.values()][0]).toMatchObject({ kind: 'script', input: { script: '$.k' } });
    driver.end('s', { value: 'x' });
    expect(driver.task('s').output).toEqual({ evaluationResult: ['x'], selectedCase: 'x' });
    expect(driver.waiting).toEqual(['a']);
  });

  it('a join waits for what it names, and hands their outputs on', () => {
    const driver = new Driver([
      typed('FORK_JOIN', 'f', { forkTasks: [[simple('a1'), simple('a2')], [simple('b')]] }),
      typed('JOIN', 'j', { joinOn: ['a2', 'b'] }),
      simple('z'),
    ]);
    expect(driver.flow.tasks.map(({ reference }) => reference)).toEqual(['f', 'a1', 'b', 'j']);
    driver.end('b', { output: { n: 2 } }).end('a1');
    expect(driver.waiting).toEqual(['a2']);
    driver.end('a2', { output: { n: 1 } });
    expect(driver.task('j')).toMatchObject({ status: 'COMPLETED', output: { a2: { n: 1 }, b: { n: 2 } } });
    expect(driver.waiting).toEqual(['z']);
  });

  it('a join is complete with optional tasks that failed, and leaves out tasks without output', () => {
    const driver = new Driver([
      typed('FORK_JOIN', 'f', {
        forkTasks: [[simple('a', { optional: true, retryCount: 0 })], [simple('b')]],
      }),
      typed('JOIN', 'j', { joinOn: ['a', 'b'] }),
    ]);
    driver.end('a', { status: 'FAILED', reason: 'boom' }).end('b', { output: { n: 2 } });
    const { status, output } = driver.task('j');
    expect({ status, output }).toEqual({ status: 'COMPLETED', output: { b: { n: 2 } } });
    expect(driver.flow.status).toBe('COMPLETED');
  });
});

describe('loops', () => {
  const loop = typed('DO_WHILE', 'l', {
    loopCondition: '$.l.iteration < 3',
    inputParameters: { limit: 3 },
    loopOver: [
      simple('a', { inputParameters: { n: '${l.output.iteration}' } }),
      simple('b', { inputParameters: { r: '${a.output.r}' } }),
    ],
  });

  it('iterates until the script says no, and gathers outputs by iteration', () => {
    const driver = new Driver([loop, simple('z', { inputParameters: { second: '${l.output.2.b}' } })]);
    for (const n of [1, 2]) {
      expect(driver.task(`a__${n}`).input).toEqual({ n });
      driver.end(`a__${n}`, { output: { r: n } });
      expect(driver.task(`b__${n}`).input).toEqual({ r: n });
      driver.end(`b__${n}`, { output: { n } });
      expect(driver.waiting).toEqual(['l']);
      expect([...driver.open.values()][0]?.input).toMatchObject({
        input: { limit: 3, a: { r: n }, l: { iteration: n } },
      });
      driver.end('l', { value: n < 2 });
    }
    expect(driver.task('l')).toMatchObject({
      status: 'COMPLETED',
      output: { 1: { a: { r: 1 }, b: { n: 1 } }, 2: { b: { n: 2 } }, iteration: 2 },
    });
    expect(driver.task('z').input).toEqual({ second: { n: 2 } });
  });

  it('keepLastN drops older iterations with their tasks', () => {
    const driver = new Driver([{ ...loop, loopOver: [simple('a')], inputParameters: { keepLastN: 2 } }]);
    for (let n = 1; n <= 5; n += 1) driver.end(`a__${n}`, { output: { n } }).end('l', { value: n < 5 });
    expect(driver.task('l').output).toEqual({ 4: { a: { n: 4 } }, 5: { a: { n: 5 } }, iteration: 5 });
    expect(driver.flow.tasks.map(({ reference }) => reference)).toEqual(['l', 'a__4', 'a__5']);
    expect(driver.flow.status).toBe('COMPLETED');
  });

  it('a loop inside a loop has names of its own', () => {
    const inner = typed('DO_WHILE', 'i', { loopCondition: 'false', loopOver: [simple('a')] });
    const driver = new Driver([{ ...loop, loopOver: [inner] }]);
    driver.end('a__1__1').end('i__1', { value: false }).end('l', { value: true });
    expect(driver.waiting).toEqual(['a__2__1']);
  });

  it('a workflow ends at its 2,001st task, with the advice', () => {
    const driver = new Driver([
      typed('DO_WHILE', 'l', {
        loopCondition: 'true',
        loopOver: Array.from({ length: 40 }, (_, n) => typed('NOOP', `n${n}`)),
      }),
    ]);
    while (driver.flow.status === 'RUNNING') driver.end('l', { value: true });
    expect(driver.flow.tasks.length).toBe(mostFlowTasks);
    expect(driver.flow.reason).toMatch(/2000 tasks.*cluster/);
  });
});

describe('times and ends', () => {
  it('WAIT ends at its time', () => {
    const driver = new Driver([typed('WAIT', 'w', { inputParameters: { duration: '90s' } }), simple('z')]);
    expect(driver.wakeAt).toBe(start + 90_000);
    expect(driver.after(89_999).statuses).toEqual({ w: 'IN_PROGRESS' });
    expect(driver.after(1).statuses).toEqual({ w: 'COMPLETED', z: 'SCHEDULED' });
  });

  it('a WAIT time that is only known later fails the task with the right spelling', () => {
    const driver = new Driver(
      [typed('WAIT', 'w', { inputParameters: { duration: '${workflow.input.d}' } })],
      { input: { d: 'PT5M' } },
    );
    expect(driver.flow).toMatchObject({ status: 'FAILED', reason: expect.stringContaining("write '5m'") });
  });

  it.each(['COMPLETED', 'FAILED', 'TERMINATED'])(
    'TERMINATE ends the workflow as %s, with its own output',
    (terminationStatus) => {
      const driver = new Driver(
        [
          typed('FORK_JOIN', 'f', {
            forkTasks: [
              [simple('a')],
              [
                typed('TERMINATE', 't', {
                  inputParameters: {
                    terminationStatus,
                    workflowOutput: { o: '${workflow.input.n}' },
                    terminationReason: 'enough',
                  },
                }),
              ],
            ],
          }),
          typed('JOIN', 'j', { joinOn: ['a'] }),
        ],
        { input: { n: 1 } },
      );
      expect(driver.flow).toMatchObject({ status: terminationStatus, output: { o: 1 } });
      expect(driver.task('a').status).toBe('CANCELED');
      expect(driver.flow.reason).toBe('enough');
      expect(driver.flow.failedReferences).toEqual([]);
    },
  );

  it('asyncComplete waits for word from outside', () => {
    const driver = new Driver([
      typed('HTTP', 'h', { asyncComplete: true, inputParameters: { uri: 'http://x' } }),
    ]);
    driver.end('h', { output: { response: 1 } });
    expect(driver.statuses).toEqual({ h: 'IN_PROGRESS' });
    driver.flow = endTask(
      driver.flow,
      'w.1',
      { status: 'COMPLETED', output: { more: 2 }, fromOutside: true },
      start,
    );
    driver.decide();
    expect(driver.flow).toMatchObject({ status: 'COMPLETED', output: { response: 1, more: 2 } });
  });
});

describe('controls', () => {
  it('a paused workflow schedules nothing until it is resumed', () => {
    const driver = new Driver([simple('a'), simple('b')]);
    driver.flow = pauseFlow(driver.flow, start);
    driver.end('a');
    expect(driver.statuses).toEqual({ a: 'COMPLETED' });
    expect(driver.control((flow) => resumeFlow(flow, start)).waiting).toEqual(['b']);
  });

  it('retry repeats tasks that failed or were cancelled, and continues', () => {
    const driver = new Driver(
      [
        typed('FORK_JOIN', 'f', { forkTasks: [[simple('a')], [simple('b')]] }),
        typed('JOIN', 'j', { joinOn: ['a', 'b'] }),
      ],
      { tasksOf: { work: { retryCount: 0 } } },
    );
    driver.end('a', { status: 'FAILED' });
    driver.control((flow) => retryFlow(flow, start));
    expect([...driver.waiting].sort()).toEqual(['a', 'b']);
    expect(driver.end('a').end('b').flow.status).toBe('COMPLETED');
  });

  it('restart begins again under ids that were never used', () => {
    const driver = new Driver([simple('a')]).end('a');
    driver.control((flow) => restartFlow(flow, flow.origin));
    expect(driver.flow.tasks.map(({ id, seq }) => [id, seq])).toEqual([['w.2', 1]]);
  });

  it('rerun begins with a task that ran, and forgets what came after it', () => {
    const driver = new Driver([simple('a'), simple('b'), simple('c')]).end('a').end('b').end('c');
    driver.control((flow) => rerunFlow(flow, { fromTask: 'w.2', taskInput: { n: 1 } }, start));
    expect(driver.flow.tasks.map(({ reference, status }) => [reference, status])).toEqual([
      ['a', 'COMPLETED'],
      ['b', 'SCHEDULED'],
    ]);
    expect(driver.task('b').input).toEqual({ n: 1 });
    expect(driver.end('b').end('c').flow.status).toBe('COMPLETED');
  });

  describe('rerun', () => {
    const failing = { tasksOf: { work: { retryCount: 0 } } };
    const from = (driver: Driver, reference: string, more: object = {}) =>
      driver.control((flow) => rerunFlow(flow, { fromTask: driver.task(reference).id, ...more }, driver.now));

    it('the task keeps its id and its place', () => {
      const driver = new Driver([simple('a'), simple('b')], failing).end('a').end('b', { status: 'FAILED' });
      expect(from(driver, 'b').task('b')).toMatchObject({ id: 'w.2', seq: 2, status: 'SCHEDULED' });
      expect(driver.flow).toMatchObject({ status: 'RUNNING', failedReferences: [] });
      expect(driver.flow.reason).toBeUndefined();
      expect(driver.end('b').flow.status).toBe('COMPLETED');
    });

    it('with other input of the workflow, which later tasks see', () => {
      const read = { inputParameters: { n: '${workflow.input.n}' } };
      const driver = new Driver([simple('a', read), simple('b', read)], { input: { n: 1 } });
      driver.end('a').end('b');
      from(driver, 'a', { input: { n: 2 }, correlationId: 'c' });
      expect(driver.flow.origin).toMatchObject({
        input: { n: 2 },
        correlationId: 'c',
        startedAt: driver.now,
      });
      expect(driver.task('a').input).toEqual({ n: 1 });
      expect(driver.end('a').task('b').input).toEqual({ n: 2 });
    });

    const forked = [
      typed('FORK_JOIN', 'f', { forkTasks: [[simple('a')], [simple('b'), simple('c')]] }),
      typed('JOIN', 'j', { joinOn: ['a', 'c'] }),
      simple('z'),
    ];

    it('in a branch: what failed or was cancelled in others is tried again', () => {
      const driver = new Driver(forked, failing).end('a', { status: 'FAILED' });
      expect(driver.statuses).toMatchObject({ a: 'FAILED', b: 'CANCELED', j: 'CANCELED' });
      expect([...from(driver, 'b').waiting].sort()).toEqual(['a', 'b']);
      expect(driver.end('b').end('c').end('a').end('z').flow.status).toBe('COMPLETED');
    });

    it('in a branch of a workflow that was complete: later branches and the join run again', () => {
      const driver = new Driver(forked, failing).end('a').end('b').end('c').end('z');
      expect([...from(driver, 'a').waiting].sort()).toEqual(['a', 'b']);
      expect(driver.end('a').end('b').end('c').end('z').flow.status).toBe('COMPLETED');
      expect(driver.flow.tasks.map(({ reference }) => reference).sort()).toEqual('a b c f j z'.split(' '));
    });

    it('at the end of a branch: the join waits for it again', () => {
      const driver = new Driver(forked, failing).end('a').end('b').end('c').end('z');
      expect(from(driver, 'c').waiting).toEqual(['c']);
      expect(driver.statuses).toMatchObject({ a: 'COMPLETED', j: 'IN_PROGRESS' });
      expect(driver.end('c').end('z').flow.status).toBe('COMPLETED');
    });

    it('from the fork itself: all branches', () => {
      const driver = new Driver(forked, failing).end('a').end('b').end('c').end('z');
      expect([...from(driver, 'f').waiting].sort()).toEqual(['a', 'b']);
    });

    const looped = [
      typed('DO_WHILE', 'l', { loopCondition: 'x', loopOver: [simple('a'), simple('b')] }),
      simple('z', { inputParameters: { all: '${l.output}' } }),
    ];

    it('inside a loop: the loop continues in the iteration of the task', () => {
      const driver = new Driver(looped);
      for (const n of [1, 2, 3]) {
        driver.end(`a__${n}`, { output: { n } }).end(`b__${n}`);
        driver.end('l', { value: n < 3 });
      }
      driver.end('z');
      from(driver, 'b__2');
      expect(driver.waiting).toEqual(['b__2']);
      expect(driver.task('l')).toMatchObject({ status: 'IN_PROGRESS', iteration: 2 });
      expect(Object.keys(driver.task('l').output)).toEqual(['1', 'iteration']);
      driver.end('b__2', { output: { again: true } }).end('l', { value: false });
      expect(driver.task('z').input).toEqual({
        all: { 1: { a: { n: 1 }, b: {} }, 2: { a: { n: 2 }, b: { again: true } }, iteration: 2 },
      });
      expect(driver.end('z').flow.status).toBe('COMPLETED');
    });

    it('from a loop itself: all iterations', () => {
      const driver = new Driver(looped).end('a__1').end('b__1').end('l', { value: false }).end('z');
      expect(from(driver, 'l').waiting).toEqual(['a__1']);
      expect(driver.task('l')).toMatchObject({ iteration: 1, output: { iteration: 1 } });
    });

    it('inside loops in loops, forks and switches: every loop around it goes on in its iteration', () => {
      const inner = typed('DO_WHILE', 'inner', { loopCondition: 'x', loopOver: [simple('a')] });
      const fork = typed('FORK_JOIN', 'f', { forkTasks: [[inner], [simple('b')]] });
      const chosen = typed('SWITCH', 's', {
        evaluatorType: 'value-param',
        expression: 'k',
        inputParameters: { k: 'x' },
        decisionCases: { x: [fork, typed('JOIN', 'j', { joinOn: ['inner', 'b'] })] },
      });
      const driver = new Driver([typed('DO_WHILE', 'outer', { loopCondition: 'x', loopOver: [chosen] })]);
      for (const n of [1, 2]) {
        driver.end(`a__${n}__1`).end(`inner__${n}`, { value: true });
        driver.end(`a__${n}__2`).end(`inner__${n}`, { value: false });
        driver.end(`b__${n}`).end('outer', { value: n < 2 });
      }
      expect(driver.flow.status).toBe('COMPLETED');
      from(driver, 'a__1__2');
      expect(driver.task('outer')).toMatchObject({ status: 'IN_PROGRESS', iteration: 1 });
      expect(driver.task('inner__1')).toMatchObject({ status: 'IN_PROGRESS', iteration: 2 });
      expect(driver.waiting).toEqual(['a__1__2']);
      driver.end('a__1__2').end('inner__1', { value: false }).end('outer', { value: false });
      expect(driver.flow.status).toBe('COMPLETED');
    });

    it('tries of the task before it stay as they were', () => {
      const driver = new Driver([simple('a')], {
        tasksOf: { work: { retryCount: 1, retryDelaySeconds: 0 } },
      });
      driver.end('a', { status: 'FAILED' }).end('a', { status: 'FAILED' });
      from(driver, 'a');
      expect(driver.flow.tasks.map(({ id, status, retryCount }) => [id, status, retryCount])).toEqual([
        ['w.1', 'FAILED', 0],
        ['w.2', 'SCHEDULED', 0],
      ]);
      expect(driver.end('a').flow.status).toBe('COMPLETED');
    });

    it('from the start: no task is left, and variables are those of the definition', () => {
      const driver = new Driver([typed('SET_VARIABLE', 'v', { inputParameters: { n: 2 } }), simple('a')], {
        definition: { variables: { n: 1 } },
        input: { k: 1 },
      }).end('a');
      driver.control((flow) => rerunFlow(flow, {}, driver.now));
      expect(driver.flow).toMatchObject({
        status: 'RUNNING',
        variables: { n: 2 },
        origin: { input: { k: 1 } },
      });
      expect(driver.flow.tasks.map(({ id, reference }) => [id, reference])).toEqual([
        ['w.3', 'v'],
        ['w.4', 'a'],
      ]);
    });
  });

  it('a skipped task is passed', () => {
    const driver = new Driver([simple('a'), simple('b')]);
    driver.flow = skipTask(driver.flow, 'b', start);
    expect(driver.end('a').flow.status).toBe('COMPLETED');
  });

  it('terminate cancels what is open', () => {
    const driver = new Driver([simple('a')]).control((flow) => terminateFlow(flow, 'enough', start));
    expect(driver.flow).toMatchObject({ status: 'TERMINATED', reason: 'enough' });
    expect(driver.statuses).toEqual({ a: 'CANCELED' });
  });
});

describe('any workflow, in any order of ends', () => {
  /** A small generator: a definition of nested forks, switches and loops. */
  function tasks(random: () => number, depth: number, names: { next: number }): readonly object[] {
    const reference = () => `t${names.next++}`;
    const list = () => tasks(random, depth - 1, names);
    const one = (): readonly object[] => {
      const kind = depth === 0 ? 0 : Math.floor(random() * 5);
      if (kind === 1) {
        const forkTasks = [list(), list()];
        const joinOn = forkTasks.map(
          (branch) => (branch.at(-1) as { taskReferenceName: string }).taskReferenceName,
        );
        return [typed('FORK_JOIN', reference(), { forkTasks }), typed('JOIN', reference(), { joinOn })];
      }
      if (kind === 2)
        return [
          typed('SWITCH', reference(), {
            evaluatorType: 'value-param',
            expression: 'k',
            inputParameters: { k: random() < 0.5 ? 'x' : 'y' },
            decisionCases: { x: list() },
            defaultCase: list(),
          }),
        ];
      if (kind === 3) return [typed('DO_WHILE', reference(), { loopCondition: 'x', loopOver: list() })];
      return [simple(reference())];
    };
    return [...one(), ...(random() < 0.5 ? one() : [])];
  }

  it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
    'completes every task once (seed %d)',
    (seed) => {
      let state = seed * 2654435761;
      const random = () => {
        state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
        return (state >>> 0) / 2 ** 32;
      };
      const driver = new Driver(tasks(random, 3, { next: 0 }), {
        tasksOf: { work: { retryCount: 100, retryDelaySeconds: 0 } },
      });
      let steps = 0;
      while (driver.flow.status === 'RUNNING') {
        const references = driver.waiting;
        expect(references.length).toBeGreaterThan(0);
        const reference = references[Math.floor(random() * references.length)] as string;
        const fails = random() < 0.2;
        driver.end(
          reference,
          driver.task(reference).type === 'DO_WHILE'
            ? { value: random() < 0.5 }
            : { status: fails ? 'FAILED' : 'COMPLETED' },
        );
        // Deciding again changes nothing: every event is decided once and for all.
        const before = driver.flow;
        driver.decide();
        expect(driver.flow.tasks).toEqual(before.tasks);
        steps += 1;
        if (steps > 3000) throw new Error('does not end');
      }
      if (driver.flow.status === 'FAILED') expect(driver.flow.reason).toContain('2000 tasks');
      else expect(driver.flow.status).toBe('COMPLETED');
      const completed = driver.flow.tasks
        .filter(({ status }) => status === 'COMPLETED')
        .map((task) => task.reference);
      expect(new Set(completed).size).toBe(completed.length);
      expect(driver.flow.tasks.some(({ status }) => status === 'SCHEDULED')).toBe(false);
    },
  );
});
