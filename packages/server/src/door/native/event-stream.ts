/** `GET /api/v1/events`: server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Clock } from 'carillon/internal/base';
import { addTime, ServiceError, second } from 'carillon/internal/base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Identity } from '../access.ts';
import { demandAccess } from '../access.ts';
import { readWord } from '../headers.ts';
import type { EventHub } from './event-hub.ts';
import { streamedTypes } from './event-types.ts';
import { severalOf } from './fields.ts';
import { namespaceHeader } from './headers.ts';
import { reader } from './read.ts';

export interface EventStreamOptions {
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly namespace: string;
  readonly prefix: string;
  readonly identify: (request: FastifyRequest) => Identity;
}

/** Readers at the same time; each holds a connection. */
const mostReaders = 1000;

/** Time to send remaining data after a stream ended; without it, a stalled client would hold the connection for ever. */
const closeGraceMs = 5 * second;

const query = reader(
  z.strictObject({
    schedule: z.string().optional(),
    type: severalOf(z.enum(streamedTypes)).optional(),
  }),
);

type Params = { readonly namespace?: string };

export async function eventStream(app: FastifyInstance, options: EventStreamOptions): Promise<void> {
  const { hub, prefix } = options;
  /** Includes connections whose stream ended and that still send remaining data. */
  const open = new Set<ServerResponse>();
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { namespace: named } = request.params as Params;
    const namespace = named ?? readWord(request.headers, namespaceHeader) ?? options.namespace;
    demandAccess(options.identify(request), 'viewer', namespace);
    const { schedule, type } = query.read({ ...(request.query as object) });
    if (open.size >= mostReaders) throw tooMany();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // The connection closes with the stream; a kept-alive connection would delay a server that stops.
      connection: 'close',
      'x-request-id': request.id,
    });
    raw.write('retry: 2000\n\n');
    open.add(raw);
    const lastId = request.headers['last-event-id'];
    const filter = {
      namespace,
      ...(schedule === undefined ? {} : { schedule }),
      ...(type === undefined ? {} : { types: type }),
    };
    let cancelParting = () => {};
    const reading = hub.open(filter, typeof lastId === 'string' ? lastId : undefined, {
      write: (bytes) => raw.write(bytes),
      end: (bytes) => {
        raw.end(bytes);
        const { clock } = options;
        cancelParting = clock.wakeAt(addTime(clock.now(), closeGraceMs), () => raw.destroy());
      },
    });
    raw.on('drain', () => reading.drained());
    raw.on('close', () => {
      reading.close();
      cancelParting();
      open.delete(raw);
    });
  };
  app.get(`${prefix}/events`, handle);
  app.get(`${prefix}/namespaces/:namespace/events`, handle);
  // Streams do not end by themselves, so the server ends them when it stops.
  app.addHook('preClose', async () => {
    for (const raw of open) raw.end();
    hub.close();
  });
}

function tooMany(): ServiceError {
  const message = `${mostReaders} read already; close some, or read with filters from one place`;
  return new ServiceError({ code: 'resourceExhausted', reason: 'TOO_MANY_READERS', message });
}
