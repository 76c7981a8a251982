/**
 * One history of a small cluster under one seed: errands tick, callers repeat their changes until they are
 * acknowledged, parcels are delivered, while nodes crash, clocks disagree and answers get lost. At the end the faults
 * stop and the checkers read the store: every due time acted on exactly once, never early; every acknowledged
 * change applied exactly once; every parcel delivered; nothing forgotten.
 */
import type { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { Faults } from '../../packages/carillon/src/testing/faulty-store.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';
import { Errand, errandKey, errandLibrary, errandState } from '../engine/errand.ts';

export interface Outcome {
  readonly problems: readonly string[];
  /** A short text that two runs of one seed must agree on. */
  readonly fingerprint: string;
}

interface Planned {
  readonly id: string;
  readonly created: Instant;
  readonly everyMs: number;
  bumps: number;
  readonly parcels: string[];
}

export async function simulateErrands(seed: number): Promise<Outcome> {
  const delivered = new Map<string, number>();
  const errands = errandLibrary({
    send: async ({ payload }) => {
      delivered.set(payload.to, (delivered.get(payload.to) ?? 0) + 1);
      return payload.to;
    },
  });
  const problems: string[] = [];
  await using world = new World({
    seed,
    nodes: 1 + (seed % 3),
    libraries: () => [errands.library],
    observer: { incident: (key, error) => problems.push(`incident on ${key.id}: ${String(error)}`) },
  });
  await world.start();
  const { random } = world;
  const unwatch = watchVersions(world, problems);
  const planned: Planned[] = [];
  let requests = 0;

  const create = async () => {
    const plan = {
      id: `errand-${planned.length}`,
      created: world.now,
      everyMs: random.integer(1, 30) * 1000,
      bumps: 0,
      parcels: [],
    };
    requests += 1;
    const requestId = `create-${requests}`;
    const rootState = errandState(plan.created, plan.everyMs);
    await insist(world, (engine) =>
      engine.create(
        errands.library,
        { namespace: 'default', id: plan.id },
        rootState,
        (root) => errands.begin(root),
        { requestId },
      ),
    );
    planned.push(plan);
  };
  const bump = async (plan: Planned) => {
    requests += 1;
    const requestId = `bump-${requests}`;
    await insist(world, (engine) =>
      engine.update(
        Errand,
        errandKey(plan.id),
        (errand) => {
          const note = errand.child('note');
          note.set({ text: `${note.state.text}!` });
        },
        { requestId },
      ),
    );
    plan.bumps += 1;
  };
  const send = async (plan: Planned) => {
    requests += 1;
    const id = `parcel-${requests}`;
    await insist(world, (engine) =>
      engine.update(Errand, errandKey(plan.id), (errand) => errands.sendParcel(errand, id), {
        requestId: id,
      }),
    );
    plan.parcels.push(id);
  };

  await create();
  world.setFaults(weather(random));
  for (let act = 0; act < 30; act += 1) {
    const plan = random.pick(planned);
    const node = random.integer(0, world.nodeCount - 1);
    const choice = random.integer(0, 11);
    if (choice === 0 && planned.length < 4) await create();
    else if (choice === 1) await bump(plan);
    else if (choice === 2) await send(plan);
    else if (choice === 3) world.crash(node);
    else if (choice === 4) await world.restart(node);
    else if (choice === 5) world.skew(node, random.integer(-300_000, 300_000));
    else if (choice === 6) world.setFaults(weather(random));
    else await world.advance(random.integer(0, 20_000));
  }
  world.clearFaults();
  for (let node = 0; node < world.nodeCount; node += 1) await world.restart(node);
  await world.advance(90_000);
  unwatch();

  for (const plan of planned) await check(world, plan, { delivered, problems });
  const fingerprint = `${world.now} ${random.next()} ${JSON.stringify([...delivered])} ${planned.map((plan) => plan.id + plan.bumps).join()}`;
  return { problems, fingerprint };
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

/** A caller that tries again, on any living node, until it is told that its request happened. */
async function insist<T>(
  world: World,
  request: (engine: ReturnType<World['engine']>) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const node = world.random.integer(0, world.nodeCount - 1);
    if (!world.isAlive(node)) await world.restart(node);
    let settled: { value: T } | { error: unknown } | undefined;
    request(world.engine(node)).then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        settled = { error };
      },
    );
    // An answer may be delayed by up to 30 s of virtual time; a caller that hears nothing for longer tries again.
    for (let waited = 0; settled === undefined && waited < 40; waited += 1) await world.advance(1000);
    if (settled === undefined) continue;
    if ('value' in settled) return settled.value;
    if (!(settled.error instanceof StoreError)) throw settled.error;
  }
  throw new Error(`a request was not answered in 1000 tries (seed ${world.seed})`);
}

/** Versions never fall. */
function watchVersions(world: World, problems: string[]): () => void {
  const seen = new Map<string, number>();
  return world.store.subscribe((change) => {
    void world.store.read({ keys: change.keys }).then((rows) => {
      for (const row of rows) {
        const before = seen.get(row.incarnation) ?? 0;
        if (row.version < before)
          problems.push(`version of ${row.key.id} fell from ${before} to ${row.version}`);
        seen.set(row.incarnation, row.version);
      }
    });
  });
}

async function check(
  world: World,
  plan: Planned,
  { delivered, problems }: { readonly delivered: ReadonlyMap<string, number>; readonly problems: string[] },
): Promise<void> {
  const [row] = await world.store.read({ keys: [errandKey(plan.id)] });
  if (row === undefined) {
    problems.push(`${plan.id} vanished`);
    return;
  }
  if (row.wakeAt === null || row.wakeAt <= world.now) problems.push(`${plan.id} sleeps until ${row.wakeAt}`);
  const { items } = await world.store.slots({ incarnation: row.incarnation, limit: 100_000 });
  const expected: Instant[] = [];
  for (let at = addTime(plan.created, plan.everyMs); at <= world.now; at = addTime(at, plan.everyMs))
    expected.push(at);
  const nominal = items.map((slot) => slot.nominal);
  if (JSON.stringify(nominal) !== JSON.stringify(expected)) {
    problems.push(`${plan.id}: ${nominal.length} slots, expected ${expected.length}`);
  }
  for (const slot of items)
    if (slot.at < slot.nominal) problems.push(`${plan.id}: ${slot.nominal} was acted on early`);
  await world.engine().read(Errand, errandKey(plan.id), (errand) => {
    if (errand.state.ticks !== expected.length)
      problems.push(`${plan.id}: counted ${errand.state.ticks} ticks`);
    const bumps = errand.child('note').state.text.length;
    if (bumps !== plan.bumps) problems.push(`${plan.id}: ${bumps} bumps, ${plan.bumps} acknowledged`);
    const parcels = errand.children('parcels');
    for (const id of plan.parcels) {
      if (parcels.get(id)?.state.sentAs !== id) problems.push(`${plan.id}: ${id} was not recorded as sent`);
      if ((delivered.get(id) ?? 0) === 0) problems.push(`${plan.id}: ${id} was never delivered`);
    }
  });
}
