/** Runs a server from a configuration: opens the store, registers handlers and starts. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CarillonOptions } from 'carillon';
import { openCarillon } from 'carillon';
import { actionSettings } from 'carillon/internal/action';
import { given, ServiceError, SystemClock } from 'carillon/internal/base';
import type { ClusterTargets } from '../door/temporal/cluster-target.ts';
import { flow } from '../flow/flow-archetype.ts';
import { demandSafeBind } from './bind.ts';
import { callbackPath } from './callbacks.ts';
import type { Config, Setting } from './config.ts';
import type { GrpcOptions } from './grpc.ts';
import { demandSafeGrpc } from './grpc.ts';
import type { Register } from './handlers-module.ts';
import { loadHandlers } from './handlers-module.ts';
import type { ApiKey } from './keys.ts';
import type { LogOptions } from './log.ts';
import { openLog } from './log.ts';
import { Tally } from './metrics/tally.ts';
import type { Server } from './server.ts';
import { startServer } from './server.ts';
import { settingViews } from './settings.ts';
import { withoutCredentials } from './store-name.ts';
import type { Tracing } from './tracing.ts';
import { openTracing } from './tracing.ts';

export interface RunConfigOptions {
  /** The secret that signs callback tokens; read from the environment only. */
  readonly callbackSecret?: string;
  /** The sources of the configuration, which the API shows. */
  readonly origin?: { readonly file: unknown; readonly settings: readonly Setting[] };
  /** The token that a caller must send to have commands run when there are no keys. */
  readonly commandToken?: string;
  /** Receives each log line. Default: standard output. */
  readonly write?: LogOptions['write'];
}

/**
 * Reads the files that a configuration names and refuses unsafe settings. Opens nothing, so that a refused start leaves
 * nothing behind.
 */
export async function prepareConfig(config: Config): Promise<Omit<Prepared, 'log'>> {
  demandSafeBind(config.http.host, config.keys.length > 0);
  const tls = readTls(config);
  const grpc = readGrpc(config);
  if (grpc !== false) demandSafeGrpc(grpc, config.keys as readonly ApiKey[]);
  const { handlers } = config;
  const register = handlers === undefined ? undefined : await loadHandlers(handlers, { fresh: false });
  return { tls, grpc, register };
}

export async function runConfig(config: Config, options: RunConfigOptions = {}): Promise<Server> {
  const { tls, grpc, register } = await prepareConfig(config);
  const log = openLog({
    level: config.log.level,
    ...(options.write === undefined ? {} : { write: options.write }),
  });
  const tracing = await openTracing(config.tracing);
  try {
    const server = await open(config, options, { log, tls, grpc, register });
    return tracing === undefined ? server : traced(server, tracing);
  } catch (error) {
    await tracing?.close();
    throw error;
  }
}

interface Prepared {
  readonly log: ReturnType<typeof openLog>;
  readonly tls: ReturnType<typeof readTls>;
  readonly grpc: GrpcOptions | false;
  readonly register: Register | undefined;
}

async function open(config: Config, options: RunConfigOptions, prepared: Prepared): Promise<Server> {
  const { log, tls, grpc, register } = prepared;
  const workflows = flow({ http: { allowPrivate: config.allowPrivateTargets } });
  const carillon = await openCarillon({ ...partsOf(config, options), archetypes: [workflows] });
  await register?.(carillon);
  const { http, namespace, keys, rateLimit, drain } = config;
  const server = await startServer({
    carillon,
    host: http.host,
    port: http.port,
    namespace,
    // Optional fields of the schema are absent when not given, as the type wants them.
    keys: keys as readonly ApiKey[],
    log,
    tally: new Tally({ clock: new SystemClock(), ...config.metrics }),
    drainMs: drain,
    settings: settingViews({ config, file: {}, settings: [], ...options.origin }),
    page: config.page,
    grpc,
    conductor: config.conductor,
    flow: workflows,
    ...given({ rateLimit, tls }),
    ...given({ commandToken: options.commandToken }),
  });
  if (config.publicUrl !== undefined && options.callbackSecret === undefined) {
    log.warn('publicUrl is set but CARILLON_CALLBACK_SECRET is not: HTTP actions cannot be called back');
  }
  for (const [name, { cluster = 'default' }] of Object.entries(
    grpc === false ? {} : (grpc.namespaces ?? {}),
  )) {
    const { address, clusters = {} } = config.temporal ?? {};
    if (cluster in clusters || (cluster === 'default' && address !== undefined)) continue;
    log.warn(
      { namespace: name, cluster },
      'the workflows of a namespace belong on a Temporal cluster that is not configured here; they wait for a server that knows it',
    );
  }
  log.info(
    {
      url: server.url,
      grpc: server.grpc?.address ?? null,
      temporalHttp: server.grpc?.http?.url ?? null,
      store: withoutCredentials(config.store),
      keys: keys.length,
    },
    'ready',
  );
  return server;
}

