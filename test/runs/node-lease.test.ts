/** A lease belongs to a node: who may end it, when, and what happens to work that was finished meanwhile. */
import { describe, expect, test } from 'vitest';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import type { NodeSetting } from '../../packages/carillon/src/testing/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

interface Begun {
  readonly id: string;
  readonly node: string;
  readonly attempt: number;
  readonly at: number;
}

class Scene implements AsyncDisposable {
  readonly begun: Begun[] = [];
  readonly interrupted: string[] = [];
  readonly world: CarillonWorld;
  /** Handlers under way in living processes. */
  running = 0;
  most = 0;

  constructor(nodes: number) {
    this.world = new CarillonWorld({
      nodes,
      tuning: {},
      setup: (carillon, node) => this.#setUp(carillon, node),
    });
  }

  static async open(nodes: number): Promise<Scene> {
    const scene = new Scene(nodes);
    await scene.world.start();
    await scene.world.advance(15_000);
    return scene;
  }

  #setUp(carillon: Carillon, node: NodeSetting): void {
    carillon.handle<number>('work', async ({ id, attempt, input, signal }) => {
      this.begun.push({ id, node: node.name, attempt, at: this.world.now });
      this.running += 1;
      this.most = Math.max(this.most, this.running);
      signal.addEventListener('abort', () => this.interrupted.push(`${node.name} ${signal.reason.kind}`));
      await node.sleep(input);
      this.running -= 1;
      return node.name;
    });
  }

  /** Enqueues work on a node and lets it begin there. */
  async enqueue(node: number, takesMs: number): Promise<string> {
    const { id } = await this.world.carillon(node).runs.enqueue({ run: 'work', input: takesMs });
    await this.world.settle();
    return id;
  }

  async run(id: string) {
    const { items } = await this.world.store.runs({ ids: [id], limit: 1 });
    return items[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

describe('on a store with one owner', () => {
  test('the process that opens it goes on at once with what the dead one left', async () => {
    await using scene = await Scene.open(1);
    const id = await scene.enqueue(0, 60_000);
    scene.world.crash(0);
    await scene.world.advance(1000);
    await scene.world.restart(0);
    await scene.world.settle();
    expect(scene.begun.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect((scene.begun[1]?.at ?? 0) - (scene.begun[0]?.at ?? 0)).toBe(1000);
    await scene.world.advance(61_000);
    expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 2 });
  });

  test.each([[90_000], [-90_000], [3_600_000]])(
    'a wall clock that is set by %d ms beside a running handler starts no second one',
    async (stepMs) => {
      await using scene = await Scene.open(1);
      const id = await scene.enqueue(0, 30_000);
      await scene.world.advance(11_500);
      scene.world.skew(0, stepMs);
      await scene.world.advance(60_000);
      expect([scene.begun.length, scene.most, scene.interrupted]).toEqual([1, 1, []]);
      expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
    },
  );

  test('a store that does not answer for longer than any lease runs nothing again', async () => {
    await using scene = await Scene.open(1);
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await scene.enqueue(0, 300));
    scene.world.outage(true);
    await scene.world.advance(31_000);
    scene.world.outage(false);
    await scene.world.advance(60_000);
    expect(scene.begun).toHaveLength(20);
    for (const id of ids) expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
  });
});

