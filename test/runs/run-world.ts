/** A world whose nodes have workers and sweepers beside their engines. */
import type { Library } from '../../packages/carillon/src/engine/index.ts';
import type { Handlers } from '../../packages/carillon/src/runs/context.ts';
import { NodeLease } from '../../packages/carillon/src/runs/node-lease.ts';
import type { WorkerObserver } from '../../packages/carillon/src/runs/observer.ts';
import { RunQueue } from '../../packages/carillon/src/runs/run-queue.ts';
import { RunSweeper } from '../../packages/carillon/src/runs/run-sweeper.ts';
import type { RunTuning } from '../../packages/carillon/src/runs/tuning.ts';
import { Worker } from '../../packages/carillon/src/runs/worker.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';

export interface RunWorldOptions {
  readonly nodes?: number;
  readonly libraries?: readonly Library[];
  readonly handlers?: Handlers;
  readonly concurrency?: number;
  readonly tuning?: Partial<RunTuning>;
  readonly observer?: Partial<WorkerObserver>;
}

export class RunWorld implements AsyncDisposable {
  readonly world: World;
  readonly workers: Worker[] = [];
  readonly queues: RunQueue[] = [];
  /** Transactions that wrote runs, each as the ids with the states they got. */
  readonly commits: string[][] = [];
  readonly #options: RunWorldOptions;
  #ids = 0;

  constructor(options: RunWorldOptions) {
    this.#options = options;
    this.world = new World({
      seed: 1,
      nodes: options.nodes ?? 1,
      libraries: () => options.libraries ?? [],
    });
    watchCommits(this.world, (runs) => {
      this.commits.push(runs.map((run) => `${run.id} ${run.outcome ?? run.state}`));
    });
  }

  async start(): Promise<this> {
    await this.world.start();
    for (let node = 0; node < this.world.nodeCount; node += 1) await this.equip(node);
    await this.world.settle();
    return this;
  }

  /** Gives a node its worker and sweeper. */
  async equip(node: number): Promise<Worker> {
    const engine = this.world.engine(node);
    const newId = () => {
      this.#ids += 1;
      return `t${this.#ids}`;
    };
    const queue = new RunQueue({ engine, newId });
    const { handlers = {}, concurrency = 10, tuning = {}, observer = {} } = this.#options;
    const steadyClock = this.world.steadyClock(node);
    const lease = new NodeLease({ engine, steadyClock, name: `worker-${node}`, newId, tuning });
    await lease.start();
    const worker = new Worker({
      engine,
      clock: steadyClock,
      node: lease,
      queues: { main: { concurrency, handlers } },
      newId,
      tuning,
      observer,
    });
    await worker.start();
    await new RunSweeper({ engine, node: lease, tuning }).start();
    this.workers[node] = worker;
    this.queues[node] = queue;
    return worker;
  }

  get queue(): RunQueue {
    return this.queues[0] as RunQueue;
  }

  async run(id: string): Promise<RunRow> {
    const { items } = await this.world.store.runs({ ids: [id], limit: 1 });
    if (items[0] === undefined) throw new Error(`no run ${id}`);
    return items[0];
  }

  async enqueue(fields: Partial<Parameters<RunQueue['enqueue']>[0]> = {}): Promise<RunRow> {
    return await this.queue.enqueue({ namespace: 'default', queue: 'main', name: 'work', ...fields });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

/** Looks at the runs of every commit, as they are written. */
export function watchCommits(
  world: World,
  look: (runs: readonly RunRow[], before: readonly RunRow[]) => void,
): void {
  const { store } = world;
  const transact = store.transact.bind(store);
  store.transact = async (selection, decider) => {
    let written: { runs: readonly RunRow[]; before: readonly RunRow[] } | undefined;
    const result = await transact(selection, {
      ...decider,
      decide: (loaded) => {
        const decision = decider.decide(loaded);
        const { newRuns = [], runs = [] } = decision.writes;
        written = { runs: [...newRuns, ...runs], before: loaded.runs };
        return decision;
      },
    });
    if (written !== undefined && written.runs.length > 0) look(written.runs, written.before);
    return result;
  };
}

/** A promise and its ends, to hold handlers where a test wants them. */
export function aGate<T = void>() {
  let open!: (value: T) => void;
  const passed = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