/** Sends the spans of the last runs before the process ends. */
function traced(server: Server, tracing: Tracing): Server {
  const stop = async () => {
    await server.stop();
    await tracing.close();
  };
  return { ...server, stop, [Symbol.asyncDispose]: stop };
}

function partsOf(config: Config, { callbackSecret }: RunConfigOptions): CarillonOptions {
  const { store, durability, name, namespace, concurrency, allowCommands, allowPrivateTargets, publicUrl } =
    config;
  const callbackUrl = publicUrl === undefined ? undefined : `${publicUrl.replace(/\/+$/, '')}${callbackPath}`;
  const retention = Object.fromEntries(
    Object.entries(config.retention).filter(([, value]) => value !== undefined),
  );
  return {
    store,
    durability,
    name,
    namespace,
    concurrency,
    allowCommands,
    secrets: given(config.secrets),
    allowPrivateTargets,
    retention,
    scheduler: schedulerOf(config),
    ...kindSettings(config),
    // Optional fields of the schema are absent when not given, as the type wants them.
    ...(config.conductor.targets === undefined
      ? {}
      : ({ conductor: { targets: config.conductor.targets } } as Pick<CarillonOptions, 'conductor'>)),
    ...given({ callbackSecret }),
    ...(callbackSecret === undefined || callbackUrl === undefined ? {} : { http: { callbackUrl } }),
  };
}

/** Optional fields of the schema are absent when not given, as the type wants them. */
function schedulerOf({ scheduler }: Config): NonNullable<CarillonOptions['scheduler']> {
  return scheduler as NonNullable<CarillonOptions['scheduler']>;
}

/** The configured settings of action kinds, under the option names of `openCarillon`. */
function kindSettings(config: Config): Partial<CarillonOptions> {
  const names = Object.keys(actionSettings) as readonly (keyof typeof actionSettings)[];
  const said = names.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]]));
  // Optional fields of the schema are absent when not given, as the type wants them.
  return Object.fromEntries(said) as Partial<CarillonOptions>;
}

function readTls({ http }: Config) {
  if (http.tls === undefined) return undefined;
  const { certFile, keyFile } = http.tls;
  return { cert: readText('http.tls.certFile', certFile), key: readText('http.tls.keyFile', keyFile) };
}

function readGrpc({ grpc }: Config): GrpcOptions | false {
  if (grpc === false) return false;
  const { host, port, httpPort, tls, clientCertRole } = grpc;
  // Optional fields of the schema are absent when not given, as the type wants them.
  const namespaces = grpc.namespaces as ClusterTargets | undefined;
  const address = { host, port, ...given({ httpPort, namespaces }) };
  if (tls === undefined) return address;
  const { certFile, keyFile, clientCaFile } = tls;
  return {
    ...address,
    ...given({ clientCertRole }),
    tls: {
      cert: readText('grpc.tls.certFile', certFile),
      key: readText('grpc.tls.keyFile', keyFile),
      ...(clientCaFile === undefined ? {} : { clientCa: readText('grpc.tls.clientCaFile', clientCaFile) }),
    },
  };
}

export function readText(path: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `cannot read ${resolve(file)}: ${(error as Error).message}`;
    throw ServiceError.invalid([{ path, reason: 'UNREADABLE', message }]);
  }
}
