// Our targets on real clusters: 1,000 slots whose starts lose answers, with both sides killed in the middle and slots asked for
// twice. Each start must have exactly one workflow.
import { Connection } from '@temporalio/client';
import { CarillonClient } from 'carillon/client';
import { CuttingProxy } from '../lib/cutting-proxy.mjs';
import { call } from '../lib/rest.mjs';
import { until } from '../lib/waiting.mjs';

/** Fewer on a busy machine: INTEROP_SLOTS=200. */
const slots = Number(process.env.INTEROP_SLOTS ?? 1000);
const hour = 3_600_000;
const begin = Date.parse('2026-01-01T00:00:00Z');
const schedule = 'slots';

const retry = { attempts: 200, initial: '200ms', longest: '5s' };
const common = { cron: '0 * * * *', overlap: 'allowAll', retry };

export const temporalTarget = {
  name: 'temporal-target',
  about: 'schedules of ours start workflows on a real Temporal server',
  run: async (stage) => {
    const cluster = await stage.temporal();
    await everySlotOnce(stage, cluster, {
      config: (address) => ({ temporal: { address, concurrency: 50 } }),
      work: { temporal: { workflowType: 'report', taskQueue: 'nobody', follow: false } },
      started: () => temporalWorkflows(cluster),
    });
  },
};

/** The ids of all workflows on the server. */
async function temporalWorkflows({ address }) {
  const connection = await Connection.connect({ address });
  try {
    const ids = [];
    let nextPageToken;
    do {
      const page = await connection.workflowService.listWorkflowExecutions({
        namespace: 'default',
        pageSize: 500,
        query: 'WorkflowType = "report"',
        nextPageToken,
      });
      ids.push(...page.executions.map(({ execution }) => execution.workflowId));
      nextPageToken = page.nextPageToken;
    } while (nextPageToken?.length > 0);
    return ids;
  } finally {
    await connection.close();
  }
}

export const conductorTarget = {
  name: 'conductor-target',
  about: 'schedules of ours start workflows on the published Conductor server',
  run: async (stage) => {
    const cluster = await stage.conductor();
    await call('POST', `${cluster.url}/api/metadata/workflow`, {
      name: 'interop_start',
      version: 1,
      schemaVersion: 2,
      ownerEmail: 'a@example.com',
      tasks: [{ name: 'set', taskReferenceName: 'set', type: 'SET_VARIABLE', inputParameters: { a: 1 } }],
    });
    await everySlotOnce(stage, cluster, {
      config: (address) => ({ conductor: { targets: { default: { url: `http://${address}` } } } }),
      work: { conductor: { workflow: 'interop_start' } },
      started: () => conductorWorkflows(cluster),
    });
  },
};

/** The correlation ids of all workflows on the server. */
async function conductorWorkflows({ url }) {
  const ids = [];
  for (;;) {
    const query = encodeURIComponent('workflowType IN (interop_start)');
    const page = await call('GET', `${url}/api/workflow/search?start=${ids.length}&size=500&query=${query}`);
    ids.push(...page.results.map(({ correlationId }) => correlationId));
    if (page.results.length === 0 || ids.length >= page.totalHits) return ids;
  }
}

async function everySlotOnce(stage, cluster, { config, work, started }) {
  const proxy = await new CuttingProxy(cluster.address, { every: 40, most: 10 }).open();
  stage.after(() => proxy.close());
  const server = await stage.carillon(config(proxy.address));
  const client = new CarillonClient({ url: server.url });
  await client.schedules.create(schedule, { ...common, ...work, paused: true });
  const range = (count) => ({
    from: new Date(begin).toISOString(),
    to: new Date(begin + (count - 1) * hour).toISOString(),
    overlap: 'allowAll',
  });
  await client.schedules.backfill(schedule, range(slots));
  const startedCount = async () => (await started()).length;
  await until('the first starts', async () => (await startedCount()) > slots / 20, 300_000, 500);
  await server.kill();
  await server.start();
  await until('more starts', async () => (await startedCount()) > slots / 5, 300_000, 500);
  await cluster.kill();
  await cluster.start();
  await until('more starts', async () => (await startedCount()) > slots / 2, 300_000, 500);
  await server.kill();
  await server.start();
  await client.schedules.backfill(schedule, range(slots / 10));
  const { report } = stage;
  const runs = await report.check('every run ends', () =>
    until('all runs ended', () => ended(client), 900_000, 1000),
  );
  const failures = (runs ?? []).filter(({ outcome }) => outcome !== 'completed');
  // A slot that is asked for again by hand runs again when its workflow has ended, and is refused while that is open.
  const starts = (runs ?? []).length - failures.length;
  await report.check(`${slots} slots, ${starts} starts, each exactly one workflow`, async () => {
    if (starts < slots) throw new Error(`only ${starts} starts`);
    const ids = await until('the server lists them', async () => {
      const found = await started();
      return found.length >= starts ? found : undefined;
    });
    const unique = new Set(ids).size;
    if (ids.length !== starts || unique !== starts) throw new Error(`${ids.length} workflows, ${unique} ids`);
  });
  report.note(
    `${proxy.cut} answers lost; ${runs?.length} runs, ${failures.length} of them did not start a workflow (${[...new Set(failures.map(({ failure }) => failure?.type))].join(', ')})`,
  );
}

/** All runs of the schedule, once none is open. */
async function ended(client) {
  const runs = [];
  let after;
  do {
    const page = await client.schedules.runs(schedule, {
      limit: 1000,
      ...(after ? { after } : {}),
    });
    runs.push(...page.items);
    after = page.next;
  } while (after);
  return runs.length >= slots && runs.every(({ state }) => state === 'done') ? runs : undefined;
}
