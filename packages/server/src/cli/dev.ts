/** `carillon dev`: a server on this machine with everything in one file. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Carillon } from 'carillon';
import { assert, ServiceError } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import { BadInput, keepCommandToken, readPort } from 'carillon/internal/cli';
import type { WatchedHandlers } from '../server/watched-handlers.ts';
import { isAboutUnattended } from './demo/day-schedules.ts';
import { createDemo, demoIds, handleDemo, hostDemo, removeDemo } from './demo/demo.ts';
import { openWithDay } from './demo/open-with-day.ts';
import { devText } from './dev-view.ts';

export interface DevOptions {
  readonly db: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly temporalHttpPort: number;
  readonly demo: boolean;
  readonly handlers?: string;
  readonly json?: boolean;
}

const defaultPort = 8080;
const defaultGrpcPort = 7233;
const defaultTemporalHttpPort = 7243;

/** Short, because the user waits at the keyboard. A run that has not ended by then is released and runs again later. */
const drainMs = 2000;

export function declare(command: Command, context: Context): void {
  command
    .summary('start a server on this machine')
    .description('Starts a server on this machine: one process, one file, nothing to install.')
    .option('--db <file>', 'where the data is kept; :memory: keeps nothing', './carillon.db')
    .option(
      '-p, --http-port <port>',
      'port of API and docs; the next free one when it is busy',
      readPort,
      defaultPort,
    )
    .option(
      '--grpc-port <port>',
      'port for Temporal clients; the next free one when it is busy',
      readPort,
      defaultGrpcPort,
    )
    .option(
      '--temporal-http-port <port>',
      "port of Temporal's HTTP API; the next free one when it is busy",
      readPort,
      defaultTemporalHttpPort,
    )
    .option('--no-demo', 'without the demo schedules and their history; removes those of an earlier start')
    .option(
      '--handlers <module>',
      'module whose register(carillon) adds handlers; loaded again when it changes',
    )
    .option('--json', 'print one line of JSON when ready, and nothing else')
    .addHelpText('after', examples)
    .action(async (given: DevOptions) => await run(context, given));
}

async function run(context: Context, given: DevOptions): Promise<void> {
  const { db, httpPort, grpcPort, temporalHttpPort, demo, handlers, json } = given;
  // Signals are handled from here on: a program that reads the line below may stop the server at once.
  const asked = context.untilAsked?.();
  // Imported here, so that other commands do not load these modules.
  const { openCarillon } = await import('carillon');
  const { flow, startServer } = await import('../server/index.ts');
  const { openLog } = await import('../server/log.ts');
  const { newKey } = await import('../server/keys.ts');
  const file = db === ':memory:' ? null : resolve(db);
  const log = openLog({
    level: 'warn',
    write: (line) => context.stderr.write(line),
    // The demo has runs without a worker on purpose; a warning about them would worry a newcomer.
    ...(demo ? { leavesOut: isAboutUnattended } : {}),
  });
  // This server is for one developer on one machine, so workflows may call other programs on it.
  const workflows = flow({ http: { allowPrivate: true } });
  assert(context.clock !== undefined, 'the process that runs `dev` brings a clock');
  const isFound = file !== null && existsSync(file);
  const { store, hasDay } = demo
    ? await openWithDay(file, context.clock)
    : { store: file === null ? 'memory:' : `sqlite:${file}`, hasDay: false };
  const isNew = hasDay || !isFound;
  const carillon = await openCarillon({ store, name: 'dev', archetypes: [workflows] });
  handleDemo(carillon, context.clock);
  if (demo) await hostDemo(carillon, context.clock);
  const watched = handlers === undefined ? undefined : await load(context, carillon, handlers);
  const commandToken = newKey();
  const server = await startServer({
    carillon,
    flow: workflows,
    port: httpPort,
    whenBusy: 'next',
    grpc: { port: grpcPort, httpPort: temporalHttpPort, whenBusy: 'next' },
    log,
    drainMs,
    commandToken,
  });
  const kept = keepCommandToken(context.env ?? {}, server.url, commandToken);
  try {
    if (demo) await createDemo(carillon);
    else await removeDemo(carillon);
    const ready = {
      url: server.url,
      page: `${server.url}/ui/`,
      api: `${server.url}/api/v1`,
      docs: `${server.url}/api/v1/docs`,
      metrics: `${server.url}/metrics`,
      grpc: server.grpc?.address ?? '',
      temporalHttp: server.grpc?.http?.url ?? '',
      data: file,
      isNew,
      wantedPort: httpPort,
      port: server.port,
      wantedGrpcPort: grpcPort,
      grpcPort: server.grpc?.port ?? 0,
      wantedTemporalHttpPort: temporalHttpPort,
      temporalHttpPort: server.grpc?.http?.port ?? 0,
      demo: demo ? await demoIds(carillon) : [],
      handlers: watched?.names ?? [],
      commandToken,
      commandTokenFile: kept?.file ?? null,
    };
    context.stdout.write(
      json === true
        ? `${JSON.stringify(ready)}\n`
        : devText(ready, context.colors.stdout, programName(context)),
    );
    const lost = await Promise.race([server.lost, asked]);
    if (lost instanceof Error) throw lost;
    if (json !== true)
      context.stdout.write('\nStopping: letting what runs finish (Ctrl-C again to stop at once).\n');
  } finally {
    watched?.close();
    kept?.remove();
    await server.stop();
  }
}

/** Loads the user's handlers. A module that cannot be loaded ends the start; nothing is left open. */
async function load(context: Context, carillon: Carillon, file: string): Promise<WatchedHandlers> {
  const { watchHandlers } = await import('../server/watched-handlers.ts');
  assert(context.clock !== undefined, 'the process that runs `dev` brings a clock');
  try {
    const report = (line: string) => context.stderr.write(`${line}\n`);
    return await watchHandlers({ carillon, file, clock: context.clock, report });
  } catch (error) {
    await carillon.stop();
    const { code, problems } = ServiceError.from(error);
    if (code === 'invalidArgument') {
      throw new BadInput(problems.map((problem) => ({ ...problem, path: '--handlers' })));
    }
    throw error;
  }
}

/** When the user started it by `npx carillon`, the program is not on the PATH. */
function programName({ env = {} }: Context): string {
  return env.npm_command === 'exec' ? 'npx carillon' : 'carillon';
}

const examples = `
Examples:
  $ carillon dev
  $ carillon dev --db /tmp/try.db --http-port 9000 --no-demo
  $ carillon dev --handlers ./handlers.mjs
  $ carillon dev --db :memory: --json

Exit codes: 0 done, 1 failed while working, 2 the input was not understood.
`;
