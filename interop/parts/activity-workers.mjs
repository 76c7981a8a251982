// Activity workers of three SDKs do the work of our schedules: results, heartbeats, retries, failures, cancels, and kill -9 of the
// worker and of our server in the middle. The languages run side by side, because a dead worker is missed for three minutes.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { needs, programs } from '../lib/needs.mjs';
import { NotHere } from '../lib/report.mjs';
import { until } from '../lib/waiting.mjs';

const workers = {
  typescript: async () => [process.execPath, join(programs, 'node/worker.mjs')],
  python: async () => [await needs.python(), join(programs, 'python/worker.py')],
  go: async () => [await needs.goSdk(), 'worker'],
};

export const activityWorkers = {
  name: 'activity-workers',
  about: 'activity workers of the TypeScript, Python and Go SDKs do scheduled work',
  run: async (stage) => {
    const server = await stage.carillon();
    const connection = await Connection.connect({ address: server.address });
    stage.after(() => connection.close());
    const client = new Client({ connection });
    const languages = [];
    for (const [language, command] of Object.entries(workers)) {
      try {
        languages.push(new Language(stage, { language, command: await command(), server, client }));
      } catch (error) {
        if (!(error instanceof NotHere)) throw error;
        stage.report.notHere(`${language}: a worker`, error.message);
      }
    }
    await Promise.all(languages.map((each) => each.everydayWork()));
    await killServer(stage, server, languages);
    await Promise.all(languages.map((each) => each.deadWorker()));
  },
};

/** All workers are in the middle of a task when the server dies; their reports find the next one. */
async function killServer({ report }, server, languages) {
  const started = await Promise.all(languages.map((each) => each.begin('slow', [6], 'mid')));
  await server.kill();
  await server.start();
  for (const [index, { language, name }] of languages.entries()) {
    await report.check(
      `${language}: kill -9 of the server in the middle: the report counts, once`,
      async () => {
        equal(await started[index].result(), { by: `${name}-1`, attempt: 1 });
        equal(languages[index].begun('slow').length, 1);
      },
    );
  }
}

class Language {
  language;
  #stage;
  #command;
  #server;
  #client;
  #workers = [];

  constructor(stage, { language, command, server, client }) {
    this.#stage = stage;
    this.language = language;
    this.#command = command;
    this.#server = server;
    this.#client = client;
  }

  get name() {
    return `${this.language}-worker`;
  }

  /** The lines of all workers that say that an activity began. */
  begun(activity) {
    return this.#workers.flatMap(({ lines }) =>
      lines.filter((line) => line.startsWith(`began ${activity} `)),
    );
  }

  async everydayWork() {
    const check = (name, run) => this.#stage.report.check(`${this.language}: ${name}`, run);
    await this.#work();
    await check('arguments and result', async () => {
      equal(await (await this.start('add', [1, 2, 3])).result(), { sum: 6, attempt: 1 });
    });
    await check('heartbeat details reach the next attempt', async () => {
      equal(await (await this.start('resumes', [])).result(), [{ done: 7 }]);
    });
    await check('a failure is tried again until it works', async () => {
      equal(await (await this.start('flaky', [])).result(), 3);
      equal(this.begun('flaky').length, 3);
    });
    await check('a failure for good ends the workflow at once', async () => {
      const failed = await (await this.start('broken', [])).result().then(
        () => undefined,
        (error) => error,
      );
      equal([failed?.cause?.message, failed?.cause?.type], ['never', 'Broken']);
      equal(this.begun('broken').length, 1);
    });
    await check('a cancel reaches the activity, and the workflow is cancelled', async () => {
      const workflow = await this.begin('waits', []);
      await workflow.cancel();
      await this.#line('cancelled waits 1');
      const told = await until('the workflow ended', async () => {
        const description = await workflow.describe();
        return description.status.name === 'RUNNING' ? undefined : description;
      });
      equal(told.status.name, 'CANCELLED');
    });
  }

  /** The only worker is killed in the middle; the next one gets the task with the next attempt, not before the lease is over. */
  async deadWorker() {
    await this.#stage.report.check(
      `${this.language}: kill -9 of the worker in the middle: another one does the work, once`,
      async () => {
        const workflow = await this.begin('slow', [600], 'dead');
        await Promise.all(this.#workers.map((worker) => worker.kill()));
        await this.#work();
        await this.#line('began slow 2', 300_000);
        equal((await workflow.describe()).status.name, 'RUNNING');
        await workflow.terminate();
      },
    );
  }

  /** Starts work and waits until a worker has begun it. */
  async begin(activity, args, suffix) {
    const before = this.begun(activity).length;
    const workflow = await this.start(activity, args, suffix);
    await until(`${activity} began`, () => this.begun(activity).length > before);
    return workflow;
  }

  async start(workflowType, args, suffix = 'once') {
    const handle = await this.#client.schedule.create({
      scheduleId: `${this.language}-${workflowType}-${suffix}`,
      spec: {},
      action: {
        type: 'startWorkflow',
        workflowType,
        taskQueue: this.language,
        args,
        retry: { initialInterval: 200, maximumAttempts: 5 },
      },
    });
    await handle.trigger();
    const action = await until('the trigger started a workflow', async () => {
      const { info } = await handle.describe();
      return info.recentActions[0]?.action.workflow;
    });
    return this.#client.workflow.getHandle(action.workflowId, action.firstExecutionRunId);
  }

  async #work() {
    const [command, ...args] = this.#command;
    const name = `${this.name}-${this.#workers.length + 1}`;
    const worker = this.#stage.program(command, [...args, this.#server.address, this.language, name]);
    this.#workers.push(worker);
    await worker.line((line) => line === 'ready');
  }

  async #line(wanted, withinMs) {
    await this.#workers.at(-1).line((line) => line === wanted, withinMs);
  }
}

/** Compares plain data; the order of keys is each language's own. */
function equal(is, wanted) {
  if (!isDeepStrictEqual(is, wanted))
    throw new Error(`${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
}
