/** The Temporal door on a socket, over a world in virtual time: what takes minutes on a real server takes none here. */
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { SystemClock } from '../../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../../packages/carillon/src/main.ts';
import type { CarillonWorldOptions } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import type { GrpcDoor } from '../../../packages/server/src/door/temporal/grpc-door.ts';
import {
  temporalDoor,
  temporalProcedures,
} from '../../../packages/server/src/door/temporal/temporal-door.ts';

/** A handler's wait in virtual time, ended by its signal. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export class VirtualStage implements AsyncDisposable {
  readonly world: CarillonWorld;
  #connection: Connection | undefined;
  #door: GrpcDoor | undefined;

  private constructor(world: CarillonWorld) {
    this.world = world;
  }

  static async open(
    register: (carillon: Carillon, sleep: Sleep) => void,
    options: Pick<CarillonWorldOptions, 'scheduler'> = {},
  ): Promise<VirtualStage> {
    const world = await CarillonWorld.start({
      ...options,
      expectFailures: true,
      setup: (carillon, { sleep }) => register(carillon, sleep),
    });
    const stage = new VirtualStage(world);
    await stage.#openDoor();
    return stage;
  }

  async #openDoor(): Promise<void> {
    this.#door = temporalDoor(temporalProcedures(internalsOf(this.world.carillon()).services), {
      clock: new SystemClock(),
      newId: randomUUID,
      admit: () => ({ actor: 'local', role: 'admin', namespaces: null }),
    });
    const port = await this.#door.open('127.0.0.1', 0);
    this.#connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  }

  /** Kills the server, lets virtual time pass, and starts it again. */
  async crashFor(milliseconds: number): Promise<void> {
    await this.#closeDoor();
    this.world.crash(0);
    await this.world.advance(milliseconds);
    await this.world.restart(0);
    await this.world.settle();
    await this.#openDoor();
  }

  async #closeDoor(): Promise<void> {
    await this.#connection?.close();
    await this.#door?.stop(0);
  }

  get service() {
    return (this.#connection as Connection).workflowService;
  }

  get operator() {
    return (this.#connection as Connection).operatorService;
  }

  get now(): Instant {
    return this.world.now;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeDoor();
    await this.world[Symbol.asyncDispose]();
  }
}
