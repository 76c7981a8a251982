// Temporal's HTTP API on a real server and on ours: the same requests, statuses and bodies compared.
import { isDeepStrictEqual } from 'node:util';

const schedules = '/api/v1/namespaces/default/schedules';
const workflows = '/api/v1/namespaces/default/workflows';
const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body });
const remove = (path) => ({ method: 'DELETE', path });

const startWorkflow = {
  workflowId: 'PREFIX-w',
  workflowType: { name: 'report' },
  taskQueue: { name: 'nobody' },
  input: [{ full: true }, 7],
};
const schedule = {
  spec: {
    interval: [{ interval: '3600s', phase: '60s' }],
    cronString: ['0 12 * * MON'],
    timezoneName: 'Europe/Berlin',
  },
  action: { startWorkflow },
  policies: { overlapPolicy: 'SCHEDULE_OVERLAP_POLICY_ALLOW_ALL', catchupWindow: '600s' },
  state: { notes: 'by hand', paused: true },
};
const memo = { fields: { team: 'a' } };
const range = 'startTime=2026-01-01T00:00:00Z&endTime=2026-01-01T06:00:00Z';

/** What may differ, by the request's path and the place in the answer, with the reason. Statuses and codes never differ. */
const known = [
  { at: /system-info .body.(serverVersion|capabilities)/, why: 'capabilities of what is left out are unset' },
  {
    at: /namespaces\/default .body.(namespaceInfo.(capabilities|limits)|config|replicationConfig)/,
    why: "capabilities of what is left out are unset; the server's retention",
  },
  { at: /.body.info.stateSizeBytes/, why: 'another stored form' },
  { at: /schedules\/.* .body.message/, why: 'the message names the schedule, or goes on with advice' },
  { at: /schedules\?.* .body.message/, why: 'the message names the place' },
  {
    at: /workflows.* .body.(executions|workflowExecutionInfo|executionConfig|pendingWorkflowTask|callbacks|workflowExtendedInfo)/,
    why: 'there are no workflow tasks and no callbacks, and counters are known before the end',
  },
  { at: /workflows\/PREFIX-s .body.(firstExecutionRunId|link)/, why: 'there are no links between workflows' },
  {
    at: /task-queues.* .body.(versioningInfo|effectiveRateLimit)/,
    why: 'there are no versions of workers and no rate limits of queues',
  },
];

/** Sent in this order. */
const requests = [
  get('/api/v1/system-info'),
  get('/api/v1/namespaces/default'),
  get('/api/v1/namespaces/PREFIX-none'),
  post(`${schedules}/PREFIX-a`, { schedule, memo, requestId: '1' }),
  post(`${schedules}/PREFIX-a`, { schedule, requestId: '2' }),
  get(`${schedules}/PREFIX-a`),
  get(`${schedules}/PREFIX-a?noPayloadShorthand`),
  get(`/namespaces/default/schedules/PREFIX-a`),
  get(`${schedules}/PREFIX-none`),
  post(`${schedules}/PREFIX-bad`, {
    schedule: { ...schedule, spec: { cronString: ['nope'] } },
    requestId: '3',
  }),
  post(`${schedules}/PREFIX-bad`, {
    schedule: { ...schedule, spec: { interval: [{ interval: '1 hour' }] } },
  }),
  post(`${schedules}/PREFIX-bad`, { schedule: { spec: {}, policies: { overlapPolicy: 'Banana' } } }),
  post(`${schedules}/PREFIX-bad`, { surprise: 1 }),
  post(`${schedules}/PREFIX-bad`, '{"schedule": '),
  post(`${schedules}/PREFIX-bad`, {}),
  post(`${schedules}/PREFIX-a/update`, {
    schedule: { ...schedule, state: { notes: 'changed' } },
    requestId: '4',
  }),
  get(`${schedules}/PREFIX-a`),
  post(`${schedules}/PREFIX-a/update`, { schedule, conflictToken: 'AAAAAAAAAAk=', requestId: '5' }),
  post(`${schedules}/PREFIX-none/update`, { schedule, requestId: '6' }),
  post(`${schedules}/PREFIX-a/patch`, { patch: { pause: 'for now' }, requestId: '7' }),
  post(`${schedules}/PREFIX-a/patch`, {
    patch: {
      backfillRequest: [
        {
          startTime: '2026-01-01T00:00:00Z',
          endTime: '2026-01-01T01:30:00Z',
          overlapPolicy: 'SCHEDULE_OVERLAP_POLICY_ALLOW_ALL',
        },
      ],
    },
    requestId: '8',
  }),
  post(`${schedules}/PREFIX-none/patch`, { patch: { pause: 'x' }, requestId: '9' }),
  get(`${schedules}/PREFIX-a/matching-times?${range}`),
  get(`${schedules}/PREFIX-none/matching-times?${range}`),
  get(`${schedules}/PREFIX-a/matching-times?startTime=banana`),
  get(`${schedules}?query=ScheduleId%3D%22PREFIX-a%22`),
  get(`${schedules}?query=Nope%3D1`),
  get(`${schedules}?maximumPageSize=banana`),
  get(`${workflows}?query=TemporalScheduledById%3D%22PREFIX-a%22`),
  get(`/api/v1/namespaces/default/workflow-count?query=TemporalScheduledById%3D%22PREFIX-a%22`),
  get(`${workflows}/PREFIX-w-2026-01-01T00:01:00Z`),
  get(`${workflows}/PREFIX-none`),
  post(`${workflows}/PREFIX-w-2026-01-01T00:01:00Z/terminate`, { reason: 'over' }),
  post(`${workflows}/PREFIX-w-2026-01-01T00:01:00Z/terminate`, { reason: 'over' }),
  post(`${workflows}/PREFIX-s`, { ...startWorkflow, workflowId: undefined, requestId: '10' }),
  post(`${workflows}/PREFIX-s/cancel`, {}),
  get('/api/v1/namespaces/default/task-queues/nobody?taskQueueType=TASK_QUEUE_TYPE_WORKFLOW'),
  get('/api/v1/namespaces/default/batch-operations'),
  get('/api/v1/namespaces/default/search-attributes'),
  remove(`${schedules}/PREFIX-a`),
  remove(`${schedules}/PREFIX-a`),
  get(`${schedules}/PREFIX-a`),
  get('/api/v1/banana'),
  { method: 'PUT', path: `${schedules}/PREFIX-a` },
];

