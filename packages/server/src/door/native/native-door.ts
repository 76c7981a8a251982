/** The REST door: finds the operation, reads the request, calls the service and writes the answer. It does nothing else. */

import type { Clock } from 'carillon/internal/base';
import { given, ServiceError } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import { withSuggestions } from 'carillon/internal/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../access.ts';
import { demandAccess } from '../access.ts';
import { readWord } from '../headers.ts';
import type { HttpDoor } from '../http-door.ts';
import { readJsonBody } from '../json-body.ts';
import type {} from '../request.ts';
import type { ServerPort } from '../server-port.ts';
import { auditOperation } from './audit-operation.ts';
import { backupOperations } from './backup-operations.ts';
import { bulkOperation } from './bulk-operation.ts';
import { docsPage, docsPolicy } from './docs-page.ts';
import { nativeErrors } from './errors.ts';
import type { EventHub } from './event-hub.ts';
import { eventStream } from './event-stream.ts';
import { namespaceHeader, readDoor, readNote, readPrecondition } from './headers.ts';
import { historyOperations } from './history-operations.ts';
import { hostOperations } from './host-operations.ts';
import { insightOperations } from './insight-operations.ts';
import { sendJson } from './json-answer.ts';
import { nodesOperation } from './nodes-operation.ts';
import { openApi } from './openapi.ts';
import type { Call, Operation, OperationAnswer } from './operation.ts';
import type { DryRun } from './rehearsal.ts';
import { takeDryRun } from './rehearsal.ts';
import { route } from './router.ts';
import { runOperations } from './run-operations.ts';
import { scheduleOperations } from './schedule-operations.ts';
import { scheduleVerbs } from './schedule-verbs.ts';
import { settingsOperations } from './settings-operations.ts';
import { viewOperations } from './view-operations.ts';
import { workerOperations } from './worker-operations.ts';

export const prefix = '/api/v1';

export const operations: readonly Operation[] = [
  ...scheduleOperations,
  ...scheduleVerbs,
  bulkOperation,
  ...historyOperations,
  ...insightOperations,
  ...viewOperations,
  ...settingsOperations,
  ...runOperations,
  ...hostOperations,
  ...workerOperations,
  auditOperation,
  nodesOperation,
  ...backupOperations,
];

/** These paths need no key, because they reveal nothing about any schedule. */
const described = [`${prefix}/openapi.json`, `${prefix}/docs`];

export interface NativeDoorOptions {
  readonly services: Services;
  /** The namespace of requests whose path and headers name none. */
  readonly namespace: string;
  /** The caller's identity; called after authentication. */
  readonly identify: (request: FastifyRequest) => Identity;
  /** The server around this door. */
  readonly server: ServerPort;
  /** The path before `/api/v1` by which callers reach this door. Empty: none. */
  readonly basePath: string;
  /** Live events. */
  readonly hub: EventHub;
  readonly clock: Clock;
}

export function nativeDoor(options: NativeDoorOptions): HttpDoor {
  return {
    paths: [prefix],
    publicPaths: described,
    quietPaths: described,
    errors: nativeErrors(shownPrefix(options)),
    routes: async (app) => {
      await app.register(async (scope) => await addOperations(scope, options));
      await app.register(async (scope) => await eventStream(scope, { ...options, prefix }));
    },
  };
}

/** The path of the API as callers write it. */
function shownPrefix({ basePath }: Pick<NativeDoorOptions, 'basePath'>): string {
  return `${basePath}${prefix}`;
}

async function addOperations(app: FastifyInstance, options: NativeDoorOptions): Promise<void> {
  readJsonOnly(app);
  const shown = shownPrefix(options);
  // Made on the first request for it, because it takes a tenth of the time that a server needs to start.
  const { version } = options.services.about;
  let made: ReturnType<typeof openApi> | undefined;
  const document = () => {
    made ??= openApi(operations, { version, prefix: shown });
    return made;
  };
  app.get(`${prefix}/openapi.json`, async (_, reply) => await reply.send(document()));
  app.get(`${prefix}/docs`, async (_, reply) => {
    reply.header('content-security-policy', docsPolicy).type('text/html; charset=utf-8');
    return await reply.send(docsPage(operations, document(), shown));
  });
  const leaving = new AbortController();
  app.addHook('preClose', async () => leaving.abort());
  const watch = options.services.runSearch.watch({ leaving: leaving.signal });
  const waits: Waits = { watch, leaving: leaving.signal };
  app.all(`${prefix}/*`, async (request, reply) => await dispatch(request, reply, options, waits));
  for (const path of [prefix, `${prefix}/`]) {
    app.all(path, async (request, reply) =>
      request.method === 'GET'
        ? await reply.send(overview(options))
        : await dispatch(request, reply, options, waits),
    );
  }
}

