/**
 * Carillon inside another HTTP server: the API, the page and the other doors under a path of a program that has its own
 * port, its own framework and its own users.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Clock } from 'carillon/internal/base';
import { given, ServiceError } from 'carillon/internal/base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Identity, Role } from '../door/access.ts';
import type { DoorOptions } from './assembly.ts';
import { assemble } from './assembly.ts';
import type { KeyRing } from './keys.ts';
import { RateLimiter } from './rate-limit.ts';

/** A request whose sender has to be identified. */
export interface MountedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** The path and query below the base path. */
  readonly url: string;
  /** The IP address of the peer; 127.0.0.1 for a call to `fetch`. */
  readonly ip: string;
  /** The framework's request with what earlier middleware attached to it. For a call to `fetch`, a substitute. */
  readonly raw: IncomingMessage;
}

/** A caller that the program around Carillon has accepted. */
export interface MountedCaller {
  /** The name written into the audit log. */
  readonly actor: string;
  /** `viewer` reads, `worker` also works on runs, `operator` also changes schedules, `admin` may do everything. */
  readonly role: Role;
  /** The namespaces that the caller may use. Default: all. */
  readonly namespaces?: readonly string[];
}

/** The options of `mountCarillon`. */
export interface MountOptions extends DoorOptions {
  /** The path under which the program serves it, such as `/carillon`. Default: none, all paths are Carillon's. */
  readonly basePath?: string;
  /**
   * Says who sent a request that has no known API key; null refuses it. Paths that are public on a server (the files of the
   * page, health, callbacks, the API's reference) are served without asking. Required unless there are `keys`, because a
   * caller may do what your program may.
   */
  readonly authenticate?: (request: MountedRequest) => MountedCaller | null | Promise<MountedCaller | null>;
}

/** The doors of a Carillon, to be served by another program. */
export interface MountedCarillon extends AsyncDisposable {
  /** The path under which requests are answered; empty for all. */
  readonly basePath: string;
  /**
   * Answers requests below the base path. `next`, as Express passes it, gets the others; without it they are answered with
   * 404. Bodies may have been parsed by middleware before.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** The same for servers that speak in `Request` and `Response`, such as Hono, Bun and route handlers of Next.js. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Resolves with the reason when the store is lost for good. Requests are answered with 503 then; end the process. */
  readonly lost: Promise<Error>;
  /** Answers open requests, lets handlers finish, stops the Carillon and closes its store. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts the Carillon and returns its doors, to be mounted in a server of your own. */
export async function mountCarillon(options: MountOptions): Promise<MountedCarillon> {
  const { authenticate, keys = [], rateLimit } = options;
  const basePath = readBasePath(options.basePath ?? '');
  if (authenticate === undefined && keys.length === 0) {
    throw ServiceError.invalid([
      {
        path: 'authenticate',
        reason: 'PUBLIC_WITHOUT_AUTHENTICATION',
        message: 'without it and without keys, anyone who reaches your program could control every schedule',
        fix: 'give authenticate, a function that says who sent a request, or keys',
      },
    ]);
  }
  const admitWith = (ask: NonNullable<typeof authenticate>) => (ring: KeyRing, clock: Clock) => {
    const limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit, clock);
    return async (request: FastifyRequest) => {
      const identity = ring.recognise(request.headers) ?? (await identified(ask, request));
      limiter?.take(identity.actor);
      return identity;
    };
  };
  const assembly = await assemble(options, {
    basePath,
    isLocal: false,
    bodyReadBefore: parsedBefore,
    ...given({ admit: authenticate === undefined ? undefined : admitWith(authenticate) }),
  });
  const { app, lost } = assembly;
  const stop = () => assembly.stop(() => undefined);
  try {
    await assembly.start();
    await app.ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    basePath,
    handler: (request, response, next) => {
      // Express removes the path of the mounted handler from `url`; `originalUrl` still has it.
      const { originalUrl = request.url ?? '/' } = request as { readonly originalUrl?: string };
      const below = pathBelow(originalUrl, basePath);
      if (below === undefined && next !== undefined) {
        next();
        return;
      }
      request.url = below ?? originalUrl;
      app.routing(request, response);
    },
    fetch: (request) => answer(app, request, basePath),
    lost,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function readBasePath(given: string): string {
  const path = given.replace(/\/+$/, '');
  if (path === '' || /^(\/[\w.~-]+)+$/.test(path)) return path;
  throw ServiceError.invalid([
    {
      path: 'basePath',
      reason: 'BAD_PATH',
      message: `'${given}' is not a path under which something can be mounted`,
      fix: 'write it with a slash at the start and without parameters, such as /carillon',
    },
  ]);
}

/** The part of a URL below the base path; undefined when it is not below it. */
function pathBelow(url: string, basePath: string): string | undefined {
  if (!url.startsWith(basePath)) return undefined;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

async function identified(
  authenticate: NonNullable<MountOptions['authenticate']>,
  { headers, method, url, ip, raw }: FastifyRequest,
): Promise<Identity> {
  const caller = await authenticate({ headers, method, url, ip, raw });
  if (caller === null) {
    throw new ServiceError({
      code: 'unauthenticated',
      reason: 'CALLER_UNKNOWN',
      message: 'sign in first, or send an API key: Authorization: Bearer <key>',
    });
  }
  const { actor, role, namespaces = null } = caller;
  return { actor, role, namespaces };
}

/** The body as a stream again, when middleware around the mount has read and parsed it. */
function parsedBefore({ raw, headers }: FastifyRequest): Readable | undefined {
  const { body } = raw as { readonly body?: unknown };
  if (body === undefined || !raw.readableEnded) return undefined;
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  // The text may be shorter or longer than what the client sent; the length that it announced was already checked.
  return Object.assign(Readable.from([bytes]), { receivedEncodedLength: Number(headers['content-length']) });
}

/** Answers without a socket. The body of the answer is a stream, so that live events arrive as they happen. */
async function answer(app: FastifyInstance, request: Request, basePath: string): Promise<Response> {
  const { method, headers, signal } = request;
  const { pathname, search, host } = new URL(request.url);
  const hasBody = method !== 'GET' && method !== 'HEAD' && request.body !== null;
  const payload = hasBody ? Buffer.from(await request.arrayBuffer()) : undefined;
  const answered = await app.inject({
    method: method as 'GET',
    url: pathBelow(`${pathname}${search}`, basePath) ?? `${pathname}${search}`,
    headers: { host, ...Object.fromEntries(headers) },
    payloadAsStream: true,
    signal,
    ...given({ payload }),
  });
  const sent = new Headers();
  for (const [name, value] of Object.entries(answered.headers)) {
    for (const each of [value].flat()) if (each !== undefined) sent.append(name, String(each));
  }
  const isEmpty = method === 'HEAD' || [204, 304].includes(answered.statusCode);
  const body = isEmpty ? null : (Readable.toWeb(answered.stream()) as ReadableStream);
  return new Response(body, { status: answered.statusCode, headers: sent });
}
