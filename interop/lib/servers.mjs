// The servers that parts talk to, each a process that can be killed and started again on the same file and ports.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { needs, root } from './needs.mjs';
import { Program } from './processes.mjs';
import { until } from './waiting.mjs';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `carillon dev`, as a user starts it. */
export class CarillonServer {
  #folder;
  #args;
  #program;
  #httpPort;
  #grpcPort;

  constructor(folder, args = []) {
    this.#folder = folder;
    this.#args = args;
  }

  get url() {
    return `http://127.0.0.1:${this.#httpPort}`;
  }

  /** For Temporal clients. */
  get address() {
    return `127.0.0.1:${this.#grpcPort}`;
  }

  get errors() {
    return this.#program.errors;
  }

  async start() {
    this.#httpPort ??= await freePort();
    this.#grpcPort ??= await freePort();
    const ports = ['--http-port', String(this.#httpPort), '--grpc-port', String(this.#grpcPort)];
    const args = [
      'dev',
      '--db',
      join(this.#folder, 'carillon.db'),
      '--no-demo',
      '--json',
      ...ports,
      ...this.#args,
    ];
    this.#program = new Program(
      process.execPath,
      [join(root, 'packages/carillon/bin/carillon.js'), ...args],
      {
        cwd: this.#folder,
      },
    );
    const ready = JSON.parse(await this.#program.line((line) => line.startsWith('{')));
    if (ready.port !== this.#httpPort || ready.grpcPort !== this.#grpcPort)
      throw new Error('a port was taken');
    return this;
  }

  async kill() {
    await this.#program?.kill();
  }
}

/** A real Temporal server, see programs/real-temporal. */
export class TemporalServer {
  #folder;
  #program;
  #port;

  constructor(folder) {
    this.#folder = folder;
  }

  get address() {
    return `127.0.0.1:${this.#port}`;
  }

  async start() {
    const command = await needs.realTemporal();
    this.#port ??= await freePort();
    this.#program = new Program(command, [
      '-db',
      join(this.#folder, 'temporal.db'),
      '-port',
      String(this.#port),
    ]);
    await this.#program.line((line) => line.startsWith('temporal listens'));
    await this.#serves();
    return this;
  }

  /** It listens before its namespaces are known and its shard is taken. */
  async #serves() {
    const { Connection } = await import('@temporalio/client');
    await until('the real server serves', async () => {
      const connection = await Connection.connect({ address: this.address });
      try {
        const { workflowService } = connection;
        await workflowService.describeNamespace({ namespace: 'default' });
        await workflowService.listSchedules({ namespace: 'default' });
        await connection.withDeadline(Date.now() + 5000, () =>
          workflowService
            .describeWorkflowExecution({ namespace: 'default', execution: { workflowId: 'none' } })
            .catch((error) => {
              if (error.code !== 5) throw error;
            }),
        );
        return true;
      } finally {
        await connection.close();
      }
    });
  }

  async kill() {
    await this.#program?.kill();
  }
}
