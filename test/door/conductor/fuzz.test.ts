/** The answer to every request, however malformed, is in the door's own form and never an error of the server. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DoorStage } from '../door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', ' ', '0 0 0 1 1 *', 'UTC', 'Nowhere', '1', 1e300, -1, true, null, [null], { a: 1 }),
);
const request = fc.oneof(
  value,
  fc.record(
    {
      name: value,
      version: value,
      input: value,
      taskToDomain: value,
      priority: value,
      workflowDef: value,
      idempotencyStrategy: value,
    },
    { requiredKeys: [] },
  ),
);
const schedule = fc.record(
  {
    name: fc.oneof(value, fc.constant('fuzz')),
    cronExpression: value,
    zoneId: value,
    cronSchedules: fc.oneof(
      value,
      fc.array(fc.record({ cronExpression: value, zoneId: value }), { maxLength: 3 }),
    ),
    startWorkflowRequest: request,
    scheduleStartTime: value,
    scheduleEndTime: value,
    paused: value,
    pausedReason: value,
    description: value,
    runCatchupScheduleInstances: value,
    tags: value,
  },
  { requiredKeys: ['name', 'startWorkflowRequest'] },
);

test.each(['.', '..'])('the name %s, which no address can reach, is refused', async (name) => {
  const body = { name, cronExpression: '0 0 0 1 1 *', startWorkflowRequest: { name: 'w' } };
  expect(await stage.raw('/api/scheduler/schedules', { body })).toMatchObject({
    status: 400,
    body: { status: 400, message: expect.stringContaining('give another name'), retryable: false },
  });
});

test('bodies of schedules', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (body) => {
      const { status, body: answer } = await stage.raw('/api/scheduler/schedules', { body });
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(answer).toMatchObject({ status, retryable: false });
      else
        expect((await stage.raw(`/api/scheduler/schedules/${encodeURIComponent(answer.name)}`)).status).toBe(
          200,
        );
    }),
    { numRuns: 200 },
  );
});

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'scheduleName IN (',
    'state IN ()',
    'scheduledTime>',
    "a='",
    'x AND ',
    '*',
    ':',
    'name:DESC,,',
    '-1',
    '1e9',
  ),
);
const parameters = [
  'query',
  'sort',
  'start',
  'size',
  'freeText',
  'workflowName',
  'scheduleName',
  'paused',
  'limit',
];
const paths = [
  'schedules',
  'schedules/search',
  'search/executions',
  'nextFewSchedules',
  'schedules/fuzz/executions',
];

test('queries of searches and previews', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.dictionary(fc.constantFrom(...parameters, 'cronExpression', 'scheduleStartTime', 'count'), text),
      async (path, query) => {
        const { status } = await stage.raw(`/api/scheduler/${path}?${new URLSearchParams(query)}`);
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 200 },
  );
});

test('limits are refused with the field and the reason', async () => {
  const valid = { name: 'big', cronExpression: '@daily', startWorkflowRequest: { name: 'work' } };
  let deep: unknown = 1;
  for (let level = 0; level < 100; level += 1) deep = { deep };
  const bodies: readonly (readonly [string, object])[] = [
    ['name', { name: 'x'.repeat(3000) }],
    ['startWorkflowRequest', { startWorkflowRequest: { name: 'work', input: { deep } } }],
    [
      'startWorkflowRequest',
      { startWorkflowRequest: { name: 'work', input: { text: 'x'.repeat(2_100_000) } } },
    ],
    ['startWorkflowRequest.name', { startWorkflowRequest: { name: 'x'.repeat(1001) } }],
    ['cronExpression', { cronExpression: `0 0 0 ${'1,'.repeat(600)}1 * *` }],
    ['cronSchedules', { cronSchedules: Array.from({ length: 1001 }, () => ({ cronExpression: '@daily' })) }],
    ['description', { description: 'x'.repeat(10_001) }],
  ];
  for (const [path, fields] of bodies) {
    const { status, body } = await stage.raw('/api/scheduler/schedules', { body: { ...valid, ...fields } });
    expect([status, body.validationErrors?.[0]?.path]).toEqual([400, path]);
  }
  expect((await stage.raw('/api/scheduler/schedules/big')).status).toBe(404);
});