export async function compareHttp({ report }, real, ours) {
  const prefix = `http${process.pid}`;
  let equal = 0;
  let explained = 0;
  for (const request of requests) {
    const [theirs, here] = await Promise.all([ask(real, request, prefix), ask(ours, request, prefix)]);
    const bodyText = typeof request.body === 'string' ? request.body : JSON.stringify(request.body ?? '');
    const title = `HTTP ${request.method} ${request.path} ${bodyText.slice(0, 60)}`;
    const differing = differences(theirs, here);
    if (theirs.status === here.status) report.passed(title);
    if (differing.length === 0) {
      equal += 1;
      continue;
    }
    const reasonOf = ({ path }) => known.find(({ at }) => at.test(`${request.path} ${path}`))?.why;
    const text = differing.map(({ path, a, b }) => `${path}: real ${a}, ours ${b}`).join('\n');
    const reasons = new Set(differing.map(reasonOf));
    if (reasons.has(undefined)) report.failed(`${title} is as on the real server`, text);
    else {
      explained += 1;
      report.note(
        `known    ${title}: ${[...reasons].join('; ')}\n${text}`.replaceAll('\n', '\n            '),
      );
    }
  }
  report.note(
    `HTTP: ${requests.length} requests: ${equal} answers equal, ${explained} with a known difference of their text`,
  );
}

async function ask(base, { method, path, body }, prefix) {
  const named = (text) => text.replaceAll('PREFIX', prefix);
  // The content type of an answer is not compared: the real server sends '*'.
  const response = await fetch(`${base}${named(path)}`, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: named(typeof body === 'string' ? body : JSON.stringify(body)),
          headers: { 'content-type': 'application/json' },
        }),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The places where two values differ, each with both values as texts. What is made anew each time counts as equal. */
function differences(theirs, here, path = '') {
  const isObject = (value) => typeof value === 'object' && value !== null;
  if (isObject(theirs) && isObject(here)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(here)]);
    return [...keys].flatMap((key) => differences(theirs[key], here[key], `${path}.${key}`));
  }
  if (isDeepStrictEqual(theirs, here) || (isFresh(theirs) && isFresh(here))) return [];
  const text = (value) => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 300));
  return [{ path, a: text(theirs), b: text(here) }];
}

/** Run ids, tokens, and times of the last month or the next one. */
function isFresh(value) {
  if (typeof value !== 'string') return false;
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return true;
  const time = Date.parse(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(time - Date.now()) < 31 * 86_400_000;
}
