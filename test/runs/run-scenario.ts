/**
 * One history of a small cluster of workers under one seed: desks and callers start runs, some are cancelled or
 * terminated, while nodes crash, drain, disagree about the time, and answers get lost. A watcher checks every write of
 * a run as it happens: a lease is only ever taken from the queue, a finished run is never touched again. At the end the
 * faults stop, and every run has ended exactly once, by an attempt that really happened, and its owner was told once.
 */
import type { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Engine } from '../../packages/carillon/src/engine/index.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import { NodeLease } from '../../packages/carillon/src/runs/node-lease.ts';
import { nodeStateOf } from '../../packages/carillon/src/runs/node-row.ts';
import type { RunOptions } from '../../packages/carillon/src/runs/run.ts';
import { RunQueue } from '../../packages/carillon/src/runs/run-queue.ts';
import { RunSweeper } from '../../packages/carillon/src/runs/run-sweeper.ts';
import { Worker } from '../../packages/carillon/src/runs/worker.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import type { Faults } from '../../packages/carillon/src/testing/faulty-store.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import { Desk, deskKey, deskLibrary, startAt } from './desk.ts';
import { watchCommits } from './run-world.ts';

interface Work {
  readonly takesMs: number;
  /** Attempts that throw. */
  readonly fails: number;
  readonly listens: boolean;
  /** Runs the desk starts one after the other when this one ends. */
  readonly chain: number;
}

interface Life {
  dead: boolean;
  readonly worker: Worker;
  readonly lease: NodeLease;
}

const never = new Promise<never>(() => {});

