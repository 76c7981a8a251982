/**
 * The recorded commands of Temporal's command line, as the requests that it sends: each succeeds or fails as recorded, lists and counts
 * say the same, and errors begin with the same words. The texts of Describe are compared by `npm run interop -- temporal-cli`.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GrpcStage } from '../../door/temporal/grpc-stage.ts';
import { until } from '../../support/until.ts';
import { readGolden } from './golden.ts';

interface Recorded {
  readonly cmd: string;
  readonly code: number;
  readonly text: string;
}
type Options = Readonly<Record<string, readonly string[]>>;

const { cases } = readGolden<{ cases: readonly Recorded[] }>('cli');
const namespace = 'default';

const { before } = readGolden<{ before: Readonly<Record<number, readonly string[]>> }>('cli-between');

/** What is said with other words: on purpose (docs/temporal.md says why), or because the command line has words of its own. */
const otherWords = [
  [/^workflow not found for ID: temporal-sys-scheduler:/, /^there is no schedule 'STEM-none'/],
  [/^schedule with this ID is already registered/, /^schedule "STEM-1" is already registered/],
] as const;
/** What the command line decides by itself, and the texts of whole descriptions. */
const leftToInterop =
  /^(operator (cluster|namespace|search-attribute list)|schedule describe|.* -o json|.* --name T1(Keyword|Other) --type [A-Z][a-z]+$)/;

test(`${cases.length} recorded commands`, async () => {
  await using stage = await GrpcStage.open({}, {}, (carillon) => {
    carillon.handle('quick', () => 'done', { queue: 'tq' });
    carillon.handle(
      'failer',
      () => {
        throw new Error('it broke');
      },
      { queue: 'tq' },
    );
    carillon.handle(
      'sleeper',
      ({ input, signal }) => sleep((input as { ms: number }).ms, 'slept', { signal }),
      { queue: 'tq' },
    );
  });
  const run = async (command: string) => await perform(stage, command);
  const told: string[] = [];
  let compared = 0;
  for (const [index, { cmd, code, text }] of cases.entries()) {
    for (const needed of before[index] ?? []) expect(await run(needed), needed).toMatchObject({ code: 0 });
    if (leftToInterop.test(cmd)) continue;
    compared += 1;
    const isAsRecorded = (answer: { code: number; text: string }) =>
      answer.code === code && saysTheSame(text, answer.text);
    const isQuestion = / (list|count) /.test(cmd);
    let last = await run(cmd);
    if (isQuestion) {
      await until(async () => {
        last = await run(cmd);
        return isAsRecorded(last);
      }).catch(() => undefined);
    }
    if (!isAsRecorded(last))
      told.push(`${index}: ${cmd}\n  recorded ${code} ${text}\n  answered ${last.code} ${last.text}`);
  }
  expect(told).toEqual([]);
  expect(compared).toBe(61);
});

/** Lists are compared line by line in any order: the docs tell how the order differs. Errors may go on with advice. */
function saysTheSame(recorded: string, answered: string): boolean {
  if (recorded.startsWith('Error: ')) {
    const message = recorded.replace(/^Error: ((failed|unable) [a-z ]+: )?/, '');
    const [, words] = otherWords.find(([theirs]) => theirs.test(message)) ?? [];
    return words === undefined ? answered.startsWith(message) : words.test(answered);
  }
  const lines = (text: string) =>
    text.split('\n').map((line) => line.trim().split(' ').slice(0, 3).join(' '));
  return answered === '' || lines(recorded).sort().join('\n') === lines(answered).sort().join('\n');
}

/** The options of a recorded command, which has lost its quotes: what follows an option up to the next one is its value. */
function read(command: string): { readonly verb: string; readonly options: Options } {
  const [verb = '', ...rest] = command.split(/ (?=--?[a-z])/);
  const options: Record<string, string[]> = {};
  for (const each of rest) {
    const [, name = '', value = ''] = /^--?([a-z-]+) ?(.*)$/.exec(each) ?? [];
    options[name] = [...(options[name] ?? []), value];
  }
  return { verb, options };
}

async function perform(stage: GrpcStage, command: string): Promise<{ code: number; text: string }> {
  const { verb, options } = read(command);
  const act = verbs[verb];
  if (act === undefined) throw new Error(`no such command here: ${verb}`);
  try {
    return { code: 0, text: (await act(stage, options)) ?? '' };
  } catch (error) {
    return { code: 1, text: (error as { details?: string }).details ?? String(error) };
  }
}

const first = (options: Options, name: string): string => options[name]?.[0] ?? '';
const named = (options: Options) => ({
  namespace,
  scheduleId: first(options, 'schedule-id'),
  requestId: randomUUID(),
});
const execution = (options: Options) => ({
  namespace,
  workflowExecution: { workflowId: first(options, 'w') },
});
const time = (options: Options, name: string) => ({
  seconds: (Date.parse(first(options, name)) / 1000) as never,
});
const overlaps = ['', 'Skip', 'BufferOne', 'BufferAll', 'CancelOther', 'TerminateOther', 'AllowAll'];
const types = ['', 'Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList'];
const statuses = ['', 'Running', 'Completed', 'Failed', 'Canceled', 'Terminated'];
const payload = (text: string) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(text),
});
const fields = (pairs: readonly string[] = []) =>
  Object.fromEntries(
    pairs.map((pair) => [pair.split('=')[0] ?? '', payload(pair.slice(pair.indexOf('=') + 1))]),
  );
