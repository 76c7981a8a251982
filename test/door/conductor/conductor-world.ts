/** The Conductor door over a world in virtual time, called without a socket. */
import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../../packages/carillon/src/main.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/index.ts';
import { conductorDoor } from '../../../packages/server/src/door/conductor/conductor-door.ts';
import type { SchedulerSettings } from '../../../packages/server/src/door/conductor/settings.ts';
import { defaultSettings } from '../../../packages/server/src/door/conductor/settings.ts';
import { serviceErrorOf } from '../../../packages/server/src/door/trouble.ts';

export interface Ran {
  readonly schedule: string | null;
  readonly slot: number;
  readonly at: number;
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at JSON of every shape
  readonly body: any;
}

export class ConductorWorld implements AsyncDisposable {
  readonly world: CarillonWorld;
  readonly #ran: Ran[];
  readonly #settings: SchedulerSettings;
  readonly #doors = new WeakMap<Carillon, FastifyInstance>();

  private constructor(world: CarillonWorld, ran: Ran[], settings: SchedulerSettings) {
    this.world = world;
    this.#ran = ran;
    this.#settings = settings;
  }

  /** Handlers: `work`, and `broken`, which fails. */
  static async open(
    settings: Partial<SchedulerSettings> = {},
    options: { readonly start?: string; readonly nodes?: number } = {},
  ): Promise<ConductorWorld> {
    const ran: Ran[] = [];
    const world: CarillonWorld = await CarillonWorld.start({
      ...options,
      expectFailures: true,
      setup: (carillon) => {
        carillon.handle('work', async ({ schedule, scheduledAt, id, input }) => {
          ran.push({ schedule, slot: scheduledAt, at: world.now, id, input: input as Ran['input'] });
        });
        carillon.handle('broken', async () => {
          throw new Error('on purpose');
        });
      },
    });
    return new ConductorWorld(world, ran, { ...defaultSettings, ...settings });
  }

  get now(): number {
    return this.world.now;
  }

  /** The runs of `work` so far, in the order of their starts. */
  get ran(): readonly Ran[] {
    return this.#ran;
  }

  slotsOf(name: string): readonly number[] {
    return this.#ran.filter(({ schedule }) => schedule === name).map(({ slot }) => slot);
  }

  /** Saves a schedule of `work` that is valid unless the fields say otherwise. */
  async save(name: string, fields: object): Promise<Answer> {
    const body = { name, startWorkflowRequest: { name: 'work' }, ...fields };
    return await this.call('POST', '/schedules', body);
  }

  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
    const app = await this.#doorOf(this.world.carillon());
    const response = await app.inject({
      method,
      url: `/api/scheduler${path}`,
      ...(body === undefined
        ? {}
        : { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
  }

  async #doorOf(carillon: Carillon): Promise<FastifyInstance> {
    const known = this.#doors.get(carillon);
    if (known !== undefined) return known;
    const door = conductorDoor({
      services: internalsOf(carillon).services,
      namespace: 'default',
      identify: () => ({ actor: 'tester', role: 'admin', namespaces: null }),
      settings: this.#settings,
      instance: 'test',
      keyNameOf: () => null,
    });
    const app = fastify();
    app.setErrorHandler(async (error, { id, method, url }, reply) => {
      const answer = door.errors?.error(serviceErrorOf(error), { id, method, path: url });
      await reply
        .code(answer?.status ?? 500)
        .type('application/json')
        .send(answer?.body);
    });
    await door.routes(app);
    this.#doors.set(carillon, app);
    return app;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