export async function simulateRuns(
  seed: number,
): Promise<{ readonly problems: readonly string[]; readonly fingerprint: string }> {
  const problems: string[] = [];
  const library = deskLibrary((desk, run) => {
    const work = JSON.parse(run.input) as Work;
    if (work.chain > 0) {
      const input = { ...work, chain: work.chain - 1 };
      startAt(desk, { id: `${run.id}+`, input, options: JSON.parse(run.options) });
    }
  });
  await using world = new World({
    seed,
    nodes: 1 + (seed % 3),
    libraries: () => [library],
    observer: { incident: (key, error) => problems.push(`incident on ${key.id}: ${String(error)}`) },
  });
  const writes = watchRuns(world, problems);
  const { random } = world;
  const lives: (Life | undefined)[] = [];
  const stopped = new Set<string>();
  const begun = new Map<string, string>();
  const returned = new Map<number, string>();
  /** What was concluded under each lease. */
  const said = new Map<string, string>();
  let ids = 0;
  let invocations = 0;
  const newId = () => {
    ids += 1;
    return `t${ids}`;
  };
  /** Names of nodes that others have taken for dead. */
  const buried = new Set<string>();
  watchNodes(world, (id) => buried.add(id));
  /** By run: under which leases its handler came to its end and said so. */
  const completed = new Map<string, { readonly life: Life; readonly worker: string }>();

  const perform = async (life: () => Life | undefined, engine: Engine, context: RunContext<Work>) => {
    invocations += 1;
    const invocation = invocations;
    const { takesMs, fails, listens } = context.input;
    await new Promise<void>((resolve, reject) => {
      engine.clock.wakeAt(addTime(engine.clock.now(), takesMs), resolve);
      if (listens) context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
    if (life()?.dead !== false) return await never;
    context.heartbeat({ invocation });
    if (context.attempt <= fails) throw new Error(`attempt ${context.attempt} shall fail`);
    returned.set(invocation, context.id);
    return invocation;
  };
  const equip = async (node: number) => {
    const engine = world.engine(node);
    let life: Life | undefined;
    const handlers = { work: (context: RunContext<Work>) => perform(() => life, engine, context) };
    const steadyClock = world.steadyClock(node);
    const lease = new NodeLease({ engine, steadyClock, name: `worker-${node}`, newId });
    await world.withoutFaults(() => lease.start());
    const worker = new Worker({
      engine,
      clock: steadyClock,
      node: lease,
      queues: { main: { concurrency: 3, handlers } },
      newId,
      tuning: { drainMs: 5000 },
      observer: {
        began: (run) => {
          // (8) A handler that came to its end is begun again only when its node died or was taken for dead.
          const before = completed.get(run.id);
          if (before !== undefined && !before.life.dead && !buried.has(before.worker)) {
            problems.push(`${run.id} completed on ${before.worker}, which lives, and began again`);
          }
          if (begun.has(run.leaseToken)) problems.push(`${run.id} began twice under ${run.leaseToken}`);
          begun.set(run.leaseToken, run.id);
        },
        concluded: (run, conclusion) => {
          const what = conclusion.kind === 'completed' ? conclusion.result : conclusion.kind;
          said.set(run.leaseToken, String(what));
          if (conclusion.kind === 'completed' && life !== undefined) {
            completed.set(run.id, { life, worker: run.worker });
          }
        },
      },
    });
    life = { dead: false, worker, lease };
    lives[node] = life;
    await worker.start();
    await new RunSweeper({ engine, node: lease }).start();
  };
  const crash = (node: number) => {
    const life = lives[node];
    if (life !== undefined) life.dead = true;
    world.crash(node);
  };
  const restart = async (node: number) => {
    crash(node);
    await world.restart(node);
    await equip(node);
  };
  const insist = async <T>(request: (engine: Engine, queue: RunQueue) => Promise<T>): Promise<T> => {
    for (let tries = 0; tries < 1000; tries += 1) {
      const node = random.integer(0, world.nodeCount - 1);
      if (!world.isAlive(node)) await restart(node);
      const engine = world.engine(node);
      let settled: { value: T } | { error: unknown } | undefined;
      request(engine, new RunQueue({ engine, newId })).then(
        (value) => {
          settled = { value };
        },
        (error: unknown) => {
          settled = { error };
        },
      );
      for (let waited = 0; settled === undefined && waited < 40; waited += 1) await world.advance(1000);
      if (settled === undefined) continue;
      if ('value' in settled) return settled.value;
      if (!(settled.error instanceof StoreError)) throw settled.error;
    }
    throw new Error(`a request was not answered in 1000 tries (seed ${seed})`);
  };
  const started: string[] = [];
  const start = async () => {
    const id = `run-${String(started.length).padStart(3, '0')}`;
    const input = someWork(random);
    const options = someOptions(random);
    const priority = random.integer(-1, 1);
    if (random.chance(0.7)) {
      const change = { id, input, options, priority };
      await insist((engine) =>
        engine.update(Desk, deskKey('d'), (desk) => startAt(desk, change), { requestId: id }),
      );
      started.push(id);
    } else {
      const work = { namespace: 'default', queue: 'main', name: 'work', input, priority };
      const run = await insist((_, queue) =>
        queue.enqueue({ ...work, options: { ...options, requestId: id } }),
      );
      started.push(run.id);
    }
  };

  await world.start();
  for (let node = 0; node < world.nodeCount; node += 1) await equip(node);
  await insist((engine) =>
    engine.create(library, { namespace: 'default', id: 'd' }, { told: {} }, () => undefined, {
      requestId: 'd',
    }),
  );
  world.setFaults(weather(random));
  for (let act = 0; act < 40; act += 1) {
    const node = random.integer(0, world.nodeCount - 1);
    const choice = random.integer(0, 19);
    if (choice <= 4) await start();
    else if (choice === 5) crash(node);
    else if (choice === 6) await restart(node);
    else if (choice === 7) world.skew(node, random.integer(-300_000, 300_000));
    else if (choice === 8) world.setFaults(weather(random));
    else if (choice === 9 && world.isAlive(node)) void lives[node]?.worker.stop();
    else if (choice === 10 && world.isAlive(node)) void lives[node]?.worker.start();
    else if (choice === 11 && started.length > 0) {
      const id = random.pick(started);
      stopped.add(id);
      const kind = random.pick(['cancel', 'terminate'] as const);
      await insist((_, queue) => queue[kind]([id], 'on purpose'));
    } else if (choice === 15 && world.nodeCount > 1) {
      world.outage(true);
      await world.advance(random.pick([3000, 15_000, 25_000, 60_000]));
      world.outage(false);
    } else if (choice === 16 && world.nodeCount > 1) {
      world.cutOff(node);
      await world.advance(random.pick([5000, 18_000, 30_000]));
      world.cutOff(node, false);
    } else if (choice === 17 && world.isAlive(node)) {
      world.freeze(node);
      await world.advance(random.pick([4000, 12_000, 40_000]));
      world.thaw(node);
    } else if (choice === 18) world.killAtNextCommit(node);
    else await world.advance(random.integer(0, 15_000));
    for (const [index, life] of lives.entries())
      if (life !== undefined && !world.isAlive(index)) life.dead = true;
  }
  world.clearFaults();
  for (let node = 0; node < world.nodeCount; node += 1) await restart(node);
  await world.advance(900_000);

  const { items } = await world.store.runs({ limit: 100_000, order: 'ascending' });
  const told = await world.engine().read(Desk, deskKey('d'), (desk) => desk.state.told);
  const known = new Set(items.map((run) => run.id));
  for (const id of started) if (!known.has(id)) problems.push(`${id} was acknowledged and is not there`);
  for (const run of items) problems.push(...checkRun(run, { told, known, stopped, returned, said }));
  const outcomes = items.map((run) => `${run.id} ${run.outcome} ${run.attempt} ${run.finishedAt}`);
  return { problems, fingerprint: `${world.now} ${random.next()} ${writes()} ${ids} ${outcomes.join()}` };
}

function checkRun(
  run: RunRow,
  seen: {
    readonly told: Readonly<Record<string, readonly string[]>>;
    readonly known: ReadonlySet<string>;
    readonly stopped: ReadonlySet<string>;
    readonly returned: ReadonlyMap<number, string>;
    readonly said: ReadonlyMap<string, string>;
  },
): string[] {
  const problems: string[] = [];
  if (run.state !== 'done') return [`${run.id} is still ${run.state} (attempt ${run.attempt})`];
  const wasTold = (seen.told[run.id] ?? []).join();
  if (run.owner !== null && wasTold !== run.outcome) {
    problems.push(`${run.id} ended ${run.outcome}, its owner was told '${wasTold}'`);
  }
  if (run.outcome === 'completed' && seen.returned.get(JSON.parse(run.result ?? '0')) !== run.id) {
    problems.push(`${run.id} completed with ${run.result}, which no attempt returned`);
  }
  const said = seen.said.get(run.leaseToken);
  if (run.outcome === 'completed' && said !== run.result) {
    problems.push(`${run.id} completed with ${run.result}, but its last holder said ${said}`);
  }
  if (run.outcome === 'failed' && said !== 'failed') {
    problems.push(`${run.id} failed, but its last holder said ${said}`);
  }
  const wasStopped = run.outcome === 'cancelled' || run.outcome === 'terminated';
  if (wasStopped && !seen.stopped.has(run.id)) problems.push(`${run.id} was ${run.outcome} by no caller`);
  const { chain } = JSON.parse(run.input) as Work;
  if (run.owner !== null && chain > 0 && !seen.known.has(`${run.id}+`)) {
    problems.push(`${run.id} ended without its successor`);
  }
  return problems;
}

/** Tells which nodes are taken for dead. */
function watchNodes(world: World, tell: (id: string) => void): void {
  const { store } = world;
  const transact = store.transact.bind(store);
  store.transact = (selection, decider) =>
    transact(selection, {
      ...decider,
      decide: (loaded) => {
        const decision = decider.decide(loaded);
        for (const row of decision.writes.executions ?? []) {
          if (row.key.archetype === 'node' && nodeStateOf(row).deadSince !== null) tell(row.incarnation);
        }
        return decision;
      },
    });
}

/** Checks every way a run goes, in the order of the commits. Returns how many rows were written. */
function watchRuns(world: World, problems: string[]): () => number {
  const rows = new Map<string, RunRow>();
  const tokens = new Set<string>();
  let written = 0;
  watchCommits(world, (runs) => {
    for (const run of runs) {
      written += 1;
      const before = rows.get(run.id);
      rows.set(run.id, run);
      const way = `${before?.state ?? 'new'} → ${run.state}`;
      if (before?.state === 'done') problems.push(`${run.id} was written after its end (${way})`);
      if (before?.state === 'leased' && run.state === 'leased' && before.leaseToken !== run.leaseToken)
        problems.push(`${run.id} passed from one holder to another without coming back`);
      if (before?.state !== 'leased' && run.state === 'leased') {
        if (tokens.has(run.leaseToken)) problems.push(`${run.id} was leased again under ${run.leaseToken}`);
        tokens.add(run.leaseToken);
        if (run.attempt !== (before?.attempt ?? 0) + 1) problems.push(`${run.id}: ${way} miscounts attempts`);
        if (run.availableAt > world.now) problems.push(`${run.id} was leased before it was available`);
      }
    }
  });
  return () => written;
}

function someWork(random: SeededRandom): Work {
  return {
    takesMs: random.pick([0, 10, 500, 5000, 20_000, 45_000]),
    fails: random.pick([0, 0, 0, 1, 2]),
    listens: random.chance(0.7),
    chain: random.pick([0, 0, 1, 3]),
  };
}

function someOptions(random: SeededRandom): RunOptions {
  return {
    retry: { attempts: random.integer(1, 4), initialMs: random.pick([10, 1000]) },
    ...(random.chance(0.3) ? { attemptTimeoutMs: random.pick([400, 4000, 30_000]) } : {}),
    ...(random.chance(0.3) ? { executionTimeoutMs: random.pick([1000, 60_000]) } : {}),
  };
}

function weather(random: SeededRandom): Partial<Faults> {
  if (random.chance(0.2)) return {};
  const some = (most: number) => (random.chance(0.5) ? random.next() * most : 0);
  return {
    failBefore: some(0.3),
    failAfter: some(0.3),
    delay: some(0.3),
    longestDelayMs: random.pick([5, 500, 15_000]),
    loseNotification: some(1),
  };
}
