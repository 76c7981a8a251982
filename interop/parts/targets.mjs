// Our targets on real clusters: 1,000 slots whose starts lose answers, with both sides killed in the middle and slots asked for
// twice. Each slot must have exactly one workflow, and one more when it is asked for again after its workflow has ended.
import { Connection } from '@temporalio/client';
import { CarillonClient } from 'carillon/client';
import { CuttingProxy } from '../lib/cutting-proxy.mjs';
import { call } from '../lib/rest.mjs';
import { until } from '../lib/waiting.mjs';

/** Fewer on a busy machine: INTEROP_SLOTS=200. */
const slots = Number(process.env.INTEROP_SLOTS ?? 1000);
/** So many slots are asked for a second time. */
const askedAgain = slots / 10;
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
      config: (address) => ({ temporal: { address } }),
      work: { temporal: { workflowType: 'report', taskQueue: 'nobody', follow: false } },
      started: () => temporalWorkflows(cluster),
      nameOf: ({ workflowId }) => workflowId,
      // No worker works on that task queue: the first workflow of a slot is open, and its id cannot be used again.
      perSlotAskedAgain: 1,
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
      nameOf: ({ id }) => `carillon-${id}`,
      perSlotAskedAgain: 2,
      whileOpen: (runs) => decideForgotten(cluster, runs),
    });
  },
};

/**
 * A Conductor server that is killed between storing a workflow and its first task forgets that the workflow has to go on, and does
 * not find it in searches either. It goes on when the server is asked to decide about it.
 */
async function decideForgotten({ url }, runs) {
  for (const { id, state } of runs) {
    if (state === 'done') continue;
    const path = `${url}/api/workflow/interop_start/correlated/carillon-${id}?includeClosed=false&includeTasks=true`;
    for (const { workflowId, tasks } of await call('GET', path))
      if (tasks.length === 0) await call('PUT', `${url}/api/workflow/decide/${workflowId}`);
  }
}

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

async function everySlotOnce(
  stage,
  cluster,
  { config, work, started, nameOf, perSlotAskedAgain, whileOpen },
) {
  const proxy = await new CuttingProxy(cluster.address, { every: 20, most: slots / 10 }).open();
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
  await client.schedules.backfill(schedule, range(askedAgain));
  const { report } = stage;
  const runs = await report.check('every run ends', () =>
    until('all runs ended', () => ended(client, whileOpen), 900_000, 5000),
  );
  const failures = (runs ?? []).filter(({ outcome }) => outcome !== 'completed');
  const expected = slots + askedAgain * (perSlotAskedAgain - 1);
  await report.check(
    `each of ${slots} slots has one workflow, the ${askedAgain} asked for again ${perSlotAskedAgain}`,
    async () => {
      const names = await until('the server lists them', async () => {
        const found = await started();
        return found.length >= expected ? found : undefined;
      });
      const slotOf = new Map((runs ?? []).map((run) => [nameOf(run), Date.parse(run.scheduledAt)]));
      const counts = new Map();
      for (const name of names) counts.set(slotOf.get(name), (counts.get(slotOf.get(name)) ?? 0) + 1);
      const wrong = [];
      for (let nth = 0; nth < slots; nth += 1) {
        const count = counts.get(begin + nth * hour) ?? 0;
        if (count !== (nth < askedAgain ? perSlotAskedAgain : 1)) wrong.push(`slot ${nth}: ${count}`);
      }
      const strangers = counts.get(undefined) ?? 0;
      if (strangers > 0) wrong.push(`${strangers} workflows of no run`);
      if (wrong.length > 0) throw new Error(`${wrong.length} wrong: ${wrong.slice(0, 5).join(', ')}`);
    },
  );
  report.note(
    `${proxy.cut} answers lost; ${runs?.length} runs, ${failures.length} of them did not start a workflow (${[...new Set(failures.map(({ failure }) => failure?.type))].join(', ')})`,
  );
}

/** All runs of the schedule, once none is open. */
async function ended(client, whileOpen) {
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
  if (runs.length >= slots + askedAgain && runs.every(({ state }) => state === 'done')) return runs;
  const isNearlyDone = runs.filter(({ state }) => state !== 'done').length < 20;
  if (runs.length >= slots + askedAgain && isNearlyDone) await whileOpen?.(runs);
  return undefined;
}