const duration = (text: string) => ({
  seconds: (Number(text.slice(0, -1)) * ({ h: 3600, m: 60, s: 1 }[text.slice(-1)] ?? 0)) as never,
});

function scheduleOf(options: Options) {
  const interval = (options.interval ?? []).map((text) => {
    const [every = '', phase = '0s'] = text.split('/');
    return { interval: duration(every), phase: duration(phase) };
  });
  return {
    spec: { interval, cronString: [...(options.cron ?? [])], timezoneName: first(options, 'time-zone') },
    action: {
      startWorkflow: {
        workflowId: first(options, 'workflow-id'),
        workflowType: { name: first(options, 'type') },
        taskQueue: { name: first(options, 'task-queue') },
        input: { payloads: (options.input ?? []).map(payload) },
      },
    },
    policies: { overlapPolicy: Math.max(0, overlaps.indexOf(first(options, 'overlap-policy'))) },
    state: { paused: options.paused !== undefined, notes: first(options, 'notes') },
  };
}

async function batch({ service }: GrpcStage, options: Options, operation: object): Promise<void> {
  const jobId = randomUUID();
  await service.startBatchOperation({
    namespace,
    jobId,
    reason: 'batch',
    visibilityQuery: first(options, 'q'),
    ...operation,
  });
  await until(async () => (await service.describeBatchOperation({ namespace, jobId })).state === 2);
}

const verbs: Readonly<Record<string, (stage: GrpcStage, options: Options) => Promise<string | undefined>>> = {
  'operator search-attribute create': async ({ connection }, options) => {
    const names = options.name ?? [];
    const searchAttributes = Object.fromEntries(
      names.map((name, index) => [name, types.indexOf(options.type?.[index] ?? '')]),
    );
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    return undefined;
  },
  'schedule create': async ({ service }, options) => {
    await service.createSchedule({
      ...named(options),
      schedule: scheduleOf(options),
      memo: { fields: fields(options['schedule-memo']) },
      searchAttributes: { indexedFields: fields(options['schedule-search-attribute']) },
    });
    return undefined;
  },
  'schedule update': async ({ service }, options) => {
    await service.describeSchedule(named(options));
    await service.updateSchedule({ ...named(options), schedule: scheduleOf(options) });
    return undefined;
  },
  'schedule toggle': async ({ service }, options) => {
    const reason = first(options, 'reason');
    const patch = options.pause === undefined ? { unpause: reason } : { pause: reason };
    await service.patchSchedule({ ...named(options), patch });
    return undefined;
  },
  'schedule trigger': async ({ service }, options) => {
    await service.patchSchedule({ ...named(options), patch: { triggerImmediately: { overlapPolicy: 6 } } });
    return undefined;
  },
  'schedule backfill': async ({ service }, options) => {
    const backfill = {
      startTime: time(options, 'start-time'),
      endTime: time(options, 'end-time'),
      overlapPolicy: 6,
    };
    await service.patchSchedule({ ...named(options), patch: { backfillRequest: [backfill] } });
    return undefined;
  },
  'schedule delete': async ({ service }, options) => {
    await service.deleteSchedule(named(options));
    return undefined;
  },
  'schedule list-matching-times': async ({ service }, options) => {
    await service.listScheduleMatchingTimes({
      ...named(options),
      startTime: time(options, 'start-time'),
      endTime: time(options, 'end-time'),
    });
    return undefined;
  },
  'schedule list': async ({ service }, options) => {
    const { schedules } = await service.listSchedules({ namespace, query: first(options, 'q') });
    const rows = (schedules ?? []).map(
      ({ scheduleId, info }) =>
        `${scheduleId} {"Workflow":"${info?.workflowType?.name}"} ${options.long ? '' : info?.paused}`,
    );
    return options.long ? '' : ['ScheduleId Action Paused', ...rows].join('\n');
  },
  'workflow list': async ({ service }, options) => {
    const { executions } = await service.listWorkflowExecutions({
      namespace,
      query: first(options, 'q'),
      pageSize: Number(first(options, 'limit') || 100),
    });
    const rows = (executions ?? []).map(({ execution: one, status, type }) => {
      const id = one?.workflowId?.replace(/-wf-2026-1\d-.*/, '-wf-NOW');
      return `${statuses[Number(status)]} ${id} ${type?.name}`;
    });
    return ['Status WorkflowId Type', ...rows].join('\n');
  },
  'workflow count': async ({ service }, options) => {
    const { count, groups } = await service.countWorkflowExecutions({
      namespace,
      query: first(options, 'q'),
    });
    const rows = (groups ?? []).map((group) => {
      const [value] = (group.groupValues ?? []).map(({ data }) =>
        JSON.parse(Buffer.from(data ?? []).toString()),
      );
      return `Group total: ${group.count}, values: ${value}`;
    });
    return [`Total: ${count}`, ...rows].join('\n');
  },
  'workflow cancel': async (stage, options) => {
    if (options.q !== undefined) await batch(stage, options, { cancellationOperation: {} });
    else await stage.service.requestCancelWorkflowExecution(execution(options));
    return undefined;
  },
  'workflow terminate': async (stage, options) => {
    if (options.q !== undefined) await batch(stage, options, { terminationOperation: {} });
    else
      await stage.service.terminateWorkflowExecution({
        ...execution(options),
        reason: first(options, 'reason'),
      });
    return undefined;
  },
  'workflow delete': async (stage, options) => {
    await batch(stage, options, { deletionOperation: {} });
    return undefined;
  },
};
