/** The HTTP application: what every door shares. Request ids, one line of log per request, errors, guards, limits. */
import type { Server as HttpServer, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { ServiceError } from 'carillon/internal/base';
import { stopwatch } from 'carillon/internal/base';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { Identity } from '../door/access.ts';
import { noNote } from '../door/request.ts';
import { httpStatus } from '../door/status.ts';
import { errorBody, serviceErrorOf } from '../door/trouble.ts';
import { callbackPath } from './callbacks.ts';
import { guard } from './guard.ts';
import { traceRequests } from './tracing-requests.ts';
import type { Traffic } from './traffic.ts';

/** Adds routes. Every door is one. */
export type HttpDoor = (app: FastifyInstance) => Promise<void>;

export interface AppOptions {
  readonly log: FastifyBaseLogger;
  readonly newId: () => string;
  readonly isLocal: boolean;
  /** Throws when the caller is unknown or asks too often. Not called for health. */
  readonly admit: (request: FastifyRequest) => Identity;
  readonly doors: readonly HttpDoor[];
  readonly traffic: Traffic;
  /** Absent: plain HTTP. */
  readonly tls?: Tls;
  /** Told of every answer. */
  readonly answered?: (status: number, milliseconds: number) => void;
  /** Bytes of a body. Default 4 MiB. */
  readonly bodyLimit?: number;
}

/** PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

const bodyLimit = 4 * 1024 * 1024;

/** A client that needs longer to send its request is holding a place, not using it. */
const requestTimeout = 30_000;

/** An id is at most 232 characters, each of up to twelve when encoded. */
const longestParameter = 4096;

/** What says nothing about anybody's schedules, and callbacks, which bring their own proof. */
const open = new Set(['/healthz', '/readyz', '/api/v1/openapi.json', '/api/v1/docs']);

/** A callback's token is its proof, so that a log with tokens would let every reader finish runs. */
function shownUrl(url: string): string {
  return url.startsWith(`${callbackPath}/`) ? `${callbackPath}/…` : url;
}

function isOpen(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return open.has(path) || path.startsWith(`${callbackPath}/`);
}
const givenId = /^[\w.:/-]{1,128}$/;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { log } = options;
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // One logger for all: our lines name the request themselves, and a logger for each would cost more than the line.
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
  traceRequests(app);
  const ended = () => options.traffic.end();
  // Callbacks, because each promise of a hook would be a turn of every request.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      request.began = stopwatch();
      request.note = noNote;
      options.traffic.begin();
      // Also when the client goes away before its answer.
      reply.raw.once('close', ended);
      reply.header('x-request-id', request.id);
      reply.header('x-content-type-options', 'nosniff');
      guard(request.method, request.headers, options);
      if (!isOpen(request.url)) request.identity = options.admit(request);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, note } = request;
    const url = shownUrl(request.url);
    const status = reply.statusCode;
    const ms = stopwatch() - request.began;
    options.answered?.(status, ms);
    const line = { requestId, method, url, status, ms: Math.round(ms * 10) / 10, ...note };
    if (open.has(url)) log.debug(line, 'request');
    else log.info(line, 'request');
    done();
  });
  app.setErrorHandler(async (error, request, reply) => await refuse(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    const message = `there is nothing at '${shownUrl(request.url).slice(0, 200)}'; the API is under /api/v1`;
    await send(reply, request, { code: 'notFound', reason: 'UNKNOWN_ROUTE', message, problems: [] });
  });
  for (const door of options.doors) await app.register(door);
  return app;
}

function secure({ cert, key }: Tls) {
  // Of a server we use what both kinds have.
  return (handler: RequestListener) =>
    createServer({ cert, key, minVersion: 'TLSv1.2', requestTimeout }, handler) as unknown as HttpServer;
}

async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const trouble = serviceErrorOf(error);
  const status = httpStatus(trouble);
  if (status >= 500) {
    const { id: requestId, note } = request;
    request.log.error({ requestId, err: trouble.cause ?? trouble, ...note }, trouble.message);
  }
  await send(reply, request, trouble);
}

async function send(
  reply: FastifyReply,
  request: FastifyRequest,
  trouble: Pick<ServiceError, 'code' | 'reason' | 'message' | 'problems'>,
): Promise<void> {
  const { code, reason, problems } = trouble;
  if (reason === 'METHOD_NOT_ALLOWED') reply.header('allow', problems[0]?.message ?? '');
  if (code === 'unauthenticated') reply.header('www-authenticate', 'Bearer realm="carillon"');
  if (code === 'resourceExhausted' || code === 'unavailable') reply.header('retry-after', '1');
  await reply
    .code(httpStatus(trouble))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(trouble as ServiceError, request.id)));
}