describe('on a shared store', () => {
  test('a node that dies is taken over within 22 s, and not before its lease ends', async () => {
    await using scene = await Scene.open(2);
    await scene.enqueue(0, 1_000_000);
    const diedAt = scene.world.now;
    const [first] = scene.begun;
    scene.world.crash(first?.node === 'node-0' ? 0 : 1);
    await scene.world.advance(60_000);
    expect(scene.begun).toHaveLength(2);
    const waited = (scene.begun[1]?.at ?? 0) - diedAt;
    expect(waited).toBeGreaterThan(17_000);
    expect(waited).toBeLessThanOrEqual(22_000);
  });

  test('a node that stops in order leaves nothing to wait for', async () => {
    await using scene = await Scene.open(2);
    await scene.enqueue(0, 1_000_000);
    const [first] = scene.begun;
    const index = first?.node === 'node-0' ? 0 : 1;
    const stopping = scene.world.carillon(index).stop({ drainMs: 1000 });
    await scene.world.advance(1500);
    await stopping;
    expect(scene.begun.map(({ attempt }) => attempt)).toEqual([1, 1]);
    const { items } = await scene.world.store.list({ archetype: 'node', limit: 9 });
    expect(items).toHaveLength(1);
  });

  test('an outage of the store that all nodes see runs no finished handler again', async () => {
    await using scene = await Scene.open(2);
    const ids: string[] = [];
    for (let count = 0; count < 50; count += 1) ids.push(await scene.enqueue(count % 2, 800));
    scene.world.outage(true);
    await scene.world.advance(40_000);
    scene.world.outage(false);
    await scene.world.advance(60_000);
    expect(scene.begun).toHaveLength(50);
    for (const id of ids) expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
    expect(scene.interrupted).toEqual([]);
  });

  test.each([0, 500, 1000, 1500, 1990])(
    'a node that died during such an outage is taken over within 12 s of its end, wherever it ends between two beats (%i ms)',
    async (phase) => {
      await using scene = await Scene.open(2);
      await scene.enqueue(0, 1_000_000);
      const dead = scene.begun[0]?.node === 'node-0' ? 0 : 1;
      scene.world.outage(true);
      await scene.world.advance(10_000);
      scene.world.crash(dead);
      await scene.world.advance(30_000 + phase);
      const endedAt = scene.world.now;
      scene.world.outage(false);
      await scene.world.advance(60_000);
      expect(scene.begun).toHaveLength(2);
      const waited = (scene.begun[1]?.at ?? 0) - endedAt;
      expect(waited).toBeGreaterThanOrEqual(10_000);
      expect(waited).toBeLessThanOrEqual(12_000);
    },
  );

  test('a node that alone was cut off loses its runs, learns of it, and continues under a new id', async () => {
    await using scene = await Scene.open(2);
    const id = await scene.enqueue(0, 30_000);
    const [first] = scene.begun;
    const index = first?.node === 'node-0' ? 0 : 1;
    const before = (await scene.run(id))?.worker;
    scene.world.cutOff(index);
    await scene.world.advance(25_000);
    expect(scene.begun.map(({ attempt }) => attempt)).toEqual([1, 2]);
    scene.world.cutOff(index, false);
    await scene.world.advance(2500);
    expect(scene.interrupted).toEqual([`${first?.node} leaseLost`]);
    await scene.world.advance(60_000);
    expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 2 });
    const next = await scene.enqueue(index, 100);
    await scene.world.advance(1000);
    expect(await scene.run(next)).toMatchObject({ outcome: 'completed', attempt: 1 });
    const nodes = await scene.world.carillon(index).nodes.list();
    const states = nodes
      .filter(({ name }) => name === first?.node)
      .map((node) => [node.id === before, node.state]);
    expect(states).toEqual([
      [true, 'silent'],
      [false, 'alive'],
    ]);
  });

  test('a node that was cut off for less than its lease reports what it finished meanwhile', async () => {
    await using scene = await Scene.open(2);
    const id = await scene.enqueue(0, 1000);
    const index = scene.begun[0]?.node === 'node-0' ? 0 : 1;
    scene.world.cutOff(index);
    await scene.world.advance(15_000);
    scene.world.cutOff(index, false);
    await scene.world.advance(30_000);
    expect(scene.begun).toHaveLength(1);
    expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
  });

  test('a frozen node is taken over; when it goes on it takes nothing before it has beaten', async () => {
    await using scene = await Scene.open(2);
    const id = await scene.enqueue(0, 200_000);
    const [first] = scene.begun;
    const index = first?.node === 'node-0' ? 0 : 1;
    scene.world.freeze(index);
    await scene.world.advance(30_000);
    expect(scene.begun.map(({ attempt }) => attempt)).toEqual([1, 2]);
    scene.world.thaw(index);
    await scene.world.advance(1);
    expect(scene.interrupted).toEqual([`${first?.node} leaseLost`]);
    await scene.world.advance(400_000);
    expect(scene.begun).toHaveLength(2);
    expect(await scene.run(id)).toMatchObject({ outcome: 'completed', attempt: 2 });
  });

  test('a node whose wall clock is set keeps its runs, and takes none of other nodes', async () => {
    await using scene = await Scene.open(2);
    for (const node of [0, 1]) await scene.enqueue(node, 60_000);
    await scene.world.advance(5000);
    scene.world.skew(0, 90_000);
    await scene.world.advance(120_000);
    expect([scene.begun.length, scene.interrupted]).toEqual([2, []]);
  });

  test('a node that is killed between its commit and the answer leaves its run to another', async () => {
    await using scene = await Scene.open(2);
    scene.world.killAtNextCommit(0);
    const enqueued = scene.world.carillon(0).runs.enqueue({ run: 'work', input: 100 });
    void enqueued.catch(() => {});
    await scene.world.advance(40_000);
    const { items } = await scene.world.store.runs({ limit: 9 });
    expect(items.map(({ outcome }) => outcome)).toEqual(items.map(() => 'completed'));
    expect(scene.begun.every(({ node }) => node === 'node-1')).toBe(true);
  });

  test('a lease that a late commit wrote in the name of a dead node is ended as well', async () => {
    await using scene = await Scene.open(2);
    const id = await scene.enqueue(0, 1_000_000);
    const dead = (await scene.run(id))?.worker ?? '';
    scene.world.crash(scene.begun[0]?.node === 'node-0' ? 0 : 1);
    await scene.world.advance(30_000);
    expect(scene.begun).toHaveLength(2);
    // What was on its way when the node died arrives now.
    const run = await scene.run(id);
    const late = { ...(run as NonNullable<typeof run>), id: `${id}-late`, worker: dead, leaseToken: 'late' };
    await scene.world.store.transact(
      { kind: 'runs', ids: [] },
      { decide: () => ({ writes: { newRuns: [late] }, result: undefined }) },
    );
    await scene.world.advance(15_000);
    expect(scene.begun.map((each) => each.id)).toContain(`${id}-late`);
  });
});
