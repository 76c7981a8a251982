// The servers that parts talk to, each a process that can be killed and started again on the same file and ports.
import { writeFileSync } from 'node:fs';
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

const program = join(root, 'packages/carillon/bin/carillon.js');

/** Our server as a user starts it: `carillon dev`, or `carillon start` when it has a configuration. */
export class CarillonServer {
  #folder;
  #config;
  #program;
  #httpPort;
  #grpcPort;
  #temporalHttpPort;

  constructor(folder, config) {
    this.#folder = folder;
    this.#config = config;
  }

  get url() {
    return `http://127.0.0.1:${this.#httpPort}`;
  }

  /** For Temporal clients. */
  get address() {
    return `127.0.0.1:${this.#grpcPort}`;
  }

  /** Temporal's HTTP API. */
  get temporalUrl() {
    return `http://127.0.0.1:${this.#temporalHttpPort}`;
  }

  async start() {
    this.#httpPort ??= await freePort();
    this.#grpcPort ??= await freePort();
    this.#temporalHttpPort ??= await freePort();
    const ports = [
      ...['--http-port', String(this.#httpPort)],
      ...['--grpc-port', String(this.#grpcPort)],
      ...['--temporal-http-port', String(this.#temporalHttpPort)],
    ];
    this.#program = new Program(process.execPath, [program, ...this.#command(), ...ports], {
      cwd: this.#folder,
    });
    await this.#program.line((line) => line.startsWith('{') && line.includes(this.url));
    return this;
  }

  async kill() {
    await this.#program?.kill();
  }

  #command() {
    const db = join(this.#folder, 'carillon.db');
    if (this.#config === undefined) return ['dev', '--db', db, '--no-demo', '--json'];
    const file = join(this.#folder, 'carillon.json');
    writeFileSync(file, JSON.stringify({ store: `sqlite:${db}`, ...this.#config }));
    return ['start', '--config', file];
  }
}

/** A real Temporal server, see programs/real-temporal. */
export class TemporalServer {
  #folder;
  #program;
  #port;
  #httpPort;

  constructor(folder) {
    this.#folder = folder;
  }

  get address() {
    return `127.0.0.1:${this.#port}`;
  }

  /** Its HTTP API. */
  get temporalUrl() {
    return `http://127.0.0.1:${this.#httpPort}`;
  }

  async start() {
    const command = await needs.realTemporal();
    this.#port ??= await freePort();
    this.#httpPort ??= await freePort();
    this.#program = new Program(command, [
      ...['-db', join(this.#folder, 'temporal.db')],
      ...['-port', String(this.#port)],
      ...['-http-port', String(this.#httpPort)],
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

/** The published Conductor server on an SQLite file. */
export class ConductorServer {
  #folder;
  #program;
  #port;

  constructor(folder) {
    this.#folder = folder;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** For a proxy. */
  get address() {
    return `127.0.0.1:${this.#port}`;
  }

  async start() {
    const { java, jar } = await needs.conductor();
    this.#port ??= await freePort();
    const database = `jdbc:sqlite:${join(this.#folder, 'conductor.db')}?busy_timeout=15000&journal_mode=WAL`;
    this.#program = new Program(
      java,
      [
        '-Xmx768m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-jar',
        jar,
        `--server.port=${this.#port}`,
        `--spring.datasource.url=${database}`,
      ],
      { cwd: this.#folder },
    );
    await until(
      'the Conductor server serves',
      async () => {
        if (this.#program.isOver) throw new Error('it ended');
        return (await fetch(`${this.url}/api/metadata/taskdefs`)).ok;
      },
      400_000,
      500,
    );
    return this;
  }

  async kill() {
    await this.#program?.kill();
  }
}
