/** The HTTP application of a Carillon with all its doors, before it is known how requests reach it: by its own port, or mounted. */
import type { Clock } from 'carillon/internal/base';
import { assert, given, SystemClock, uniqueIds } from 'carillon/internal/base';
import type { Carillon } from 'carillon/internal/embed';
import { internalsOf } from 'carillon/internal/embed';
import type { Services } from 'carillon/internal/service';
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
import type { IncomingCall } from './admission.ts';
import { admission } from './admission.ts';
import type { AppOptions, Tls } from './app.ts';
import { buildApp } from './app.ts';
import { callbackDoor } from './callbacks.ts';
import { logEvents } from './event-log.ts';
import { fixedLimits, retentionViews } from './fixed-limits.ts';
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

/** What a server and a mounted application have in common. */
export interface DoorOptions {
  /** Register handlers before or after; the server starts and stops it. */
  readonly carillon: Carillon;
  /** The namespace of requests that name none. Default `default`. */
  readonly namespace?: string;
  /** The accepted API keys. Default: none. */
  readonly keys?: readonly ApiKey[];
  /** The settings that the API shows, each with its source. Default: only limits are shown. */
  readonly settings?: readonly SettingView[];
  /** Rate limit of each caller, or of each address when callers need no key. Default: none. */
  readonly rateLimit?: RateLimit;
  /** Receives one line per request and per event. Default: nothing is logged. */
  readonly log?: FastifyBaseLogger;
  /** Counters for `/metrics`; pass your own to label runs by schedule or to count errors of the store. */
  readonly tally?: Tally;
  /** Settings of the Conductor door, under the names of the original's properties. Default: open, with its defaults. */
  readonly conductor?: { readonly scheduler?: Partial<SchedulerSettings> };
  /** The workflows that the Carillon was opened with (`archetypes`), to be served to Conductor's clients. Default: none are. */
  readonly flow?: FlowArchetype;
  /** The web interface under `/ui/`. False leaves it out. Default: it is served. */
  readonly page?: PageOptions | false;
  /** More doors beside the built-in ones. */
  readonly doors?: readonly HttpDoor[];
  /** Longest wait in milliseconds for open requests and running handlers at the end. Default 10 seconds. */
  readonly drainMs?: number;
}

/** How callers reach the application, and how they are identified. */
export interface Approach {
  /** The path before all paths of the doors, as callers see it. Empty: none. */
  readonly basePath: string;
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean;
  readonly tls?: Tls;
  readonly commandToken?: string;
  readonly bodyReadBefore?: AppOptions['bodyReadBefore'];
  /** Identifies the caller of a request when the API keys alone do not. */
  readonly admit?: (keys: KeyRing, clock: Clock) => (request: FastifyRequest) => Identity | Promise<Identity>;
}

export interface Assembly {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly tally: Tally;
  readonly newRequestId: () => string;
  /** Admits callers by their API key. */
  readonly admitByKey: (incoming: IncomingCall) => Identity;
  /** Resolves with the reason when the store is lost for good. */
  readonly lost: Promise<Error>;
  start(): Promise<void>;
  /** Answers open requests, lets handlers finish and closes the store. `others` are asked to stop at the same time. */
  stop(others: (drainMs: number) => Promise<void> | undefined): Promise<void>;
}

const defaultDrain = 10_000;

export async function assemble(options: DoorOptions, approach: Approach): Promise<Assembly> {
  const { carillon, namespace = 'default', drainMs = defaultDrain, keys = [], rateLimit } = options;
  const { basePath, isLocal, tls, commandToken, bodyReadBefore } = approach;
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
  const ring = new KeyRing(keys);
  const madeKeys = new MadeKeys({
    ring,
    fixed: keys,
    stored: services.keys,
    clock,
    trouble: (error) => log.warn(error, 'the stored API keys could not be read'),
  });
  const admitByKey = admission({ clock, ring, ...given({ rateLimit, commandToken }) });
  const settings = [...(options.settings ?? []), ...retentionViews(services), ...fixedLimits()];
  const identify = (request: FastifyRequest): Identity => {
    assert(request.identity !== null, 'every request to a door was admitted');
    return request.identity;
  };
  const newRequestId = requestIds(newId());
  const scheduler = { ...defaultSettings, ...options.conductor?.scheduler };
  for (const line of settingsWithoutEffect(scheduler)) log.warn(line);
  const { flow, page } = options;
  const app = await buildApp({
    log,
    newId: newRequestId,
    isLocal,
    admit: approach.admit?.(ring, clock) ?? admitByKey,
    traffic,
    ...given({ tls, bodyReadBefore }),
    answered: (status, ms) => tally.request(status, ms),
    errors: nativeErrors(`${basePath}${prefix}`),
    doors: [
      healthDoor({ services, readiness }),
      nativeDoor({
        services,
        namespace,
        identify,
        hub,
        clock,
        basePath,
        server: { keys: madeKeys, settings },
      }),
      conductorDoor({
        services,
        namespace,
        identify,
        settings: scheduler,
        instance: 'carillon',
        keyNameOf: (secret, { ip }) =>
          ring.isEmpty ? null : admitByKey({ headers: { 'x-api-key': secret }, ip }).actor,
      }),
      ...(flow === undefined
        ? []
        : [flowDoor({ services, flows: services.of(flow), namespace, identify, instance: 'carillon' })]),
      callbackDoor(carillon),
      metricsDoor({ carillon, services, clock, tally, build: services.about }),
      ...(page === false ? [] : [pageDoor({ ...(basePath === '' ? {} : { basePath }), ...page })]),
      ...(options.doors ?? []),
    ],
  });
  const lost = new Promise<Error>((resolve) => carillon.observe({ lost: resolve }));
  let stopping: Promise<void> | undefined;
  return {
    app,
    services,
    clock,
    log,
    tally,
    newRequestId,
    admitByKey,
    lost,
    start: async () => {
      await services.tally.start();
      await carillon.start();
      await madeKeys.start();
      await warnOfUnknown(keys, services, log);
    },
    stop: (others) => {
      stopping ??= (async () => {
        readiness.isDraining = true;
        log.info('stopping: no new requests, letting handlers finish');
        const closing = Promise.all([app.close(), others(drainMs)]);
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
    },
  };
}

/** A mistyped namespace is only logged, because one without a registration exists from its first schedule on. */
async function warnOfUnknown(
  keys: readonly ApiKey[],
  { namespaces }: Pick<Services, 'namespaces'>,
  log: Assembly['log'],
): Promise<void> {
  for (const { name, namespaces: own = [] } of keys) {
    for (const { name: namespace, near } of await namespaces.unknown(own)) {
      const meant = near.length === 0 ? {} : { didYouMean: near };
      log.warn(
        { key: name, namespace, ...meant },
        'an API key of the configuration is for a namespace that does not exist; correct it, or register the namespace',
      );
    }
  }
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
