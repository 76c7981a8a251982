/**
 * One history of a small cluster under one seed: schedules of every policy fire, callers pause, resume, trigger, backfill,
 * update and delete them and repeat each call until it is acknowledged, handlers take their time and sometimes fail, while
 * nodes crash, clocks disagree and answers get lost. Every commit is watched (`schedule-watcher.ts`); at the end the
 * faults stop and the ledger is compared with what the definitions say should have happened (`schedule-checkers.ts`).
 */

import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import type { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import { missedPolicies, overlapPolicies } from '../../packages/carillon/src/scheduler/definition.ts';
import type { DefinitionDraft } from '../../packages/carillon/src/service/definition-draft.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { readScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { Faults, NodeSetting } from '../../packages/carillon/src/testing/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import type { Outcome } from './errand-scenario.ts';
import type { Acknowledged } from './schedule-checkers.ts';
import { checkSchedule } from './schedule-checkers.ts';
import { watchSchedules } from './schedule-watcher.ts';

interface Work {
  readonly takesMs: number;
  /** Runs whose second is a multiple of this fail; 0: none. */
  readonly failsEvery: number;
  readonly listens: boolean;
}

interface Plan extends Acknowledged {
  input: ScheduleInput;
  deleted: boolean;
  /** Its runs have exclusive aliases, as those of Temporal schedules. */
  readonly isFindable: boolean;
}

const refused = Symbol('refused');

export async function simulateSchedules(seed: number): Promise<Outcome> {
  const problems: string[] = [];
  await using world = new CarillonWorld({
    seed,
    nodes: 1 + (seed % 3),
    patienceMs: 0,
    expectFailures: true,
    tuning: { engine: { longestSleep: 5000 as never }, retentionPauseMs: 3_600_000 },
    setup: (carillon, node) => void carillon.handle<Work>('work', (context) => perform(node, context)),
    onTrouble: (error, schedule) => {
      if (schedule !== undefined) problems.push(`incident on ${schedule.id}: ${String(error)}`);
    },
  });
  await world.start();
  const { random } = world;
  const watcher = watchSchedules(world, problems);
  const plans: Plan[] = [];
  let requests = 0;
  const ask = async <T>(
    plan: Plan,
    call: (
      carillon: Carillon,
      name: { namespace: string; id: string },
      caller: { actor: string; door: string; requestId: string },
    ) => Promise<T>,
  ): Promise<T | typeof refused> => {
    requests += 1;
    const caller = { actor: 'simulation', door: 'test', requestId: `request-${requests}` };
    return await insist(world, (carillon) => call(carillon, { namespace: 'default', id: plan.id }, caller));
  };

  const create = async () => {
    const input = someSchedule(random);
    const plan: Plan = {
      id: `schedule-${plans.length}`,
      input,
      causes: 0,
      triggers: [],
      backfills: [],
      steadyOverlap: true,
      granted: input.remaining ?? null,
      steadyGrant: true,
      deleted: false,
      isFindable: random.chance(0.3),
    };
    plans.push(plan);
    await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.create(name, draftOf(plan, input), caller),
    );
  };
  const update = async (plan: Plan) => {
    const changed = someSchedule(random);
    const what = random.integer(0, 3);
    if (what === 0) plan.input = { ...plan.input, input: changed.input };
    else if (what === 1) plan.input = { ...plan.input, ...someTiming(random) };
    else if (what === 2) {
      const { overlap, limit, catchup, missed } = changed;
      plan.input = { ...plan.input, overlap: overlap!, limit: limit!, catchup: catchup!, missed: missed! };
      plan.steadyOverlap = false;
    } else {
      plan.input = { ...plan.input, remaining: random.pick([0, 2, 5, null]) };
      plan.steadyGrant = false;
    }
    const { remaining, ...rest } = plan.input;
    const draft = draftOf(plan, what === 3 ? plan.input : rest);
    await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.update(name, draft, caller),
    );
  };
  const trigger = async (plan: Plan) => {
    const overlap = random.chance(0.5) ? random.pick(overlapPolicies) : undefined;
    if (overlap === 'allowAll') plan.steadyOverlap = false;
    const scheduledAt = random.chance(0.3) ? addTime(world.now, random.integer(-100, 5) * 1000) : undefined;
    const request = {
      ...(overlap === undefined ? {} : { overlap }),
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    };
    const answer = await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.trigger(name, request, caller),
    );
    if (answer === refused) return;
    plan.causes += 1;
    plan.triggers.push(answer.cause);
  };
  const backfill = async (plan: Plan) => {
    const overlap = random.chance(0.3) ? undefined : random.pick(['bufferAll', 'skip', 'allowAll'] as const);
    if (overlap === 'allowAll') plan.steadyOverlap = false;
    const from = addTime(world.now, -random.integer(0, 300) * 1000);
    const to = addTime(from, random.integer(0, 120) * 1000);
    const ratePerMinute = random.chance(0.4) ? undefined : random.pick([20, 60]);
    const request = {
      from,
      to,
      ...(overlap === undefined ? {} : { overlap }),
      ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
    };
    const answer = await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.backfill(name, request, caller),
    );
    if (answer === refused) return;
    plan.causes += 1;
    plan.backfills.push({ id: answer.id, from, to, cancelled: false });
  };
  const cancel = async (plan: Plan) => {
    const chosen = plan.backfills.at(-1);
    if (chosen === undefined) return;
    chosen.cancelled = true;
    await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.cancelBackfill(name, chosen.id, caller),
    );
  };
  const pause = async (plan: Plan) => {
    const until = random.chance(0.3) ? { until: addTime(world.now, random.integer(1, 60) * 1000) } : {};
    await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.pause(name, { ...caller, ...until }),
    );
  };
  const resume = async (plan: Plan) => {
    const missed = random.pick(missedPolicies);
    await ask(plan, (carillon, name, caller) =>
      internalsOf(carillon).services.schedules.resume(name, { ...caller, missed }),
    );
  };

  await create();
  world.setFaults(weather(random));
  for (let act = 0; act < 40; act += 1) {
    const plan = random.pick(plans);
    const node = random.integer(0, world.nodeCount - 1);
    const choice = random.integer(0, 24);
    if (choice <= 1 && plans.length < 4) await create();
    else if (choice === 2) await pause(plan);
    else if (choice <= 4) await resume(plan);
    else if (choice <= 6) await trigger(plan);
    else if (choice === 7) await backfill(plan);
    else if (choice <= 9) await update(plan);
    else if (choice === 10 && random.chance(0.3)) {
      plan.deleted = true;
      await ask(plan, (carillon, name, caller) =>
        internalsOf(carillon).services.schedules.delete(name, caller),
      );
    } else if (choice === 11) await cancel(plan);
    else if (choice === 12) world.crash(node);
    else if (choice === 13) await world.restart(node);
    else if (choice === 14) world.skew(node, random.integer(-300_000, 300_000));
    else if (choice === 15) world.setFaults(weather(random));
    else if (choice === 16) {
      for (let each = 0; each < world.nodeCount; each += 1) world.crash(each);
      await world.advance(random.integer(0, 120_000));
    } else await world.advance(random.integer(0, 15_000));
  }
  world.clearFaults();
  for (let node = 0; node < world.nodeCount; node += 1) {
    world.skew(node, 0);
    await world.restart(node);
  }
  // Leases of the dead lapse after 30 s, handlers take up to 45 s, the slowest backfill hands over twenty a minute.
  await world.advance(200_000);

  const histories: string[] = [];
  for (const plan of plans) {
    const key = { namespace: 'default', archetype: 'schedule', id: plan.id };
    const [row] = await world.store.read({ keys: [key] });
    if (row === undefined) {
      problems.push(`${plan.id} was acknowledged and is not there`);
      continue;
    }
    if (plan.deleted && row.status === 'open') problems.push(`${plan.id} was deleted and is open`);
    problems.push(...(await checkSchedule(world.store, row, plan, world.now)));
    histories.push(`${plan.id} ${row.version} ${row.state}`);
  }
  const fingerprint = `${world.now} ${random.next()} ${watcher.commits()} ${histories.join()}`;
  return { problems: problems.slice(0, 20), fingerprint };
}

