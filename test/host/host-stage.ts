/** A host in virtual time, with helpers that read as sentences. */
import type { Workflow } from '../../packages/carillon/src/embed/host.ts';
import { createHost } from '../../packages/carillon/src/embed/host.ts';
import type { Hosts } from '../../packages/carillon/src/embed/hosts.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { SettingsInput } from '../../packages/carillon/src/host/settings.ts';
import type { CarillonWorldOptions } from '../../packages/carillon/src/testing/carillon-world.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/carillon-world.ts';

export interface HostStageOptions extends Omit<CarillonWorldOptions, 'setup'> {
  // biome-ignore lint/suspicious/noExplicitAny: workflows of every table of topics
  readonly workflows: readonly Workflow<any>[] | ((node: number) => readonly Workflow<any>[]);
  readonly settings?: SettingsInput;
}

export class HostStage implements AsyncDisposable {
  readonly world: CarillonWorld;
  #transactions = 0;

  private constructor(world: CarillonWorld) {
    this.world = world;
  }

  static async open({ workflows, settings, ...options }: HostStageOptions): Promise<HostStage> {
    const world = new CarillonWorld({
      seed: 1,
      patienceMs: 0,
      expectFailures: true,
      ...options,
      setup: (carillon, node) => {
        const given = typeof workflows === 'function' ? workflows(Number(node.name.slice(5))) : workflows;
        if (given.length > 0)
          createHost({ carillon, workflows: given, ...(settings === undefined ? {} : { settings }) });
      },
    });
    const stage = new HostStage(world);
    const { store } = world;
    const transact = store.transact.bind(store);
    store.transact = async (selection, decider) => {
      stage.#transactions += 1;
      return await transact(selection, decider);
    };
    await world.start();
    return stage;
  }

  get hosts(): Hosts {
    return this.world.carillon(0).hosts;
  }

  get store() {
    return this.world.store;
  }

  /** Transactions so far, heartbeats of nodes included. */
  get transactions(): number {
    return this.#transactions;
  }

  async advance(by: number | string): Promise<void> {
    await this.world.advance(by);
    await this.world.settle();
  }

  async publish(workflow: string, topic: string, ...ids: readonly string[]): Promise<void> {
    await this.hosts.publish(
      workflow,
      topic,
      ids.map((id) => ({ id, payload: { id } })),
    );
    await this.world.settle();
  }

  async consumer(workflow: string, name: string) {
    const { consumers } = await this.hosts.describe(workflow);
    const found = consumers.find((consumer) => consumer.name === name);
    if (found === undefined) throw new Error(`no consumer ${name}`);
    return found;
  }

  async producer(workflow: string, name: string) {
    const { producers } = await this.hosts.describe(workflow);
    const found = producers.find((producer) => producer.name === name);
    if (found === undefined) throw new Error(`no producer ${name}`);
    return found;
  }

  async topic(workflow: string, name: string) {
    const { topics } = await this.hosts.describe(workflow);
    const found = topics.find((topic) => topic.name === name);
    if (found === undefined) throw new Error(`no topic ${name}`);
    return found;
  }

  /** Ids of a topic's events by state. */
  async events(workflow: string, topic: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { items } = await this.hosts.events(workflow, topic, { limit: 1000 });
    const byState: Record<string, string[]> = {};
    for (const { id, state } of items) {
      byState[state] ??= [];
      byState[state].push(id);
    }
    return byState;
  }

  /** Restarts a node, as a crash would. */
  async restart(node = 0): Promise<void> {
    await this.world.restart(node);
    await this.world.settle();
  }

  internals(node = 0) {
    return internalsOf(this.world.carillon(node));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
