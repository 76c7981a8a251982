/**
 * Several stores over one database do random transactions at the same time; every committed one hands back what it saw and
 * what it wrote. Afterwards the histories must fit together as if one had come after the other: each version of a row was
 * decided over the version before it, and nothing was written by a transaction that was refused. Where connections break,
 * a transaction may have been committed although its caller was told that the store was unavailable: it may fit in or
 * not, but wholly.
 *
 * What is random is told by the seed; what the machine makes of it is not, so a failure names its seed but may need a few
 * tries to be seen again.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { ExecutionRow, ExecutionWrite, RunRow } from '../../packages/carillon/src/store/records.ts';
import type { Decision, Loaded, Selection, Store, Writes } from '../../packages/carillon/src/store/store.ts';
import { until } from '../support/until.ts';
import { aKey, anEvent, anExecution, aRun, aSlot, everyPage, nextOf } from './store-fixture.ts';

interface Step {
  readonly kind: 'execution' | 'run';
  readonly id: string;
  /** The mark of the row it was decided over; null: it was inserted. */
  readonly saw: string | null;
  /** The mark it left; null: it was removed. */
  readonly left: string | null;
  /** Ends of runs that an owner was told of. */
  readonly told?: number;
}

interface Committed {
  readonly steps: readonly Step[];
  readonly claimed: readonly { readonly id: string; readonly token: string }[];
}

interface Chain {
  readonly certain: Step[];
  readonly doubtful: Step[];
}

interface State {
  readonly mark: string;
  readonly told: number;
}

class Refusal extends Error {}

/** The result of the latest decision of a transaction, in case its commit gets no answer. */
interface Attempt {
  last: Committed | null;
}

/** When a history is long enough. */
interface Wanted {
  readonly commits: number;
  readonly doubts: number;
}

const idCount = 5;
const workersPerStore = 3;

class History {
  readonly #stores: readonly Store[];
  readonly #seed: number;
  readonly #wanted: Wanted;
  readonly #committed: Committed[] = [];
  /** It is unknown whether they were committed. */
  readonly #doubtful: Committed[] = [];
  readonly #isRough: boolean;
  readonly #claims: { readonly id: string; readonly token: string }[] = [];
  readonly errors: string[] = [];
  /** The steps of each row that are known to have happened, the last first. */
  readonly #happened = new Map<string, readonly Step[]>();
  #marks = 0;
  #isOver = false;

  /** It ends by counts, however fast the machine is. Doubts are wanted only where connections break. */
  constructor(stores: readonly Store[], seed: number, wanted: Wanted) {
    this.#stores = stores;
    this.#seed = seed;
    this.#wanted = wanted;
    this.#isRough = wanted.doubts > 0;
  }

  get commits(): number {
    return this.#committed.length;
  }

  /** Waits for so many more commits. False when the work is over. */
  async further(commits: number): Promise<boolean> {
    const goal = this.commits + commits;
    while (this.commits < goal && !this.#isOver) await nextTurn();
    return !this.#isOver;
  }

  get doubts(): number {
    return this.#doubtful.length;
  }

  async happen(): Promise<void> {
    const working = this.#stores.flatMap((store, i) =>
      Array.from({ length: workersPerStore }, (_, j) =>
        this.#work(store, new SeededRandom(this.#seed * 100 + i * 10 + j)),
      ),
    );
    await Promise.all(working);
    this.#isOver = true;
  }

