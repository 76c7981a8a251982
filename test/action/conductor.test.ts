import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ConductorOptions } from '../../packages/carillon/src/action/conductor-action.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { until } from '../support/until.ts';

interface Workflow {
  readonly workflowId: string;
  readonly correlationId: string;
  readonly input: Readonly<Record<string, unknown>>;
  status: string;
}

/** A cluster of one process: it starts workflows, drops answers and answers late, as the test says. */
class Cluster implements AsyncDisposable {
  readonly workflows = new Map<string, Workflow>();
  readonly late: ServerResponse[] = [];
  starts = 0;
  endsAs = 'COMPLETED';
  misbehave: (start: number) => 'lose' | 'late' | 'dead' | undefined = () => undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const [, , , first = '', second = '', third = ''] = pathname.split('/').map(decodeURIComponent);
    if (this.misbehave(-1) === 'dead') return;
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { name, correlationId, input } = JSON.parse(Buffer.concat(chunks).toString()) as Workflow & {
        name: string;
      };
      if (name === 'unknown')
        return this.#send(response, 404, { message: 'No such workflow defined. name=unknown, version=null' });
      if (await isGivenUp(request)) return;
      this.starts += 1;
      const workflowId = `wf-${this.starts}`;
      this.workflows.set(workflowId, { workflowId, correlationId, input, status: this.endsAs });
      const how = this.misbehave(this.starts);
      if (how === 'lose') request.socket.destroy();
      else if (how === 'late') this.late.push(response);
      else response.end(workflowId);
    } else if (second === 'correlated') {
      this.#send(
        response,
        200,
        [...this.workflows.values()].filter(({ correlationId }) => correlationId === third),
      );
    } else if (request.method === 'DELETE') {
      const workflow = this.workflows.get(first);
      if (workflow !== undefined) workflow.status = 'TERMINATED';
      response.end();
    } else {
      const workflow = this.workflows.get(first);
      if (workflow === undefined)
        return this.#send(response, 404, { message: `No such workflow found by id: ${first}` });
      this.#send(response, 200, { ...workflow, output: { n: workflow.input._scheduledTime } });
    }
  }

  #send(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/**
 * Whether the caller has closed the connection meanwhile. A cluster that takes a request so late starts a workflow that no
 * lookup could have found; how long requests lie around is a matter of the machine, and not what is tested here.
 */
async function isGivenUp({ socket }: IncomingMessage): Promise<boolean> {
  // The loop learns of a closed connection in a turn of its own.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return socket.destroyed || socket.readableEnded;
}

async function open(options: ConductorOptions): Promise<Carillon> {
  const carillon = await openCarillon({ store: 'memory:', conductor: { pollMs: 5, ...options } });
  await carillon.start();
  return carillon;
}

interface Listing {
  /** Also runs that have not ended. */
  readonly isAny?: boolean;
  readonly limit?: number;
  readonly after?: string;
  readonly include?: 'payloads';
}

async function listed(carillon: Carillon, schedule: string, { isAny = false, ...options }: Listing) {
  const page = await carillon.schedules.runs(schedule, options);
  return { ...page, items: page.items.filter(({ state }) => isAny || state === 'done') };
}

const retry = { attempts: 30, initial: '5ms', longest: '5ms' } as const;
/** However often the breaker of a slow machine refuses a start, the attempts do not run out, and their pauses leave it time for others. */
const unending = { attempts: 10_000, initial: '20ms', longest: '500ms' } as const;

it('with one answer in five lost and one in five late, each of 1,000 slots has exactly one workflow', async () => {
  await using cluster = await new Cluster().open();
  cluster.misbehave = (start) => (start % 5 === 1 ? 'lose' : start % 5 === 3 ? 'late' : undefined);
  await using carillon = await open({
    targets: { default: { url: cluster.url } },
    requestTimeoutMs: 8000,
    pollMs: 50,
    // All late starts hang at once, and the others go on beside them.
    concurrency: 400,
    requests: 300,
    breaker: { failures: 250, restMs: 20 },
  });
  await carillon.schedules.upsert('s', {
    cron: '0 0 * * *',
    conductor: { workflow: 'w' },
    overlap: 'allowAll',
    retry: unending,
  });
  const from = Date.UTC(2023, 0, 1);
  await carillon.schedules.backfill('s', { from, to: from + 999 * 86_400_000, overlap: 'allowAll' });
  await until(() => cluster.workflows.size >= 1000);
  await until(
    async () => (await carillon.runs.list({ state: ['waiting', 'leased'], limit: 1 })).items.length === 0,
  );
  const runs: string[] = [];
  for (let after: string | undefined; runs.length < 1000; ) {
    const page = await listed(carillon, 's', { limit: 500, ...(after === undefined ? {} : { after }) });
    runs.push(...page.items.map(({ outcome }) => String(outcome)));
    if (page.next === null) break;
    after = page.next;
  }
  expect(runs.length).toBe(1000);
  expect(runs.filter((outcome) => outcome !== 'completed')).toEqual([]);
  const ids = [...cluster.workflows.values()].map(({ correlationId }) => correlationId);
  expect(ids.length).toBe(1000);
  expect(new Set(ids).size).toBe(1000);
  const slots = new Set([...cluster.workflows.values()].map(({ input }) => input._scheduledTime));
  expect(slots.size).toBe(1000);
});

