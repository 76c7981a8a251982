// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
// Conductor's Python SDK on our server: its scheduler client, and its worker on the tasks of a scheduled workflow.
import { join } from 'node:path';
import { needs, programs } from '../lib/needs.mjs';
import { call } from '../lib/rest.mjs';
import { until } from '../lib/waiting.mjs';

export const conductorPython = {
  name: 'conductor-python',
  about: "the worker and the scheduler client of Conductor's Python SDK",
  run: async (stage) => {
    const python = await needs.python();
    const server = await stage.carillon();
    const scheduler = join(programs, 'python/conductor_scheduler.py');
    await stage.findings('python', python, [scheduler, server.url, 'i'], { cwd: stage.folder });
    await define(server);
    const worker = (name) =>
      stage.program(python, [join(programs, 'python/conductor_worker.py'), server.url, name], {
        cwd: stage.folder,
      });
    const first = worker('first');
    await first.line((line) => line === 'ready');
    await everydayWork(stage, server);
    await deadWorker(stage, server, first, () => worker('second'));
  },
};

const task = (name, reference, inputParameters = {}) => ({
  name: `interop_${name}`,
  taskReferenceName: reference,
  type: 'SIMPLE',
  inputParameters,
});

async function define({ url }) {
  const settings = { retryCount: 2, retryDelaySeconds: 0, timeoutSeconds: 120, ownerEmail: 'a@example.com' };
  const names = ['sum', 'flaky', 'broken', 'beats', 'slow'];
  await call(
    'POST',
    `${url}/api/metadata/taskdefs`,
    names.map((name) => ({
      name: `interop_${name}`,
      ...settings,
      responseTimeoutSeconds: name === 'slow' ? 5 : 30,
    })),
  );
  const tasks = [
    task('sum', 'a', { x: 1, y: '${workflow.input.y}' }),
    task('flaky', 'b'),
    task('beats', 'c'),
    task('sum', 'd', { x: '${a.output.sum}', y: 10 }),
  ];
  const workflow = (name, more) => ({
    name,
    version: 1,
    schemaVersion: 2,
    ownerEmail: 'a@example.com',
    ...more,
  });
  for (const definition of [
    workflow('interop_all', {
      tasks,
      outputParameters: {
        sum: '${d.output.sum}',
        retries: '${b.output.retries}',
        polls: '${c.output.polls}',
      },
    }),
    workflow('interop_breaks', { tasks: [task('broken', 'a')] }),
    workflow('interop_waits', {
      tasks: [task('slow', 'a', { seconds: 1 })],
      outputParameters: { by: '${a.output.by}' },
    }),
    workflow('interop_dies', { tasks: [task('slow', 'a', { seconds: 60 })] }),
  ]) {
    await call('POST', `${url}/api/metadata/workflow`, definition);
  }
}

async function everydayWork({ report }, server) {
  await report.check(
    'a worker logs, fails, retries, calls back and finishes a scheduled workflow',
    async () => {
      const id = await scheduled(server, 'interop_all', { y: 2 });
      const { status, output, tasks } = await ended(server, id);
      const told = JSON.stringify([status, output.sum, output.retries, output.polls >= 3]);
      if (told !== '["COMPLETED",13,1,true]') throw new Error(`${told} ${JSON.stringify(output)}`);
      const log = await call('GET', `${server.url}/api/tasks/${tasks[0].taskId}/log`);
      if (log[0]?.log !== 'adding') throw new Error(JSON.stringify(log));
    },
  );
  await report.check('a failure for good ends the workflow without a retry', async () => {
    const { status, tasks } = await ended(server, await start(server, 'interop_breaks'));
    if (status !== 'FAILED' || tasks.length !== 1 || tasks[0].status !== 'FAILED_WITH_TERMINAL_ERROR') {
      throw new Error(JSON.stringify([status, tasks.map((each) => each.status)]));
    }
  });
}

async function deadWorker({ report }, server, first, another) {
  await report.check('a killed worker’s task goes to another one after its response timeout', async () => {
    const id = await start(server, 'interop_dies');
    await first.line((line) => line.startsWith('began slow'));
    await first.kill();
    const second = another();
    await second.line((line) => line.startsWith('began slow 1'), 60_000);
    await call('DELETE', `${server.url}/api/workflow/${id}`);
    await second.kill();
    const third = another();
    await third.line((line) => line === 'ready');
    const { output } = await ended(server, await start(server, 'interop_waits'));
    if (output.by !== 'second') throw new Error(JSON.stringify(output));
  });
}

async function start({ url }, name, input = {}) {
  return await call('POST', `${url}/api/workflow`, { name, version: 1, input });
}

/** Lets a schedule start the workflow once, and returns its id. */
async function scheduled({ url }, workflow, input) {
  const schedule = `s-${workflow}`;
  await call('POST', `${url}/api/scheduler/schedules`, {
    name: schedule,
    cronExpression: '* * * * * *',
    startWorkflowRequest: { name: workflow, version: 1, input },
  });
  const record = await until('the schedule started the workflow', async () => {
    const query = encodeURIComponent(`scheduleName IN (${schedule})`);
    const page = await call('GET', `${url}/api/scheduler/search/executions?query=${query}`);
    return page.results.find(({ workflowId }) => workflowId !== undefined);
  });
  await call('DELETE', `${url}/api/scheduler/schedules/${schedule}`);
  return record.workflowId;
}

async function ended({ url }, id) {
  return await until('the workflow ended', async () => {
    const workflow = await call('GET', `${url}/api/workflow/${id}`);
    return ['RUNNING', 'PAUSED'].includes(workflow.status) ? undefined : workflow;
  });
}