  async #work(store: Store, random: SeededRandom): Promise<void> {
    while (this.commits < this.#wanted.commits || this.doubts < this.#wanted.doubts) {
      await nextTurn();
      const attempt: Attempt = { last: null };
      try {
        const committed = await this.#one(store, random, attempt);
        this.#committed.push(committed);
        this.#claims.push(...committed.claimed);
      } catch (error) {
        const isExpected =
          error instanceof Refusal || (error instanceof StoreError && error.trouble === 'conflict');
        if (this.#isRough && error instanceof StoreError && error.trouble === 'unavailable') {
          if (attempt.last !== null) this.#doubtful.push(attempt.last);
        } else if (!isExpected) this.errors.push(`seed ${this.#seed}: ${String(error)}`);
      }
    }
  }

  #one(store: Store, random: SeededRandom, attempt: Attempt): Promise<Committed> {
    const fails = random.chance(0.1);
    const decide = (selection: Selection, how: (loaded: Loaded, plan: Plan) => void) => {
      // Drawn before: a decision may be made again, and must come out the same for the same rows.
      const seed = random.integer(0, 0xffffffff);
      return store.transact(selection, {
        decide: (loaded): Decision<Committed> => {
          const plan = new Plan(new SeededRandom(seed), () => `m${++this.#marks}`);
          how(loaded, plan);
          if (fails && random.chance(0.5)) throw new Refusal();
          const decision = plan.decision(fails);
          attempt.last = decision.result;
          return decision;
        },
      });
    };
    switch (random.integer(0, 6)) {
      case 0:
      case 1:
      case 2: {
        const keys = Array.from({ length: random.integer(1, 3) }, () =>
          aKey(`k${random.integer(0, idCount - 1)}`),
        );
        return decide({ kind: 'keys', keys }, (loaded, plan) => plan.change(keys, loaded));
      }
      case 3:
        return decide({ kind: 'due', limit: random.integer(1, 4) }, (loaded, plan) => plan.step(loaded));
      case 4:
        return decide({ kind: 'claimable', queues: ['main'], limit: random.integer(1, 3) }, (loaded, plan) =>
          plan.claim(loaded),
        );
      case 5:
        return decide({ kind: 'lapsed', limit: 3 }, (loaded, plan) => plan.lapse(loaded));
      default: {
        const wanted = Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 20)).flatMap(
          (back) => this.#claims.at(-back) ?? [],
        );
        const tokens = new Map(wanted.map(({ id, token }) => [id, token]));
        return decide({ kind: 'runs', ids: [...tokens.keys()] }, (loaded, plan) =>
          plan.finish(loaded, tokens),
        );
      }
    }
  }

  /** That the steps of each row form one chain, and that the store holds its end. */
  async check(): Promise<void> {
    const chains = new Map<string, Chain>();
    for (const [list, isCertain] of [
      [this.#committed, true],
      [this.#doubtful, false],
    ] as const) {
      for (const step of list.flatMap(({ steps }) => steps)) {
        const name = `${step.kind} ${step.id}`;
        const chain = chains.get(name) ?? { certain: [], doubtful: [] };
        chains.set(name, chain);
        (isCertain ? chain.certain : chain.doubtful).push(step);
      }
    }
    const store = this.#stores.at(-1) as Store;
    const stored = new Map<string, string>();
    const executions = await everyPage((after) =>
      store.list({ limit: 100, ...(after === undefined ? {} : { after }) }),
    );
    for (const row of executions.items) stored.set(`execution ${row.incarnation}`, stateOf(row).mark);
    const runs = await everyPage((after) =>
      store.runs({ limit: 100, ...(after === undefined ? {} : { after }) }),
    );
    for (const run of runs.items) stored.set(`run ${run.id}`, markOf(run));
    for (const [name, chain] of chains) this.#checkChain(name, chain, stored.get(name) ?? null);
    for (const name of stored.keys()) this.#check(chains.has(name), `${name} was written by no transaction`);

    const open = executions.items.filter((row) => row.status === 'open').map((row) => row.key.id);
    this.#check(new Set(open).size === open.length, `several are open under one key: ${open.join(' ')}`);
    for (const row of executions.items) {
      const told = this.#checkedSteps(`execution ${row.incarnation}`).reduce(
        (sum, step) => sum + (step.told ?? 0),
        0,
      );
      this.#check(
        stateOf(row).told === told,
        `${row.incarnation} was told of ${told} ends, knows ${stateOf(row).told}`,
      );
      const { items } = await store.slots({ incarnation: row.incarnation, limit: 100_000 });
      this.#check(
        items.length === row.version,
        `${row.incarnation}@${row.version} has ${items.length} slots`,
      );
      const events = await store.events({ owner: row.incarnation, topic: 'news', limit: 100_000 });
      const sequences = events.items.map(({ sequence }) => sequence);
      this.#check(
        sequences.length === row.version && sequences.every((sequence, place) => sequence === place + 1),
        `${row.incarnation}@${row.version} has the events ${sequences.join(' ')}`,
      );
    }
    const done = runs.items.filter((run) => run.state === 'done').length;
    const finished = [...this.#happened.values()].flat().filter((step) => step.left?.endsWith('!')).length;
    this.#check(done === finished, `${finished} runs were finished, ${done} are`);
  }

  /** From what is stored, or the removal, back to the insertion: everything that surely happened must lie on the way. */
  #checkChain(name: string, { certain, doubtful }: Chain, stored: string | null): void {
    const steps = [...certain, ...doubtful];
    const saws = new Set(certain.map((step) => step.saw));
    this.#check(saws.size === certain.length, `${name}: two transactions were decided over the same version`);
    const byLeft = new Map(steps.map((step) => [step.left, step]));
    const wayTo = (end: Step | undefined): readonly Step[] => {
      const way: Step[] = [];
      for (let at = end; at !== undefined; at = at.saw === null ? undefined : byLeft.get(at.saw))
        way.push(at);
      return way;
    };
    // Several may have wanted to remove it, of whom one did.
    const ways = steps.filter((step) => step.left === stored).map(wayTo);
    const leadsHere = (way: readonly Step[]) =>
      way.at(-1)?.saw === null && certain.every((step) => way.includes(step));
    const way = ways.find(leadsHere);
    this.#happened.set(name, way ?? []);
    // What was doubtful from its insertion on may never have been.
    if (certain.length === 0 && stored === null) return;
    const last = certain.at(-1)?.left ?? null;
    this.#check(
      way !== undefined,
      `${name}: ${certain.length} were committed, and do not all lead to ${stored}; the last told of is ${last}`,
    );
  }

  #checkedSteps(name: string): readonly Step[] {
    return this.#happened.get(name) ?? [];
  }

  #check(holds: boolean, otherwise: string): void {
    if (!holds) this.errors.push(`seed ${this.#seed}: ${otherwise}`);
  }
}

