// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
/** Workflows in the middle of FORK_JOIN and DO_WHILE, while their server and their workers are killed. Real processes, a real file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.ts';
import { ConductorServers } from './conductor-servers.ts';

const program = fileURLToPath(new URL('./flow-worker-child.mjs', import.meta.url));

function startWorker(url: string): () => Promise<void> {
  const worker = spawn(process.execPath, [program, url, 'step'], { stdio: 'ignore' });
  const kill = async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  };
  onTestFinished(kill);
  return kill;
}

const step = (reference: string, more: object = {}) => ({
  name: 'step',
  taskReferenceName: reference,
  type: 'SIMPLE',
  ...more,
});
const definition = {
  name: 'killed',
  version: 1,
  tasks: [
    {
      name: 'fork',
      taskReferenceName: 'fork',
      type: 'FORK_JOIN',
      forkTasks: [
        [
          {
            name: 'loop',
            taskReferenceName: 'loop',
            type: 'DO_WHILE',
            loopCondition: '$.loop.iteration < 3',
            loopOver: [step('inside', { inputParameters: { n: '${loop.output.iteration}' } })],
          },
        ],
        [step('left'), step('right')],
      ],
    },
    { name: 'join', taskReferenceName: 'join', type: 'JOIN', joinOn: ['loop', 'right'] },
    step('last', { inputParameters: { n: '${loop.output.iteration}' } }),
  ],
  outputParameters: { iterations: '${last.output.n}' },
};

const workflows = 5;

interface Shown {
  readonly status: string;
  readonly output: unknown;
  readonly tasks: readonly { readonly referenceTaskName: string; readonly status: string }[];
}

test('server and workers killed again and again: no task is lost, none is completed twice', async () => {
  const servers = new ConductorServers();
  const store = `sqlite:${join(servers.folder, 'db')}`;
  let server = await servers.start(store);
  const ask = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return await response.text();
  };
  await ask('/metadata/taskdefs', [
    { name: 'step', retryCount: 20, retryDelaySeconds: 0, responseTimeoutSeconds: 1, timeoutSeconds: 60 },
  ]);
  await ask('/metadata/workflow', definition);
  const ids: string[] = [];
  for (let count = 0; count < workflows; count += 1) ids.push(await ask('/workflow', { name: 'killed' }));
  const shown = async () =>
    await Promise.all(ids.map(async (id) => JSON.parse(await ask(`/workflow/${id}`)) as Shown));
  const completed = async () =>
    (await shown()).flatMap(({ tasks }) => tasks.filter(({ status }) => status === 'COMPLETED')).length;
  for (const part of [0.2, 0.6]) {
    const killWorker = startWorker(server.url);
    // Eight tasks of each workflow end as COMPLETED, and fork, loop and join.
    await until(async () => (await completed()) >= workflows * 10 * part);
    await Promise.all([server.kill(), killWorker()]);
    server = await servers.start(store);
  }
  startWorker(server.url);
  const all = await until(shown, (flows) => flows.every(({ status }) => status !== 'RUNNING'));
  for (const { status, output, tasks } of all) {
    expect({ status, output }).toEqual({ status: 'COMPLETED', output: { iterations: 3 } });
    const ended = tasks.filter((task) => task.status === 'COMPLETED').map((task) => task.referenceTaskName);
    expect([...ended].sort()).toEqual([
      'fork',
      'inside__1',
      'inside__2',
      'inside__3',
      'join',
      'last',
      'left',
      'loop',
      'right',
    ]);
  }
});
