// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/**
 * The workflows and schedules that Conductor's own scheduler module shows, in our words. Outside addresses lead to `stub`.
 * What a real server gave for each is in the test beside this file.
 */
const http = (reference: string, uri: string, more: object = {}) => ({
  name: reference,
  taskReferenceName: reference,
  type: 'HTTP',
  inputParameters: { http_request: { uri, method: 'GET', connectionTimeOut: 3000, readTimeOut: 3000 } },
  ...more,
});

const script = (reference: string, expression: string, parameters: object) => ({
  name: reference,
  taskReferenceName: reference,
  type: 'INLINE',
  inputParameters: { evaluatorType: 'javascript', expression, ...parameters },
});

export function workflows(stub: string): readonly object[] {
  const time = (zone: string) => `${stub}/time?zone=${encodeURIComponent(zone)}`;
  return [
    {
      name: 'daily_report',
      version: 1,
      tasks: [http('fetch', `${stub}/posts/a%2Fb`)],
      outputParameters: {
        statusCode: '${fetch.output.response.statusCode}',
        itemCount: '${fetch.output.response.body.length()}',
      },
      timeoutSeconds: 60,
      timeoutPolicy: 'TIME_OUT_WF',
    },
    {
      name: 'catchup',
      version: 1,
      tasks: [http('clock', time('UTC'))],
      outputParameters: { currentUtcTime: '${clock.output.response.body.dateTime}' },
    },
    {
      name: 'bounded',
      version: 1,
      tasks: [http('clock', time('UTC'))],
      outputParameters: { firedAt: '${clock.output.response.body.dateTime}' },
    },
    {
      name: 'multistep',
      version: 3,
      tasks: [
        {
          name: 'fork',
          taskReferenceName: 'fork',
          type: 'FORK_JOIN',
          forkTasks: [[http('utc', time('UTC'))], [http('new_york', time('America/New_York'))]],
        },
        { name: 'join', taskReferenceName: 'join', type: 'JOIN', joinOn: ['utc', 'new_york'] },
      ],
      outputParameters: {
        utcTime: '${utc.output.response.body.dateTime}',
        newYorkTime: '${new_york.output.response.body.dateTime}',
      },
    },
    {
      name: 'retry',
      version: 1,
      tasks: [http('missing', `${stub}/missing`, { retryCount: 0 })],
      outputParameters: {
        statusCode: '${missing.output.response.statusCode}',
        body: '${missing.output.response.body}',
      },
    },
    {
      name: 'concurrent',
      version: 1,
      tasks: [
        http('begin', time('UTC')),
        { name: 'pause', taskReferenceName: 'pause', type: 'WAIT', inputParameters: { duration: '90s' } },
        http('finish', time('UTC')),
      ],
      outputParameters: {
        startedAt: '${begin.output.response.body.dateTime}',
        finishedAt: '${finish.output.response.body.dateTime}',
      },
    },
    {
      name: 'input_param',
      version: 1,
      tasks: [
        script(
          'window',
          `(function () {
            var end = new Date(Number($.scheduled));
            var start = new Date(end.getTime() - 24 * 60 * 60 * 1000);
            return { start: start.toISOString(), end: end.toISOString() };
          })()`,
          { scheduled: '${workflow.input._scheduledTime}' },
        ),
      ],
      outputParameters: {
        scheduledAt: '${workflow.input._scheduledTime}',
        triggeredAt: '${workflow.input._executedTime}',
        reportWindowStart: '${window.output.result.start}',
        reportWindowEnd: '${window.output.result.end}',
      },
    },
    {
      name: 'dowhile',
      version: 2,
      tasks: [
        {
          name: 'loop',
          taskReferenceName: 'loop',
          type: 'DO_WHILE',
          inputParameters: { times: 3 },
          loopCondition: "if ($.loop['iteration'] < $.times) { true; } else { false; }",
          loopOver: [http('sample', time('UTC'))],
        },
        script('summary', '({ last: $.third, count: $.iterations })', {
          third: '${loop.output.3.sample.response.body.dateTime}',
          iterations: '${loop.output.iteration}',
        }),
      ],
      outputParameters: {
        sampledAt: '${summary.output.result.last}',
        iterations: '${summary.output.result.count}',
      },
    },
  ];
}

export function schedules(now: number): readonly (object & { readonly name: string })[] {
  const minutely = (name: string, workflow: string, version: number, more: object = {}) => ({
    name,
    cronExpression: '0 * * * * *',
    zoneId: 'UTC',
    startWorkflowRequest: { name: workflow, version, input: {} },
    ...more,
  });
  return [
    minutely('every-minute', 'daily_report', 1),
    minutely('daily-report', 'daily_report', 1, {
      cronExpression: '0 0 9 * * *',
      scheduleStartTime: 0,
      scheduleEndTime: 0,
    }),
    minutely('catchup', 'catchup', 1, { runCatchupScheduleInstances: true }),
    // Bounds as quoted digits, as the original's example has them: two minutes.
    minutely('bounded', 'bounded', 1, {
      scheduleStartTime: String(now),
      scheduleEndTime: String(now + 130_000),
    }),
    minutely('multistep', 'multistep', 3),
    minutely('retry', 'retry', 1),
    minutely('concurrent', 'concurrent', 1),
    minutely('input-param', 'input_param', 1),
    minutely('dowhile', 'dowhile', 2),
  ];
}