/** What one decision comes to. */
class Plan {
  readonly #random: SeededRandom;
  readonly #mark: () => string;
  readonly #executions: ExecutionWrite[] = [];
  readonly #remove: string[] = [];
  readonly #runs: RunRow[] = [];
  readonly #newRuns: RunRow[] = [];
  readonly #steps: Step[] = [];
  readonly #claimed: { id: string; token: string }[] = [];

  constructor(random: SeededRandom, mark: () => string) {
    this.#random = random;
    this.#mark = mark;
  }

  change(keys: readonly { readonly id: string }[], { executions, now }: Loaded): void {
    for (const id of new Set(keys.map((key) => key.id))) {
      const row = executions.find((each) => each.key.id === id);
      const roll = this.#random.integer(0, 9);
      if (row === undefined || row.status === 'closed') {
        if (row !== undefined && roll === 0) this.#removeRow(row);
        else this.#create(id, now);
      } else if (roll === 0) this.#removeRow(row);
      else if (roll === 1) this.#rewrite(row, { status: 'closed', closedAt: now, wakeAt: null });
      else {
        this.#rewrite(row, { wakeAt: roll < 4 ? addTime(now, this.#random.integer(0, 20)) : row.wakeAt });
        if (roll > 5) this.#start(row.incarnation, now);
      }
    }
  }