/** The answer at the root of the API: the addresses of its parts, for a person who opens it in a browser. */
function overview(options: NativeDoorOptions): Readonly<Record<string, string>> {
  const { version, store } = options.services.about;
  const at = (path: string) => `${shownPrefix(options)}/${path}`;
  return {
    name: 'Carillon',
    version,
    store,
    docs: at('docs'),
    openapi: at('openapi.json'),
    schedules: at('schedules'),
    runs: at('runs'),
  };
}

/** Aborts when the connection is closed before the answer is complete. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

/** What operations that wait need. */
type Waits = Pick<Call<unknown, unknown>, 'watch' | 'leaving'>;

async function dispatch(
  request: FastifyRequest,
  reply: FastifyReply,
  options: NativeDoorOptions,
  { watch, leaving }: Waits,
) {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const matched = route(operations, request.method, path.slice(prefix.length));
  const { operation } = matched;
  const namespace = matched.namespace ?? readWord(request.headers, namespaceHeader) ?? options.namespace;
  const identity = options.identify(request);
  demandAccess(identity, operation.role, namespace);
  request.note = { operation: operation.id, namespace, actor: identity.actor };
  const key = operation.method === 'GET' ? undefined : readWord(request.headers, 'idempotency-key');
  const precondition = readPrecondition(request.headers, operation);
  const { match } = precondition;
  const note = operation.method === 'GET' ? undefined : readNote(request.headers);
  const sent = { ...(request.query as Record<string, unknown>) };
  const dryRun = operation.rehearsal === undefined ? 'no' : takeDryRun(sent);
  const call: Call<unknown, unknown> = {
    services: options.services,
    server: options.server,
    identity,
    namespace,
    path: matched.path,
    query: readQuery(operation, sent),
    body: operation.body?.read(request.body),
    precondition,
    watch,
    leaving,
    // Created on first use, because most operations answer at once and need no signal.
    get signal() {
      return untilClosed(reply);
    },
    caller: {
      actor: identity.actor,
      door: readDoor(request.headers),
      ...given({ barred: identity.barred }),
      // The operation is part of the request id, so that the same key under another operation is another request.
      ...(key === undefined ? {} : { requestId: `${operation.id}:${key}` }),
      ...(note === undefined ? {} : { note }),
      ...(operation.isConditional === 'match' && typeof match === 'number' ? { token: match } : {}),
    },
  };
  const answer = await answered(operation, call, dryRun);
  reply.code(answer.status ?? operation.status).header('cache-control', 'no-store');
  if (answer.token !== undefined) reply.header('etag', `"${answer.token}"`);
  if (answer.location !== undefined) {
    const scope = matched.namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    reply.header('location', `${shownPrefix(options)}${scope}${answer.location}`);
  }
  if (answer.body === undefined) return await reply.send();
  return await sendJson(request, reply, answer.body);
}

async function answered(
  operation: Operation,
  call: Call<unknown, unknown>,
  dryRun: DryRun,
): Promise<OperationAnswer> {
  try {
    return dryRun !== 'no' && operation.rehearsal !== undefined
      ? { status: 200, body: await operation.rehearsal.rehearse(call, operation.handle, dryRun === 'trial') }
      : await operation.handle(call);
  } catch (error) {
    const { namespace, path, services } = call;
    const name = { namespace, id: path.id ?? '' };
    if (operation.path.startsWith('/schedules/{id}'))
      throw await withSuggestions(error, services.schedules, name);
    if (operation.path.startsWith('/hosts/{id}')) throw await withSuggestions(error, services.hosts, name);
    throw error;
  }
}

function readQuery(operation: Operation, query: Record<string, unknown>): unknown {
  if (operation.query !== undefined) return operation.query.read(query);
  const [name] = Object.keys(query);
  if (name === undefined) return undefined;
  const fix = 'remove it, or check its spelling';
  throw ServiceError.invalid([
    { path: name, reason: 'UNKNOWN_FIELD', message: 'this operation takes no such parameter', fix },
  ]);
}

/** Accepts JSON bodies only, so that a web page cannot change anything by a form or plain text. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? undefined : readJsonBody(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
}