function draftOf({ isFindable }: Plan, input: ScheduleInput): DefinitionDraft {
  const draft = readScheduleInput(input);
  return isFindable ? { ...draft, action: { ...draft.action, findable: true } } : draft;
}

async function perform(node: NodeSetting, { input, scheduledAt, signal }: RunContext<Work>): Promise<number> {
  const { takesMs, failsEvery, listens } = input;
  await new Promise<void>((resolve, reject) => {
    node.clock.wakeAt(addTime(node.clock.now(), takesMs), resolve);
    if (listens) signal.addEventListener('abort', () => reject(signal.reason));
  });
  if (failsEvery > 0 && Math.floor(scheduledAt / 1000) % failsEvery === 0) throw new Error('shall fail');
  return scheduledAt;
}

function someTiming(random: SeededRandom): Pick<ScheduleInput, 'every' | 'cron' | 'jitter'> {
  const step = random.integer(3, 29);
  const when = random.chance(0.5) ? { every: step * 1000 } : { cron: `*/${step} * * * * *` };
  return { ...when, jitter: random.pick([0, 0, 1000, 20_000]) };
}

function someSchedule(random: SeededRandom): ScheduleInput {
  const work: Work = {
    takesMs: random.pick([0, 0, 10, 500, 5000, 20_000, 45_000]),
    failsEvery: random.pick([0, 0, 2, 5]),
    listens: random.chance(0.7),
  };
  return {
    ...someTiming(random),
    run: 'work',
    input: work,
    overlap: random.pick(overlapPolicies),
    limit: random.pick([1, 1, 1, 3]),
    ...(random.chance(0.3) ? { workflowId: 'shared' } : {}),
    keepOriginalId: random.chance(0.1),
    catchup: random.pick(['10s', '1m', '1h']),
    missed: random.pick(missedPolicies),
    remaining: random.pick([null, null, null, 3, 10]),
    pauseAfterFailures: random.pick([0, 0, 1, 3]),
    idleClose: random.pick([0, 60_000, 3_600_000]),
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
    repeatEffect: some(0.5),
  };
}

/** A caller that tries again, on any living node, until it is told that its request happened or was refused. */
async function insist<T>(
  world: CarillonWorld,
  request: (carillon: Carillon) => Promise<T>,
): Promise<T | typeof refused> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const node = world.random.integer(0, world.nodeCount - 1);
    if (!world.isAlive(node)) await world.restart(node);
    let settled: { value: T } | { error: unknown } | undefined;
    request(world.carillon(node)).then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        settled = { error };
      },
    );
    await world.settle();
    for (let waited = 0; settled === undefined && waited < 40; waited += 1) await world.advance(1000);
    if (settled === undefined) continue;
    if ('value' in settled) return settled.value;
    const { error } = settled;
    if (error instanceof ServiceError && error.reason === 'EXECUTION_CLOSED') return refused;
    if (!(error instanceof StoreError)) throw error;
  }
  throw new Error(`a request was not answered in 1000 tries (seed ${world.seed})`);
}