  step({ executions, now }: Loaded): void {
    for (const row of executions) {
      if (row.wakeAt === null || row.wakeAt > now || row.status !== 'open') throw new Error('not due');
      this.#rewrite(row, {
        wakeAt: this.#random.chance(0.7) ? addTime(now, this.#random.integer(1, 15)) : null,
      });
      if (this.#random.chance(0.3)) this.#start(row.incarnation, now);
    }
  }

  claim({ runs, now }: Loaded): void {
    for (const run of runs) {
      if (run.state !== 'waiting' || run.availableAt > now) throw new Error('not claimable');
      const token = this.#mark();
      this.#claimed.push({ id: run.id, token });
      const checkAt = addTime(now, this.#random.integer(5, 60));
      this.#rewriteRun(run, { state: 'leased', leaseToken: token, attempt: run.attempt + 1, checkAt });
    }
  }

  lapse({ runs, now }: Loaded): void {
    for (const run of runs) {
      if (run.state === 'done' || run.checkAt === null || run.checkAt > now) throw new Error('not lapsed');
      const availableAt = addTime(now, this.#random.integer(0, 10));
      this.#rewriteRun(run, { state: 'waiting', leaseToken: '', checkAt: null, availableAt });
    }
  }

  finish({ runs, executions, now }: Loaded, tokens: ReadonlyMap<string, string>): void {
    const told = new Map<string, number>();
    for (const run of runs) {
      if (run.state !== 'leased' || run.leaseToken !== tokens.get(run.id)) continue;
      this.#rewriteRun(run, { state: 'done', outcome: 'completed', finishedAt: now, checkAt: null });
      if (run.owner !== null) told.set(run.owner, (told.get(run.owner) ?? 0) + 1);
    }
    for (const row of executions) {
      const count = told.get(row.incarnation);
      if (count === undefined || row.status === 'closed') continue;
      this.#rewrite(row, {}, count);
    }
  }

  /** `isRefused`: with a write that no store can take. */
  decision(isRefused: boolean): Decision<Committed> {
    const newEvents = this.#executions.map(({ incarnation: owner, version }) =>
      anEvent({ owner, id: `of version ${version}`, sequence: version }),
    );
    const slots = this.#executions.map(({ incarnation, version }) =>
      aSlot({ incarnation, nominal: version as never }),
    );
    const bad = isRefused ? [nextOf({ ...anExecution({ id: 'absent' }), version: 7 })] : [];
    const writes: Writes = {
      executions: [...this.#executions, ...bad],
      remove: this.#remove,
      runs: this.#runs,
      newRuns: this.#newRuns,
      slots,
      newEvents,
    };
    const result = { steps: this.#steps, claimed: this.#claimed };
    return { writes, result };
  }

  #create(id: string, now: Loaded['now']): void {
    const mark = this.#mark();
    const incarnation = `${id}#${mark}`;
    const wakeAt = this.#random.chance(0.5) ? addTime(now, this.#random.integer(0, 20)) : null;
    const state = JSON.stringify({ mark, told: 0 } satisfies State);
    this.#executions.push(anExecution({ id, incarnation, wakeAt, state }));
    this.#steps.push({ kind: 'execution', id: incarnation, saw: null, left: mark });
  }

  #rewrite(row: ExecutionRow, fields: Partial<ExecutionWrite>, told = 0): void {
    const before = stateOf(row);
    const mark = this.#mark();
    const state = JSON.stringify({ mark, told: before.told + told } satisfies State);
    this.#executions.push(nextOf(row, { ...fields, state }));
    this.#steps.push({ kind: 'execution', id: row.incarnation, saw: before.mark, left: mark, told });
  }

  #removeRow(row: ExecutionRow): void {
    this.#remove.push(row.incarnation);
    this.#steps.push({ kind: 'execution', id: row.incarnation, saw: stateOf(row).mark, left: null });
  }

  #start(owner: string, now: Loaded['now']): void {
    const mark = this.#mark();
    const priority = this.#random.integer(0, 2);
    this.#newRuns.push(aRun({ id: `r-${mark}`, owner, priority, availableAt: now, progress: mark }));
    this.#steps.push({ kind: 'run', id: `r-${mark}`, saw: null, left: mark });
  }

  #rewriteRun(run: RunRow, fields: Partial<RunRow>): void {
    const mark = `${this.#mark()}${fields.state === 'done' ? '!' : ''}`;
    this.#runs.push({ ...run, ...fields, progress: mark });
    this.#steps.push({ kind: 'run', id: run.id, saw: markOf(run), left: mark });
  }
}

function stateOf(row: ExecutionRow): State {
  return JSON.parse(row.state) as State;
}

function markOf(run: RunRow): string {
  return run.progress ?? '';
}

export interface HistoriesOptions {
  /** Opens so many stores over one empty database. */
  readonly open: (howMany: number) => Promise<readonly Store[]>;
  readonly stores: number;
  /** Transactions in a history: enough to see every fault that was put in by hand. */
  readonly commits: number;
  /** Breaks connections, each time after some further commits, until `further` answers that the work is over. */
  readonly disturb?: (further: (commits: number) => Promise<boolean>) => Promise<void>;
  readonly cleanUp?: () => Promise<void> | void;
}

const seeds = [1, 2, 3];
/** Longer histories on request. */
const times = Number(process.env.CARILLON_HISTORY_TIMES ?? 1);
/** Transactions of which the caller cannot know whether they were committed, in a history with broken connections. */
const doubts = 3;

export function exerciseHistories(name: string, options: HistoriesOptions): void {
  const { open, stores, disturb, cleanUp } = options;
  const commits = options.commits * times;
  describe(`histories: ${name}`, () => {
    let opened: readonly Store[] = [];
    afterEach(async () => {
      await Promise.all(opened.map((store) => store.close()));
      await cleanUp?.();
    });
    const begin = async (seed: number, wanted: Wanted) => {
      opened = await open(stores);
      await Promise.all(opened.map((store) => store.migrate()));
      return new History(opened, seed, wanted);
    };
    for (const seed of seeds) {
      test(`of ${stores} stores fit together (seed ${seed})`, async () => {
        const history = await begin(seed, { commits, doubts: 0 });
        await history.happen();
        await history.check();
        expect(history.errors.slice(0, 5)).toEqual([]);
      });
    }
    if (disturb === undefined) return;
    test(`of ${stores} stores fit together while connections break`, async () => {
      const history = await begin(4, { commits, doubts });
      const disturbing = disturb((more) => history.further(more));
      await history.happen();
      await disturbing;
      // The connections that were broken last are made again.
      await until(() =>
        Promise.all(opened.map((store) => store.count({}))).then(
          () => true,
          () => false,
        ),
      );
      await history.check();
      expect(history.errors.slice(0, 5)).toEqual([]);
    });
  });
}
