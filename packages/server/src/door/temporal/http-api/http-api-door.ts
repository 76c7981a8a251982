/**
 * Temporal's HTTP API: the procedures of the gRPC door as paths and proto3 JSON. Paths and messages come from the API's own
 * definition, and the same table of procedures does the work; this folder only translates.
 */

import type { ServiceError } from 'carillon/internal/base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../access.ts';
import type { HttpAnswer, HttpDoor, HttpErrors } from '../../http-door.ts';
import { errorHeaders } from '../../http-errors.ts';
import { readJsonBody } from '../../json-body.ts';
import type { Call, Methods } from '../method.ts';
import { perform, proceduresOf } from '../procedure.ts';
import { decode, encode, typeNamed } from '../protocol.ts';
import { badRequest, troubleOf } from '../status.ts';
import { requestMessage } from './request-message.ts';
import { RouteTable, routesOf } from './routes.ts';
import { writeJson } from './write-json.ts';

export interface HttpApiOptions {
  /** Tables of procedures by the full name of their service. */
  readonly services: Readonly<Record<string, Methods>>;
  readonly identify: (request: FastifyRequest) => Identity;
}

const contentType = 'application/json';

export function httpApiDoor({
  services,
  identify,
}: HttpApiOptions): HttpDoor & { readonly errors: HttpErrors } {
  const procedures = Object.entries(services).flatMap(([name, methods]) => proceduresOf(name, methods));
  const table = new RouteTable(routesOf(procedures));
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { pathname, query } = addressOf(request);
    const match = table.find(request.method, pathname);
    if (match === undefined || match === 'verb') {
      await reply.code(match === 'verb' ? 501 : 404).send(statusBody(match === 'verb' ? 12 : 5));
      return;
    }
    const { procedure } = match.route;
    const message = requestMessage(match, { query, body: request.body });
    const call = callOf(request, reply, identify(request), encode(procedure.request, message));
    const answer = await perform(procedure, call, (namespace) => {
      request.note = { ...request.note, namespace, procedure: procedure.name };
    });
    const json = writeJson(procedure.response, decode(procedure.response, answer), {
      shorthand: !isAsked(request, query, 'noPayloadShorthand', 'no-payload-shorthand'),
    });
    const indent = isAsked(request, query, 'pretty', 'pretty') ? 2 : undefined;
    await reply.type(contentType).send(JSON.stringify(json, null, indent));
  };
  return {
    // It has its own port, and answers every error there.
    paths: [],
    errors,
    routes: async (app) => {
      readBodies(app);
      // Paths are found by our own table: ids may contain encoded slashes, and 501 differs from 404.
      app.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/*', handler: serve });
    },
  };
}

/** The original reads any content type as JSON. A request without a body is an empty message. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => {
    try {
      done(null, String(text).trim() === '' ? undefined : readJsonBody(String(text)));
    } catch (error) {
      done(error as Error);
    }
  });
}

function addressOf({ url }: FastifyRequest) {
  const mark = url.indexOf('?');
  const pathname = mark < 0 ? url : url.slice(0, mark);
  return { pathname, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

/** Whether the caller asks for a variant of the answer, by a parameter or by its media type. */
function isAsked(
  { headers }: FastifyRequest,
  query: URLSearchParams,
  parameter: string,
  suffix: string,
): boolean {
  return query.has(parameter) || (headers.accept ?? '').split('+').includes(suffix);
}

function callOf(request: FastifyRequest, reply: FastifyReply, identity: Identity, body: Uint8Array): Call {
  let controller: AbortController | undefined;
  return {
    identity,
    body,
    metadata: {
      get: (name) => {
        const value = request.headers[`grpc-metadata-${name}`] ?? request.headers[name];
        return typeof value === 'string' ? value : undefined;
      },
    },
    remainingMs: timeoutOf(request.headers['grpc-timeout']),
    // Created on first use, because most calls are answered without waiting.
    get signal() {
      if (controller === undefined) {
        const made = new AbortController();
        controller = made;
        if (reply.raw.destroyed) made.abort();
        reply.raw.once('close', () => made.abort());
      }
      return controller.signal;
    },
  };
}

const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};

/** gRPC's header for a deadline, which gateways also read: `10S`. */
function timeoutOf(header: unknown): number {
  if (header === undefined) return Number.POSITIVE_INFINITY;
  const [, amount, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  if (amount === undefined) throw badRequest(`invalid grpc-timeout: ${String(header)}`);
  return Number(amount) * (unitMs[unit] as number);
}

/** Answers before routing, and errors of procedures: `google.rpc.Status` as JSON. */
const errors: HttpErrors = {
  error: (trouble, { id, path }) => errorAnswer(trouble, id, namespaceIn(path)),
  notFound: () => ({ status: 404, contentType, body: JSON.stringify(statusBody(5)) }),
};

const statusType = typeNamed('google.rpc.Status');

function errorAnswer(error: ServiceError, requestId: string, namespace: string): HttpAnswer {
  const { code, message, details } = troubleOf(error, requestId, namespace);
  const body =
    details === undefined
      ? { code, message }
      : writeJson(statusType, decode(statusType, details), { shorthand: true });
  return {
    status: httpStatuses[code] ?? 500,
    headers: errorHeaders(error),
    contentType,
    body: JSON.stringify(body),
  };
}

/** The namespace in a path, which some errors mention. */
function namespaceIn(path: string): string {
  const [, name = ''] = /\/namespaces\/([^/]+)/.exec(path) ?? [];
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** HTTP statuses by gRPC status, as gateways translate them. */
const httpStatuses = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];

const phrases: Readonly<Record<number, string>> = { 5: 'Not Found', 12: 'Method Not Allowed' };

function statusBody(code: number): object {
  return { code, message: phrases[code] };
}
