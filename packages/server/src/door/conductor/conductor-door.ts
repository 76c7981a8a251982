/** The door of Conductor's scheduler: reads the request, calls the operation and writes the answer. */
import { given, ServiceError } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../access.ts';
import { demandAccess } from '../access.ts';
import { demandOwnOrigin } from '../foreign-origin.ts';
import type { HttpDoor } from '../http-door.ts';
import type {} from '../request.ts';
import { conductorErrors } from './errors.ts';
import { readDocument } from './json-document.ts';
import type { Operation } from './operation.ts';
import { originDoor } from './origin.ts';
import type { QueryParameters } from './query-parameter.ts';
import { findOperation } from './route.ts';
import { scheduleOperations } from './schedule-operations.ts';
import type { SchedulerSettings } from './settings.ts';
import type { TokenOptions } from './token.ts';
import { tokenPath, tokenRoute } from './token.ts';

export const prefix = '/api/scheduler';

export interface ConductorDoorOptions extends TokenOptions {
  readonly services: Services;
  readonly namespace: string;
  /** The caller's identity; called after authentication. */
  readonly identify: (request: FastifyRequest) => Identity;
  readonly settings: SchedulerSettings;
  /** The name of this server in error answers. */
  readonly instance: string;
}

export function conductorDoor(options: ConductorDoorOptions): HttpDoor {
  const errors = conductorErrors(options.instance);
  return {
    paths: [prefix, tokenPath],
    publicPaths: [tokenPath],
    errors,
    routes: async (app) => {
      app.removeAllContentTypeParsers();
      // Operations that take no body ignore it and its type; the others check it.
      app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
      tokenRoute(app, options);
      if (!options.settings.enabled) return;
      const dispatched = dispatcher(options, errors.notFound);
      app.all(prefix, dispatched);
      app.all(`${prefix}/*`, dispatched);
    },
  };
}

function dispatcher(options: ConductorDoorOptions, notFound: ReturnType<typeof conductorErrors>['notFound']) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    const found = findOperation(scheduleOperations, request.method, path.slice(prefix.length));
    if (found === undefined) {
      const { status, contentType, body } = notFound({ id: request.id, method: request.method, path });
      return await reply.code(status).type(contentType).send(body);
    }
    if ('options' in found) {
      return await reply.header('allow', found.options.join(',')).header('content-length', '0').send();
    }
    const answer = await run(found.operation, found.name, request, options);
    reply.header('cache-control', 'no-store');
    if (answer === undefined) return await reply.header('content-length', '0').send();
    return await reply.type('application/json').send(JSON.stringify(answer));
  };
}

async function run(
  operation: Operation,
  name: string,
  request: FastifyRequest,
  { services, namespace, settings, identify }: ConductorDoorOptions,
): Promise<unknown> {
  const identity = identify(request);
  demandAccess(identity, operation.role, namespace);
  if (operation.changes === true) demandOwnOrigin(request.headers);
  request.note = { operation: operation.path, namespace, actor: identity.actor };
  return await operation.handle({
    services,
    namespace,
    settings,
    name,
    query: request.query as QueryParameters,
    body: () => readBody(request),
    caller: { actor: identity.actor, door: originDoor, ...given({ barred: identity.barred }) },
  });
}

function readBody({ body, headers }: FastifyRequest): unknown {
  if (typeof body === 'string') return readDocument(body, headers['content-type']);
  throw new ServiceError({ code: 'invalidArgument', reason: 'NO_BODY', message: 'the request has no body' });
}
