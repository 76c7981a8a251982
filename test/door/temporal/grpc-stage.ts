/** A server with its Temporal door open on an ephemeral port, and the official client pointed at it. */

import type { ConnectionOptions, ScheduleOptions } from '@temporalio/client';
import { Client, Connection } from '@temporalio/client';
import type { Carillon, CarillonOptions } from '../../../packages/carillon/src/main.ts';
import { openCarillon } from '../../../packages/carillon/src/main.ts';
import type { Server, ServerOptions } from '../../../packages/server/src/server/server.ts';
import { startServer } from '../../../packages/server/src/server/server.ts';

export class GrpcStage implements AsyncDisposable {
  readonly carillon: Carillon;
  readonly server: Server;
  readonly connection: Connection;
  readonly client: Client;

  private constructor(carillon: Carillon, server: Server, connection: Connection) {
    this.carillon = carillon;
    this.server = server;
    this.connection = connection;
    this.client = new Client({ connection });
  }

  static async open(
    options: Omit<ServerOptions, 'carillon'> = {},
    parts: CarillonOptions = {},
    register: (carillon: Carillon) => void = () => {},
    access: Pick<ConnectionOptions, 'apiKey' | 'tls'> = {},
  ): Promise<GrpcStage> {
    const carillon = await openCarillon({ store: 'memory:', ...parts });
    register(carillon);
    const server = await startServer({ port: 0, drainMs: 500, grpc: { port: 0 }, ...options, carillon });
    return new GrpcStage(
      carillon,
      server,
      await Connection.connect({ address: addressOf(server), ...access }),
    );
  }

  get address(): string {
    return addressOf(this.server);
  }

  get service() {
    return this.connection.workflowService;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
    await this.server.stop();
  }
}

export function addressOf({ grpc }: Server): string {
  if (grpc === null) throw new Error('the Temporal door is closed');
  return grpc.address;
}

export function schedule(scheduleId: string, fields: Partial<ScheduleOptions> = {}): ScheduleOptions {
  return {
    scheduleId,
    spec: { intervals: [{ every: '1h' }] },
    action: { type: 'startWorkflow', workflowType: 'work', taskQueue: 'default', args: [] },
    ...fields,
  } as ScheduleOptions;
}
