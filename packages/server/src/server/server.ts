/** A server: starts a Carillon, listens with its doors, and drains when it stops. */

import { assert, given, SystemClock, uniqueIds } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import { internalsOf } from 'carillon/internal/embed';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Identity } from '../door/access.ts';
import { conductorDoor } from '../door/conductor/conductor-door.ts';
import { flowDoor } from '../door/conductor/flow/flow-door.ts';
import type { SchedulerSettings } from '../door/conductor/settings.ts';
import { defaultSettings, settingsWithoutEffect } from '../door/conductor/settings.ts';
import type { HttpDoor } from '../door/http-door.ts';
import { nativeErrors } from '../door/native/errors.ts';
import { EventHub } from '../door/native/event-hub.ts';
import { nativeDoor, prefix } from '../door/native/native-door.ts';
import type { PageOptions } from '../door/page/page-door.ts';
import { pageDoor } from '../door/page/page-door.ts';
import type { SettingView } from '../door/server-port.ts';
import type { FlowArchetype } from '../flow/flow-archetype.ts';
import { admission } from './admission.ts';
import type { Tls } from './app.ts';
import { buildApp, listen } from './app.ts';
import { demandSafeBind, freePort, isLoopback } from './bind.ts';
import { callbackDoor } from './callbacks.ts';
import { logEvents } from './event-log.ts';
import { fixedLimits, retentionViews } from './fixed-limits.ts';
import type { GrpcOptions, OpenGrpc } from './grpc.ts';
import { demandSafeGrpc, openGrpc } from './grpc.ts';
import { healthDoor } from './health.ts';
import type { ApiKey } from './keys.ts';
import { KeyRing } from './keys.ts';
import { openLog } from './log.ts';
import { MadeKeys } from './made-keys.ts';
import { metricsDoor } from './metrics/route.ts';
import { Tally } from './metrics/tally.ts';
import type { RateLimit } from './rate-limit.ts';
import { demandSameVersion } from './same-version.ts';
import { Traffic } from './traffic.ts';

export interface ServerOptions {
  /** Register handlers before; the server starts and stops it. */
  readonly carillon: Carillon;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 8080; 0 lets the system choose. */
  readonly port?: number;
  /** What to do when the port is taken. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** The namespace of requests that name none. Default `default`. */
  readonly namespace?: string;
  /** The accepted API keys. Default: no key is needed, which is allowed on loopback only. */
  readonly keys?: readonly ApiKey[];
  /** The settings to show to people who ask, with where each comes from. Default: only limits are shown. */
  readonly settings?: readonly SettingView[];
  /** Rate limit of each key, or of each address when there are no keys. Default: none. */
  readonly rateLimit?: RateLimit;
  readonly tls?: Tls;
  readonly log?: FastifyBaseLogger;
  /** Counters for `/metrics`; pass your own to label runs by schedule or to count errors of the store. */
  readonly tally?: Tally;
  /** The Temporal door, on its own port. Default: closed. */
  readonly grpc?: GrpcOptions | false;
  /** Settings of the Conductor door, under the names of the original's properties. Default: open, with its defaults. */
  readonly conductor?: { readonly scheduler?: Partial<SchedulerSettings> };
  /** The workflows that the Carillon was opened with (`archetypes`), to be served to Conductor's clients. Default: none are. */
  readonly flow?: FlowArchetype;
  /** The `Carillon-Command-Token` that a caller must send to have commands run when there are no keys. Default: no token. */
  readonly commandToken?: string;
  /** The web interface under `/ui/`. False leaves it out. Default: it is served. */
  readonly page?: PageOptions | false;
  /** More doors on the same port. */
  readonly doors?: readonly HttpDoor[];
  /** Longest wait for running handlers when the server stops. Default 10 seconds. */
  readonly drainMs?: number;
}

export interface Server extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  readonly app: FastifyInstance;
  /** The addresses for Temporal clients; null when the Temporal door is closed. */
  readonly grpc: Pick<OpenGrpc, 'host' | 'port' | 'address' | 'http'> | null;
  /** Resolves with the reason when the store is lost for good. The server answers 503 then; end the process. */
  readonly lost: Promise<Error>;
  /** Accepts no more requests, answers the open ones, lets handlers finish and closes the store. Safe to call twice. */
  stop(): Promise<void>;
}

const defaultPort = 8080;
const defaultDrain = 10_000;

