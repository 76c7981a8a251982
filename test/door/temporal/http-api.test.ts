/** Temporal's HTTP API: paths, JSON, errors and access, by plain requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey, newKey } from '../../../packages/server/src/server/keys.ts';
import { until } from '../../support/until.ts';
import { GrpcStage } from './grpc-stage.ts';

let stage: GrpcStage;
let base: string;

beforeAll(async () => {
  stage = await GrpcStage.open({ grpc: { port: 0, httpPort: 0 } }, {}, (carillon) => {
    carillon.handle('report', async ({ input }) => ({ got: input }), { queue: 'reports' });
  });
  base = httpOf(stage);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

function httpOf({ server }: GrpcStage): string {
  const url = server.grpc?.http?.url;
  if (url === undefined) throw new Error('the HTTP API is closed');
  return url;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
type Answer = { readonly status: number; readonly type: string; readonly text: string; readonly body: any };

async function ask(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, text, body: JSON.parse(text) };
}

const get = async (path: string) => await ask('GET', path);
const post = async (path: string, body: unknown = {}) => await ask('POST', path, body);

const schedules = '/api/v1/namespaces/default/schedules';

function schedule(fields: object = {}) {
  return {
    requestId: crypto.randomUUID(),
    schedule: {
      spec: { interval: [{ interval: '3600s', phase: '0.500s' }] },
      action: {
        startWorkflow: {
          workflowId: 'w',
          workflowType: { name: 'report' },
          taskQueue: { name: 'reports' },
          input: [{ full: true }, 7],
        },
      },
      ...fields,
    },
  };
}

describe('a schedule by HTTP', () => {
  test('is created, described, updated, patched, listed, counted and deleted', async () => {
    expect(await post(`${schedules}/life`, schedule())).toMatchObject({
      status: 200,
      body: { conflictToken: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
    });
    const described = await get(`${schedules}/life`);
    expect(described).toMatchObject({ status: 200, type: expect.stringContaining('application/json') });
    expect(described.body.schedule).toMatchObject({
      spec: { interval: [{ interval: '3600s', phase: '0.500s' }] },
      action: { startWorkflow: { workflowType: { name: 'report' }, input: [{ full: true }, 7] } },
      policies: { overlapPolicy: 'SCHEDULE_OVERLAP_POLICY_SKIP', catchupWindow: '31536000s' },
      state: {},
    });
    expect(described.body.info.createTime).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6}|\.\d{9})?Z$/,
    );
    expect(described.body.info.futureActionTimes).toHaveLength(10);
    // What is unset is left out, 64-bit counters are texts.
    expect(described.body.info).not.toHaveProperty('actionCount');

    const { schedule: found } = described.body;
    const changed = { ...found, state: { notes: 'by HTTP' }, policies: { overlapPolicy: 'BufferOne' } };
    expect(await post(`${schedules}/life/update`, { schedule: changed })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await post(`${schedules}/life/patch`, { patch: { pause: 'stop' } })).toMatchObject({
      status: 200,
    });
    expect((await get(`${schedules}/life`)).body.schedule).toMatchObject({
      policies: { overlapPolicy: 'SCHEDULE_OVERLAP_POLICY_BUFFER_ONE' },
      state: { notes: 'stop', paused: true },
    });

    const page = await get(
      `${schedules}?maximumPageSize=5&query=${encodeURIComponent("ScheduleId = 'life'")}`,
    );
    expect(page.body.schedules).toMatchObject([{ scheduleId: 'life', info: { paused: true } }]);
    expect((await get('/api/v1/namespaces/default/schedule-count')).body).toEqual({ count: '1' });
    expect(await ask('DELETE', `${schedules}/life?identity=me`)).toMatchObject({ status: 200, body: {} });
    expect((await get(`${schedules}/life`)).status).toBe(404);
  });

  test('names are read in both spellings, and paths without the prefix are the same', async () => {
    const body = {
      request_id: 'snake-1',
      schedule: {
        spec: { calendar: [{ hour: '5' }], start_time: '2027-01-01T00:00:00+02:00' },
        action: {
          start_workflow: { workflow_id: 'w', workflow_type: { name: 'report' }, task_queue: { name: 'q' } },
        },
        policies: { overlap_policy: 'SCHEDULE_OVERLAP_POLICY_ALLOW_ALL', catchup_window: '60s' },
      },
    };
    expect((await post('/namespaces/default/schedules/snake', body)).status).toBe(200);
    const { schedule: found } = (await get('/namespaces/default/schedules/snake')).body;
    expect(found.spec.startTime).toBe('2026-12-31T22:00:00Z');
    expect(found.policies).toEqual({
      overlapPolicy: 'SCHEDULE_OVERLAP_POLICY_ALLOW_ALL',
      catchupWindow: '60s',
    });
    const times = await get(
      `${schedules}/snake/matching-times?start_time=2027-01-01T00:00:00Z&endTime=2027-01-03T00:00:00Z`,
    );
    expect(times.body).toEqual({ startTime: ['2027-01-01T05:00:00Z', '2027-01-02T05:00:00Z'] });
  });

  test('an id with a slash and a percent sign is one segment', async () => {
    const path = `${schedules}/${encodeURIComponent('a/b %')}`;
    expect((await post(path, schedule())).status).toBe(200);
    expect((await get(path)).status).toBe(200);
    expect(
      (await get(`${schedules}?query=${encodeURIComponent("ScheduleId = 'a/b %'")}`)).body.schedules,
    ).toHaveLength(1);
  });
});

describe('payloads', () => {
  const action = (input: unknown) => ({
    action: {
      startWorkflow: {
        workflowId: 'w',
        workflowType: { name: 'report' },
        taskQueue: { name: 'reports' },
        input,
      },
    },
  });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test('are plain JSON, or in full when asked for', async () => {
    await post(`${schedules}/plain`, schedule({ spec: {}, ...action([1, 'two', { three: [3] }]) }));
    const inputOf = async (query: string) =>
      (await get(`${schedules}/plain${query}`)).body.schedule.action.startWorkflow.input;
    expect(await inputOf('')).toEqual([1, 'two', { three: [3] }]);
    expect(await inputOf('?noPayloadShorthand')).toEqual({
      payloads: ['1', '"two"', '{"three":[3]}'].map((data) => ({
        metadata: { encoding: base64('json/plain') },
        data: base64(data),
      })),
    });
    const { text } = await get(`${schedules}/plain?pretty`);
    expect(text).toContain('\n  "schedule": {\n    "spec": {},');
    const accepted = await ask('GET', `${schedules}/plain`, undefined, {
      accept: 'application/json+pretty+no-payload-shorthand',
    });
    expect(accepted.text).toContain('\n                "encoding": ');
  });

  test('sent in full, with other encodings or more metadata, stay in full', async () => {
    const sent = { metadata: { encoding: base64('binary/plain') }, data: base64('bytes') };
    await post(`${schedules}/bytes`, {
      ...schedule({ spec: {}, ...action([sent, null]) }),
      memo: { fields: { team: 'a', nothing: null } },
    });
    const { body } = await get(`${schedules}/bytes`);
    const nothing = { metadata: { encoding: base64('binary/null') } };
    expect(body.schedule.action.startWorkflow.input).toEqual({ payloads: [sent, nothing] });
    expect(body.memo.fields).toEqual({ team: 'a', nothing });
  });

  test('a message type beside the fields is a protobuf message as JSON', async () => {
    const message = { a: 1, _protoMessageType: 'my.Message' };
    await post(`${schedules}/proto`, schedule({ spec: {}, ...action([message]) }));
    expect((await get(`${schedules}/proto`)).body.schedule.action.startWorkflow.input).toEqual([message]);
    const full = await get(`${schedules}/proto?noPayloadShorthand`);
    expect(full.body.schedule.action.startWorkflow.input.payloads[0].metadata).toEqual({
      encoding: base64('json/protobuf'),
      messageType: base64('my.Message'),
    });
  });
});

describe('what is beside schedules', () => {
  const workflows = '/api/v1/namespaces/default/workflows';

  test('a workflow is started, described, read and counted', async () => {
    const started = await post(`${workflows}/by-http`, {
      workflowType: { name: 'report' },
      taskQueue: { name: 'reports' },
      input: ['x'],
      requestId: 'r1',
    });
    expect(started.body).toMatchObject({ started: true, runId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const info = async () => (await get(`${workflows}/by-http`)).body.workflowExecutionInfo;
    await until(async () => (await info()).status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED');
    const history = await get(
      `${workflows}/by-http/history?historyEventFilterType=HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT&execution.runId=${started.body.runId}`,
    );
    expect(history.body.history.events.at(-1)).toMatchObject({
      eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED',
      workflowExecutionCompletedEventAttributes: { result: [{ got: 'x' }] },
    });
    const query = encodeURIComponent("WorkflowId = 'by-http'");
    expect((await get(`/api/v1/namespaces/default/workflow-count?query=${query}`)).body).toEqual({
      count: '1',
    });
    expect((await get(`${workflows}?query=${query}`)).body.executions).toHaveLength(1);
    expect((await post(`${workflows}/by-http/cancel`)).status).toBe(200);
    expect((await post(`${workflows}/nobody/terminate`, { reason: 'why' })).body).toMatchObject({
      code: 5,
      details: [{ '@type': 'type.googleapis.com/temporal.api.errordetails.v1.NotFoundFailure' }],
    });
  });

  test('a workflow is deleted by a batch', async () => {
    await post(`${workflows}/unwanted`, {
      workflowType: { name: 'report' },
      taskQueue: { name: 'reports' },
      requestId: 'r2',
    });
    const job = '/api/v1/namespaces/default/batch-operations/tidy';
    const executions = [{ workflowId: 'unwanted' }];
    expect((await post(job, { reason: 'tidy', executions, deletionOperation: {} })).status).toBe(200);
    await until(async () => (await get(job)).body.state === 'BATCH_OPERATION_STATE_COMPLETED');
    expect((await get(job)).body).toMatchObject({
      operationType: 'BATCH_OPERATION_TYPE_DELETE',
      completeOperationCount: '1',
    });
    expect((await get(`${workflows}/unwanted`)).body).toMatchObject({ code: 5 });
  });

  test('server, namespaces, queues, workers, batches and search attributes are read', async () => {
    expect((await get('/api/v1/system-info')).body.capabilities.supportsSchedules).toBe(true);
    expect((await get('/system-info')).status).toBe(200);
    expect((await get('/api/v1/cluster-info')).body).toMatchObject({ historyShardCount: 1 });
    expect((await get('/api/v1/namespaces')).body.namespaces).toMatchObject([
      { namespaceInfo: { name: 'default', state: 'NAMESPACE_STATE_REGISTERED' } },
    ]);
    expect((await get('/api/v1/namespaces/default')).body.config.workflowExecutionRetentionTtl).toMatch(
      /^\d+s$/,
    );
    expect((await get('/api/v1/namespaces/default/search-attributes')).body.systemAttributes).toMatchObject({
      StartTime: 'INDEXED_VALUE_TYPE_DATETIME',
    });
    const queue = await get('/api/v1/namespaces/default/task-queues/reports?taskQueueType=1');
    expect(queue.body.pollers).toMatchObject([{ lastAccessTime: expect.any(String) }]);
    for (const path of ['batch-operations', 'workers', 'worker-deployments']) {
      expect(await get(`/api/v1/namespaces/default/${path}`)).toMatchObject({ status: 200 });
    }
    expect((await get('/cluster/nexus/endpoints')).status).toBe(200);
  });

  test('a namespace is registered', async () => {
    const made = await post('/api/v1/namespaces', {
      namespace: 'by-http',
      workflowExecutionRetentionPeriod: '86400s',
    });
    expect(made.status).toBe(200);
    expect((await get('/api/v1/namespaces/by-http')).body.namespaceInfo.name).toBe('by-http');
  });
});

describe('errors', () => {
  test.each([
    ['an unknown schedule', 'GET', `${schedules}/none`, undefined, 404, 5, 'NotFoundFailure'],
    [
      'an unknown namespace',
      'GET',
      '/api/v1/namespaces/none/schedules',
      undefined,
      404,
      5,
      'NamespaceNotFoundFailure',
    ],
    ['a bad spec', 'POST', `${schedules}/bad`, schedule({ spec: { cronString: ['x'] } }), 400, 3, undefined],
    ['an unknown path', 'GET', '/api/v1/nothing', undefined, 404, 5, undefined],
    ['a path with another verb', 'PUT', `${schedules}/x`, {}, 501, 12, undefined],
    [
      'a procedure that is not served',
      'POST',
      '/api/v1/namespaces/default/workflows/w/reset',
      {},
      501,
      12,
      undefined,
    ],
    ['a body that is no JSON', 'POST', `${schedules}/bad`, '{', 400, 3, undefined],
    ['a body that is a list', 'POST', `${schedules}/bad`, [], 400, 3, undefined],
    ['an unknown field', 'POST', `${schedules}/bad`, { nothing: 1 }, 400, 3, undefined],
    [
      'a malformed duration',
      'POST',
      `${schedules}/bad`,
      { schedule: { spec: { jitter: '5 minutes' } } },
      400,
      3,
      undefined,
    ],
    [
      'a malformed time',
      'POST',
      `${schedules}/bad`,
      { schedule: { spec: { startTime: 'noon' } } },
      400,
      3,
      undefined,
    ],
    [
      'an unknown enumeration value',
      'POST',
      `${schedules}/bad`,
      { schedule: { policies: { overlapPolicy: 'Never' } } },
      400,
      3,
      undefined,
    ],
    ['a number that is none', 'GET', `${schedules}?maximumPageSize=many`, undefined, 400, 3, undefined],
    ['a parameter given twice', 'GET', `${schedules}?query=a&query=b`, undefined, 400, 3, undefined],
    ['a path that is no percent-encoding', 'GET', `${schedules}/%zz`, undefined, 400, 3, undefined],
  ])('%s', async (_, method, path, body, status, code, detail) => {
    const answer = await ask(method, path, body);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
    const types = (answer.body.details ?? []).map((each: { '@type': string }) => each['@type']);
    expect(types).toEqual(
      detail === undefined ? [] : [`type.googleapis.com/temporal.api.errordetails.v1.${detail}`],
    );
  });

  test('a taken id names its detail; a stale token is a bad request, as gateways translate it', async () => {
    await post(`${schedules}/taken`, schedule());
    expect(await post(`${schedules}/taken`, schedule())).toMatchObject({
      status: 409,
      body: {
        code: 6,
        details: [{ '@type': expect.stringContaining('WorkflowExecutionAlreadyStartedFailure') }],
      },
    });
    const stale = { ...schedule(), conflictToken: 'AAAAAAAAAGM=' };
    expect(await post(`${schedules}/taken/update`, stale)).toMatchObject({
      status: 400,
      body: { code: 9, message: expect.stringMatching(/^mismatched conflict token/) },
    });
    const gone = await get('/api/v1/namespaces/none/schedules');
    expect(gone.body.details[0].namespace).toBe('none');
  });

  test('unknown parameters of a query are ignored', async () => {
    expect((await get(`${schedules}?nothing=1&maximum_page_size=1`)).body.schedules).toHaveLength(1);
  });
});

describe('access', () => {
  test('pages of other sites change nothing', async () => {
    const answer = await ask('POST', `${schedules}/foreign`, schedule(), { origin: 'http://evil.example' });
    expect(answer).toMatchObject({ status: 403, body: { code: 7 } });
    const host = await ask('DELETE', `${schedules}/taken`, undefined, { 'sec-fetch-site': 'cross-site' });
    expect(host.status).toBe(403);
  });

  test('keys, roles and namespaces are those of the other doors', async () => {
    const [viewer, theirs] = [newKey(), newKey()];
    await using guarded = await GrpcStage.open(
      {
        grpc: { port: 0, httpPort: 0 },
        keys: [
          { name: 'reader', hash: hashKey(viewer), role: 'viewer' },
          { name: 'guest', hash: hashKey(theirs), role: 'admin', namespaces: ['theirs'] },
        ],
      },
      {},
      undefined,
      { apiKey: viewer, tls: false },
    );
    const to = async (method: string, path: string, key?: string) =>
      await fetch(`${httpOf(guarded)}${path}`, {
        method,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      });
    const refused = await to('GET', schedules);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ code: 16 });
    expect((await to('GET', schedules, viewer)).status).toBe(200);
    expect((await to('DELETE', `${schedules}/x`, viewer)).status).toBe(403);
    expect((await to('GET', schedules, theirs)).status).toBe(403);
    expect((await to('GET', '/api/v1/system-info', theirs)).status).toBe(200);
  });
});

test('a waiting request ends when the server stops', async () => {
  const own = await GrpcStage.open({ grpc: { port: 0, httpPort: 0 }, drainMs: 2000 });
  const url = httpOf(own);
  await own.service.startWorkflowExecution({
    namespace: 'default',
    workflowId: 'idle',
    requestId: 'r',
    workflowType: { name: 'none' },
    taskQueue: { name: 'nobody' },
  });
  const path = '/api/v1/namespaces/default/workflows/idle/history';
  const open = fetch(`${url}${path}?waitNewEvent=true&historyEventFilterType=2`);
  await until(async () => (await fetch(`${url}/api/v1/system-info`)).ok);
  await own[Symbol.asyncDispose]();
  expect((await open).status).toBe(200);
});
