/**
 * The HTTP application with what every door shares: request ids, one log line per request, guards and limits. The door of
 * the request's path answers errors.
 */
import type { Server as HttpServer, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { Readable } from 'node:stream';
import { stopwatch } from 'carillon/internal/base';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { Identity } from '../door/access.ts';
import type { HttpAnswer, HttpDoor, HttpErrors } from '../door/http-door.ts';
import { noNote } from '../door/request.ts';
import { serviceErrorOf } from '../door/trouble.ts';
import { portBusy } from './bind.ts';
import { DoorTable } from './door-table.ts';
import { guard } from './guard.ts';
import { traceRequests } from './tracing-requests.ts';
import type { Traffic } from './traffic.ts';

export interface AppOptions {
  readonly log: FastifyBaseLogger;
  readonly newId: () => string;
  readonly isLocal: boolean;
  /** Refuses a caller that is unknown or exceeds its rate limit. Not called for public paths. */
  readonly admit: (request: FastifyRequest) => Identity | Promise<Identity>;
  readonly doors: readonly HttpDoor[];
  /** Error answers for paths of no door and for doors without their own. */
  readonly errors: HttpErrors;
  readonly traffic: Traffic;
  /** Absent: plain HTTP. */
  readonly tls?: Tls;
  /** The body of a request that was read before it came here; undefined: it is still to be read. Absent: it always is. */
  readonly bodyReadBefore?: (request: FastifyRequest) => Readable | undefined;
  /** Called after every answer. */
  readonly answered?: (status: number, milliseconds: number) => void;
  /** Largest body in bytes. Default 4 MiB. */
  readonly bodyLimit?: number;
}

/** PEM texts. With `clientCa`, only clients with a certificate it signed may connect. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string;
}

const bodyLimit = 4 * 1024 * 1024;

/** A client that needs longer to send its request blocks a connection. */
const requestTimeout = 30_000;

/** An id has at most 977 bytes, and each takes three characters when encoded. */
const longestParameter = 4096;

const givenId = /^[\w.:/-]{1,128}$/;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { log } = options;
  const table = new DoorTable(options.doors, options.errors);
  const refuse = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const trouble = serviceErrorOf(error);
    const answer = table.errorsOf(request.url).error(trouble, table.refused(request));
    if (answer.status >= 500) {
      const { id: requestId, note } = request;
      log.error({ requestId, err: trouble.cause ?? trouble, ...note }, trouble.message);
    }
    await send(reply, answer);
  };
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // All requests share one logger: log lines name the request themselves, and a logger per request would cost more than
    // the line.
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.bodyLimit ?? bodyLimit,
    requestTimeout,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestParameter },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && givenId.test(given) ? given : options.newId();
    },
    ...(options.tls === undefined ? {} : { serverFactory: secure(options.tls) }),
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  });
  app.decorateRequest('identity', null);
  app.decorateRequest('began', 0);
  traceRequests(app, (url) => table.isTraced(url));
  const ended = () => options.traffic.end();
  // Hooks use callbacks, because a promise would cost every request another turn of the event loop.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      request.began = stopwatch();
      request.note = noNote;
      options.traffic.begin();
      // Fires also when the client disconnects before the answer.
      reply.raw.once('close', ended);
      reply.header('x-request-id', request.id);
      reply.header('x-content-type-options', 'nosniff');
      guard(request.method, request.headers, options);
      const identity = table.isPublic(request.url) ? null : options.admit(request);
      if (identity instanceof Promise) {
        identity.then((found) => {
          request.identity = found;
          done();
        }, done);
        return;
      }
      request.identity = identity;
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  const { bodyReadBefore } = options;
  if (bodyReadBefore !== undefined) {
    app.addHook('preParsing', (request, _, payload, done) => done(null, bodyReadBefore(request) ?? payload));
  }
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, note } = request;
    const url = table.shown(request.url);
    const status = reply.statusCode;
    const ms = stopwatch() - request.began;
    options.answered?.(status, ms);
    const line = { requestId, method, url, status, ms: Math.round(ms * 10) / 10, ...note };
    if (table.isQuiet(request.url)) log.debug(line, 'request');
    else log.info(line, 'request');
    done();
  });
  app.setErrorHandler(async (error, request, reply) => await refuse(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    await send(reply, table.errorsOf(request.url).notFound(table.refused(request)));
  });
  for (const door of options.doors) await app.register(async (scope) => await door.routes(scope));
  return app;
}

/** Listens, and says where. */
export async function listen(
  app: FastifyInstance,
  { host, port, isSecure }: { readonly host: string; readonly port: number; readonly isSecure: boolean },
): Promise<{ readonly port: number; readonly url: string }> {
  try {
    await app.listen({ host, port, listenTextResolver: () => 'listening' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portBusy(port);
    throw error;
  }
  const bound = (app.server.address() as { readonly port: number }).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return { port: bound, url: `${isSecure ? 'https' : 'http'}://${name}:${bound}` };
}

function secure({ cert, key, clientCa }: Tls) {
  const clients = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  // Only members that HTTP and HTTPS servers share are used.
  return (handler: RequestListener) =>
    createServer(
      { cert, key, ...clients, minVersion: 'TLSv1.2', requestTimeout },
      handler,
    ) as unknown as HttpServer;
}

async function send(reply: FastifyReply, answer: HttpAnswer): Promise<void> {
  const { status, headers = {}, contentType, body } = answer;
  await reply.code(status).headers(headers).type(contentType).send(body);
}