it('the result is the output of the workflow, and its failure is the failure of the run', async () => {
  await using cluster = await new Cluster().open();
  await using carillon = await open({ targets: { default: { url: `${cluster.url}/api/` } } });
  await carillon.schedules.upsert('s', {
    cron: '0 0 1 1 *',
    conductor: { workflow: 'w' },
    input: { a: 1 },
    retry,
  });
  const at = Date.UTC(2026, 0, 1);
  await carillon.schedules.backfill('s', { from: at, to: at });
  const [run] = await until(
    async () => (await listed(carillon, 's', { include: 'payloads' })).items,
    (items) => items.length === 1,
  );
  expect(run).toMatchObject({ outcome: 'completed', result: { workflowId: 'wf-1', output: { n: at } } });
  expect(cluster.workflows.get('wf-1')?.input).toMatchObject({ a: 1, _startedByScheduler: 's' });
  cluster.endsAs = 'FAILED';
  await carillon.schedules.trigger('s');
  const failed = await until(async () =>
    (await listed(carillon, 's', {})).items.find(({ outcome }) => outcome === 'failed'),
  );
  expect(failed.failure).toMatchObject({ type: 'FAILED', nonRetryable: true });
  expect(cluster.starts).toBe(2);
});

it('a workflow that the cluster does not know fails the start at once', async () => {
  await using cluster = await new Cluster().open();
  await using carillon = await open({ targets: { default: { url: cluster.url } } });
  await carillon.schedules.upsert('s', { cron: '0 0 1 1 *', conductor: { workflow: 'unknown' } });
  await carillon.schedules.trigger('s');
  const run = await until(async () => (await listed(carillon, 's', {})).items[0]);
  expect(run).toMatchObject({
    outcome: 'failed',
    attempt: 1,
    failure: { message: expect.stringContaining('No such workflow'), startFailed: true },
  });
});

it('a cancelled run terminates its workflow', async () => {
  await using cluster = await new Cluster().open();
  cluster.endsAs = 'RUNNING';
  await using carillon = await open({ targets: { default: { url: cluster.url } } });
  await carillon.schedules.upsert('s', { cron: '0 0 1 1 *', conductor: { workflow: 'w' } });
  await carillon.schedules.trigger('s');
  await until(() => cluster.workflows.size === 1);
  const run = await until(async () => (await listed(carillon, 's', { isAny: true })).items[0]);
  await carillon.runs.cancel(run.id);
  await until(() => cluster.workflows.get('wf-1')?.status === 'TERMINATED');
  await until(async () => (await carillon.runs.get(run.id))?.outcome === 'cancelled');
});

it('a slow cluster gets at most 16 starts at once, each once, while started workflows are looked at', async () => {
  const count = 100;
  await using cluster = await new Cluster().open();
  cluster.endsAs = 'RUNNING';
  cluster.misbehave = () => 'late';
  await using carillon = await open({
    targets: { default: { url: cluster.url } },
    requestTimeoutMs: 3_600_000,
  });
  await carillon.schedules.upsert('s', {
    cron: '0 0 * * *',
    conductor: { workflow: 'w' },
    overlap: 'allowAll',
  });
  const from = Date.UTC(2023, 0, 1);
  await carillon.schedules.backfill('s', { from, to: from + (count - 1) * 86_400_000, overlap: 'allowAll' });
  for (let answered = 0; answered < count; ) {
    const expected = Math.min(16, count - answered);
    await until(() => cluster.late.length >= expected);
    expect(cluster.late.length).toBe(expected);
    for (const response of cluster.late.splice(0)) {
      answered += 1;
      response.end(`wf-${answered}`);
    }
  }
  for (const workflow of cluster.workflows.values()) workflow.status = 'COMPLETED';
  const runs = await until(
    async () => (await listed(carillon, 's', { limit: count })).items,
    (items) => items.length === count,
  );
  expect(runs.every(({ outcome, attempt }) => outcome === 'completed' && attempt === 1)).toBe(true);
  expect(cluster.starts).toBe(count);
});

