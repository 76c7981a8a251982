/** `carillon start`: runs a server for production. */
import { readFileSync } from 'node:fs';
import { ServiceError } from 'carillon/internal/base';

import type { Command, Context } from 'carillon/internal/cli';
import { BadInput, keepCommandToken, readPort } from 'carillon/internal/cli';
import type { Server } from '../server/server.ts';

export interface StartOptions {
  readonly config?: string;
  readonly store?: string;
  readonly host?: string;
  readonly httpPort?: number;
  readonly grpcPort?: number;
  readonly temporalHttpPort?: number;
  readonly logLevel?: string;
  readonly handlers?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function declare(command: Command, context: Context): void {
  command
    .summary('start a server for production')
    .description(
      'Starts a server for production, set up by a file, the environment and flags, in this order.',
    )
    .option('-c, --config <file>', 'configuration, JSON')
    .option('--store <url>', 'where the data is: sqlite:<file>, postgres://…, redis://… or memory:')
    .option('--host <address>', 'where to listen; anything but loopback needs API keys')
    .option('-p, --http-port <port>', 'port of the API', readPort)
    .option('--grpc-port <port>', 'open the door for Temporal clients, usually 7233', readPort)
    .option(
      '--temporal-http-port <port>',
      "open that door, and Temporal's HTTP API on this port, usually 7243",
      readPort,
    )
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
    .option('--handlers <module>', 'module whose register(carillon) adds handlers')
    .option('--check', 'check the configuration, the files it names and who may come in, and stop')
    .option('--json', 'print errors as JSON; logs are JSON in any case')
    .addHelpText('after', help)
    .action(async (given: StartOptions) => await run(context, given));
}

async function run(context: Context, given: StartOptions): Promise<void> {
  const asked = given.check === true ? undefined : context.untilAsked?.();
  const { readConfig, settingsOf } = await import('../server/config.ts');
  const { prepareConfig, runConfig } = await import('../server/run-config.ts');
  const { newKey } = await import('../server/keys.ts');
  const env = context.env ?? {};
  try {
    const file = given.config === undefined ? {} : readFile(given.config);
    const settings = [...settingsOf(env), ...flagsOf(given)];
    const config = readConfig(file, settings);
    if (given.check === true) {
      await prepareConfig(config);
      context.stdout.write(`The configuration is in order.\n`);
      return;
    }
    const secret = env.CARILLON_CALLBACK_SECRET;
    // Without keys every user of this machine reaches the server; programs run only for those who can read the token's file.
    const commandToken = config.allowCommands && config.keys.length === 0 ? newKey() : undefined;
    const server = await runConfig(config, {
      origin: { file, settings },
      write: (line) => context.stdout.write(line),
      ...(commandToken === undefined ? {} : { commandToken }),
      ...(secret === undefined || secret === '' ? {} : { callbackSecret: secret }),
    });
    const kept = commandToken === undefined ? undefined : keepCommandToken(env, server.url, commandToken);
    if (commandToken !== undefined) context.stderr.write(tokenText(kept?.file));
    try {
      await untilEnd(server, asked);
    } finally {
      kept?.remove();
    }
  } catch (error) {
    const { code, problems } = ServiceError.from(error);
    if (code === 'invalidArgument' && problems.length > 0) throw new BadInput(problems);
    throw error;
  }
}

function tokenText(file: string | undefined): string {
  return file === undefined
    ? 'no command can be scheduled: there is no home folder for the token that this needs without API keys; configure keys\n'
    : `schedules with a command need the token in ${file} (Carillon-Command-Token), because there are no API keys\n`;
}

/** Stops the server on a signal. Throws when the store is lost, so that a supervisor restarts the process. */
export async function untilEnd(server: Server, asked: Promise<void> | undefined): Promise<void> {
  const lost = await Promise.race([server.lost, asked]);
  await server.stop();
  if (lost instanceof Error) throw lost;
}

function flagsOf(given: StartOptions) {
  const { store, host, httpPort, grpcPort, temporalHttpPort, logLevel, handlers } = given;
  const isTemporal = grpcPort !== undefined || temporalHttpPort !== undefined;
  const flags = [
    { path: 'store', source: '--store', value: store },
    { path: 'http.host', source: '--host', value: host },
    { path: 'http.port', source: '--http-port', value: httpPort },
    { path: 'grpc.port', source: '--grpc-port', value: grpcPort },
    { path: 'grpc.httpPort', source: '--temporal-http-port', value: temporalHttpPort },
    // `--host` sets the address of both doors, unless the Temporal door is closed.
    { path: 'grpc.host', source: '--host', value: isTemporal ? host : undefined },
    { path: 'log.level', source: '--log-level', value: logLevel },
    { path: 'handlers', source: '--handlers', value: handlers },
  ];
  return flags.filter(({ value }) => value !== undefined);
}

function readFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message: said } = error as NodeJS.ErrnoException;
    const message = code === 'ENOENT' ? `there is no file ${file}` : `${file}: ${said}`;
    throw new BadInput([
      { path: '--config', reason: 'UNREADABLE', message, fix: 'give a file with one JSON object' },
    ]);
  }
}

const help = `
Examples:
  $ carillon start --config carillon.json
  $ CARILLON_STORE=sqlite:/var/lib/carillon/data.db carillon start --http-port 9000
  $ carillon start --config carillon.json --check

Environment: CARILLON_STORE, CARILLON_NAME, CARILLON_HTTP_HOST, CARILLON_HTTP_PORT, CARILLON_GRPC_HOST,
CARILLON_GRPC_PORT, CARILLON_TEMPORAL_HTTP_PORT, CARILLON_PUBLIC_URL, CARILLON_LOG_LEVEL, CARILLON_DRAIN,
CARILLON_HANDLERS; CARILLON_CALLBACK_SECRET signs callback tokens.
Exit codes: 0 done, 1 failed while working, 2 the input was not understood.
`;