export async function startServer(options: ServerOptions): Promise<Server> {
  const { carillon, host = '127.0.0.1', port: wanted = defaultPort, namespace = 'default' } = options;
  const { drainMs = defaultDrain, keys = [] } = options;
  demandSafeBind(host, keys.length > 0);
  const grpcOptions = grpcOf(options);
  if (grpcOptions !== undefined) demandSafeGrpc(grpcOptions, keys);
  const clock = new SystemClock();
  const newId = uniqueIds(clock);
  const log = options.log ?? openLog({ level: 'silent' });
  const tally = options.tally ?? new Tally({ clock });
  const { services, version, warnings } = internalsOf(carillon);
  // The server logs what the library would warn about.
  warnings?.mute();
  demandSameVersion(version, log);
  const hub = new EventHub({ events: services.events, clock, boot: newId() });
  const traffic = new Traffic();
  const endLog = logEvents({ carillon, clock, log });
  const readiness = { isDraining: false };
  const { rateLimit, tls } = options;
  const { commandToken } = options;
  const ring = new KeyRing(keys);
  const madeKeys = new MadeKeys({
    ring,
    fixed: keys,
    stored: services.keys,
    clock,
    trouble: (error) => log.warn(error, 'the stored API keys could not be read'),
  });
  const admit = admission({ clock, ring, ...given({ rateLimit, commandToken }) });
  const settings = [...(options.settings ?? []), ...retentionViews(services), ...fixedLimits()];
  const identify = (request: FastifyRequest): Identity => {
    assert(request.identity !== null, 'every request to a door was admitted');
    return request.identity;
  };
  const newRequestId = requestIds(newId());
  const scheduler = { ...defaultSettings, ...options.conductor?.scheduler };
  for (const line of settingsWithoutEffect(scheduler)) log.warn(line);
  let grpc: OpenGrpc | undefined;
  const app = await buildApp({
    log,
    newId: newRequestId,
    // With keys a foreign host name is harmless, and a proxy in front of the server may use one.
    isLocal: isLoopback(host) && keys.length === 0,
    admit,
    traffic,
    ...(tls === undefined ? {} : { tls }),
    answered: (status, ms) => tally.request(status, ms),
    errors: nativeErrors(prefix),
    doors: [
      healthDoor({ services, readiness }),
      nativeDoor({ services, namespace, identify, hub, clock, server: { keys: madeKeys, settings } }),
      conductorDoor({
        services,
        namespace,
        identify,
        settings: scheduler,
        instance: 'carillon',
        keyNameOf: (secret, { ip }) =>
          ring.isEmpty ? null : admit({ headers: { 'x-api-key': secret }, ip }).actor,
      }),
      ...(options.flow === undefined
        ? []
        : [
            flowDoor({
              services,
              flows: services.of(options.flow),
              namespace,
              identify,
              instance: 'carillon',
            }),
          ]),
      callbackDoor(carillon),
      metricsDoor({ carillon, services, clock, tally, build: services.about }),
      ...(options.page === false ? [] : [pageDoor(options.page)]),
      ...(options.doors ?? []),
    ],
  });
  const lost = new Promise<Error>((resolve) => carillon.observe({ lost: resolve }));
  let address: { readonly port: number; readonly url: string };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      readiness.isDraining = true;
      log.info('stopping: no new requests, letting handlers finish');
      const closing = Promise.all([app.close(), grpc?.stop(drainMs)]);
      await traffic.settled(clock, drainMs);
      // Connections that are still open are idle or have used up their time.
      app.server.closeAllConnections();
      await closing;
      await Promise.all([services.tally.stop(), madeKeys.stop()]);
      await carillon.stop({ drainMs });
      endLog();
      log.info('stopped');
    })();
    return stopping;
  };
  try {
    await services.tally.start();
    await carillon.start();
    await madeKeys.start();
    const port = options.whenBusy === 'next' ? await freePort(host, wanted) : wanted;
    address = await listen(app, { host, port, isSecure: tls !== undefined });
    if (grpcOptions !== undefined) {
      grpc = await openGrpc(grpcOptions, {
        services,
        clock,
        newRequestId,
        log,
        keys,
        admit,
        answered: (status, ms) => tally.call(status, ms),
        httpAnswered: (status, ms) => tally.request(status, ms),
      });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, ...address, app, grpc: grpc ?? null, lost, stop, [Symbol.asyncDispose]: stop };
}

function grpcOf({ grpc, tls }: ServerOptions): GrpcOptions | undefined {
  if (grpc === undefined || grpc === false) return undefined;
  return tls === undefined ? grpc : { tls, ...grpc };
}

/** Ids are a random prefix and a counter, because entropy for every request would cost too much. */
function requestIds(boot: string): () => string {
  const start = boot.slice(0, 14);
  let count = 0;
  return () => {
    count += 1;
    return `${start}_${count.toString(36)}`;
  };
}
