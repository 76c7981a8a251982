/** The door of Conductor's workflows, tasks and definitions: finds the operation, reads the request and writes the answer. */
import { given, ServiceError } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Flows } from '../../../flow/flow-archetype.ts';
import type { Identity } from '../../access.ts';
import { demandAccess } from '../../access.ts';
import { demandOwnOrigin } from '../../foreign-origin.ts';
import type { HttpDoor } from '../../http-door.ts';
import type {} from '../../request.ts';
import { conductorErrors } from '../errors.ts';
import { readDocument } from '../json-document.ts';
import { originDoor } from '../origin.ts';
import type { QueryParameters } from '../query-parameter.ts';
import { metadataOperations } from './metadata-operations.ts';
import type { FlowAnswer, FlowOperation } from './operation.ts';
import { PollRecords } from './poll-records.ts';
import { refusedGroups } from './refused-routes.ts';
import { findFlowOperation } from './route.ts';
import { searchOperations } from './search-operations.ts';
import { taskOperations } from './task-operations.ts';
import { upkeepOperations } from './upkeep-operations.ts';
import { workflowOperations } from './workflow-operations.ts';

const served = ['/metadata', '/workflow', '/tasks', '/version', '/queue', '/event', '/admin'];
const paths = [...new Set([...served, ...refusedGroups])].map((path) => `/api${path}`);

/** The paths at which clients of the original check the health of the server. */
const healthPaths = ['/health', '/api/health'];

export interface FlowDoorOptions {
  readonly services: Services;
  readonly flows: Flows;
  readonly namespace: string;
  /** The caller's identity; called after authentication. */
  readonly identify: (request: FastifyRequest) => Identity;
  /** The name of this server in error answers. */
  readonly instance: string;
}

export const flowOperations: readonly FlowOperation[] = [
  ...metadataOperations,
  ...workflowOperations,
  ...taskOperations,
  ...searchOperations,
  ...upkeepOperations,
];

export function flowDoor(options: FlowDoorOptions): HttpDoor {
  const errors = conductorErrors(options.instance);
  return {
    paths: [...paths, ...healthPaths],
    publicPaths: healthPaths,
    errors,
    // Workers poll many times a second.
    quietPaths: ['/api/tasks/poll/'],
    routes: async (app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
      const leaving = new AbortController();
      app.addHook('preClose', async () => leaving.abort());
      const polls = new PollRecords();
      const handle = async (request: FastifyRequest, reply: FastifyReply) => {
        const [path = ''] = (request.raw.url ?? '').split('?', 1);
        const found = findFlowOperation(flowOperations, request.method, path.slice('/api'.length));
        if (found === undefined) {
          const { status, contentType, body } = errors.notFound({
            id: request.id,
            method: request.method,
            path,
          });
          return await reply.code(status).type(contentType).send(body);
        }
        if ('refused' in found) {
          const message = `${request.method} ${path.slice(0, 500)} is not served here: ${found.refused}`;
          throw new ServiceError({ code: 'notFound', reason: 'NOT_SERVED', message });
        }
        if ('options' in found) {
          return await reply.header('allow', found.options.join(',')).header('content-length', '0').send();
        }
        const { operation } = found;
        const { services, flows, namespace } = options;
        const identity = options.identify(request);
        demandAccess(identity, operation.role, namespace);
        if (operation.method !== 'GET' || operation.role !== 'viewer') demandOwnOrigin(request.headers);
        request.note = { operation: operation.path, namespace, actor: identity.actor };
        const answer = await operation.handle({
          services,
          flows,
          namespace,
          path: found.path,
          query: request.query as QueryParameters,
          body: () => readBody(request),
          text: typeof request.body === 'string' ? request.body : '',
          caller: { actor: identity.actor, door: originDoor, ...given({ barred: identity.barred }) },
          polls,
          get signal() {
            return untilClosed(reply);
          },
          leaving: leaving.signal,
        });
        return await send(reply, answer);
      };
      for (const path of healthPaths)
        app.get(path, async () => ({ healthResults: [], suppressedHealthResults: [], healthy: true }));
      for (const path of paths) {
        app.all(path, handle);
        app.all(`${path}/*`, handle);
      }
    },
  };
}

async function send(reply: FastifyReply, answer: FlowAnswer) {
  reply.header('cache-control', 'no-store');
  switch (answer.kind) {
    case 'json':
      return await reply.type('application/json').send(JSON.stringify(answer.body));
    case 'text':
      return await reply.type('text/plain;charset=UTF-8').send(answer.body);
    case 'empty':
      return await reply.header('content-length', '0').send();
    case 'none':
      return await reply.code(204).send();
  }
}

function readBody({ body, headers }: FastifyRequest): unknown {
  if (typeof body === 'string') return readDocument(body, headers['content-type']);
  throw new ServiceError({ code: 'invalidArgument', reason: 'NO_BODY', message: 'the request has no body' });
}

/** Aborts when the connection is closed before the answer is complete. */
function untilClosed({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}