it('a run that is cancelled while the answer to its start is lost terminates its workflow', async () => {
  await using cluster = await new Cluster().open();
  cluster.endsAs = 'RUNNING';
  cluster.misbehave = (start) => (start === 1 ? 'late' : undefined);
  await using carillon = await open({ targets: { default: { url: cluster.url } }, requestTimeoutMs: 500 });
  await carillon.schedules.upsert('s', { cron: '0 0 1 1 *', conductor: { workflow: 'w' } });
  await carillon.schedules.trigger('s');
  await until(() => cluster.workflows.size === 1);
  const run = await until(async () => (await listed(carillon, 's', { isAny: true })).items[0]);
  await carillon.runs.cancel(run.id);
  await until(() => cluster.workflows.get('wf-1')?.status === 'TERMINATED');
  await until(async () => (await carillon.runs.get(run.id))?.outcome === 'cancelled');
});

it.each(['cancel', 'terminate'] as const)(
  'a %s between two attempts reaches the workflow whose start was not answered',
  async (how) => {
    await using cluster = await new Cluster().open();
    cluster.endsAs = 'RUNNING';
    cluster.misbehave = (start) => (start === 1 ? 'lose' : undefined);
    // A lost answer breaks the connection at once: only a machine that stands still would need this time.
    await using carillon = await open({
      targets: { default: { url: cluster.url } },
      requestTimeoutMs: 60_000,
    });
    const patient = { attempts: 10, initial: '1h', longest: '1h' } as const;
    await carillon.schedules.upsert('s', { cron: '0 0 1 1 *', conductor: { workflow: 'w' }, retry: patient });
    await carillon.schedules.trigger('s');
    const run = await until(
      async () => (await listed(carillon, 's', { isAny: true })).items[0],
      (found) => found?.state === 'waiting' && found.attempt === 1,
    );
    expect(await carillon.runs[how](run?.id ?? '')).toBe('ended');
    const withdrawal = await until(
      async () => (await carillon.runs.list({ limit: 100, include: 'payloads' })).items,
      (runs) => runs.some(({ name, state }) => name === 'withdraw conductor' && state === 'done'),
    );
    expect(withdrawal.find(({ name }) => name === 'withdraw conductor')).toMatchObject({
      outcome: 'completed',
      result: { withdrawn: true, workflowIds: ['wf-1'] },
    });
    expect(cluster.workflows.get('wf-1')?.status).toBe('TERMINATED');
    expect(cluster.starts).toBe(1);
  },
);

it('a cluster that does not answer a cancel is asked again until the workflow is terminated', async () => {
  await using cluster = await new Cluster().open();
  cluster.endsAs = 'RUNNING';
  await using carillon = await open({ targets: { default: { url: cluster.url } }, requestTimeoutMs: 1000 });
  await carillon.schedules.upsert('s', { cron: '0 0 1 1 *', conductor: { workflow: 'w' } });
  await carillon.schedules.trigger('s');
  await until(() => cluster.workflows.size === 1);
  const run = await until(async () => (await listed(carillon, 's', { isAny: true })).items[0]);
  cluster.misbehave = () => 'dead';
  await carillon.runs.cancel(run.id);
  await until(async () => (await carillon.runs.get(run.id))?.outcome === 'cancelled');
  cluster.misbehave = () => undefined;
  await until(() => cluster.workflows.get('wf-1')?.status === 'TERMINATED');
});

it('a dead cluster delays no other: each has its own queue and breaker', async () => {
  await using dead = await new Cluster().open();
  await using alive = await new Cluster().open();
  dead.misbehave = () => 'dead';
  await using carillon = await open({
    targets: { dead: { url: dead.url }, alive: { url: alive.url } },
    requestTimeoutMs: 500,
    concurrency: 5,
  });
  const from = Date.UTC(2023, 0, 1);
  for (const target of ['dead', 'alive']) {
    await carillon.schedules.upsert(target, {
      cron: '0 0 * * *',
      conductor: { workflow: 'w', target },
      overlap: 'allowAll',
      retry: unending,
    });
    await carillon.schedules.backfill(target, { from, to: from + 49 * 86_400_000, overlap: 'allowAll' });
  }
  const done = await until(
    async () => (await listed(carillon, 'alive', { limit: 100 })).items,
    (items) => items.length === 50,
  );
  expect(done.every(({ outcome }) => outcome === 'completed')).toBe(true);
  const waiting = await until(
    async () => (await listed(carillon, 'dead', { isAny: true, limit: 100 })).items,
    (items) => items.some(({ failure }) => /asked again in/.test(failure?.message ?? '')),
  );
  expect(waiting.filter(({ outcome }) => outcome === 'completed')).toEqual([]);
});
