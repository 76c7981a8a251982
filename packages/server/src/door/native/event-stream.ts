/** `GET /api/v1/events`: server-sent events. */
import type { ServerResponse } from 'node:http';
import type { Clock } from 'carillon/internal/base';
import { addTime, ServiceError, second } from 'carillon/internal/base';
import { eventTypes } from 'carillon/internal/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Identity } from '../access.ts';
import { demandAccess } from '../access.ts';
import type { EventHub, LiveEvent } from './event-hub.ts';
import { severalOf } from './fields.ts';
import { namespaceHeader, readWord } from './headers.ts';
import { reader } from './read.ts';

export interface EventStreamOptions {
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly namespace: string;
  readonly prefix: string;
  readonly identify: (request: FastifyRequest) => Identity;
}

/** Listeners at once; each holds a connection and a buffer. */
const mostListeners = 1000;

/** A listener who is this many bytes behind is let go; it comes back and is told to look anew. */
const furthestBehind = 1024 * 1024;

/** So that proxies keep the connection, and we notice those who are gone. */
const beatMs = 15 * second;

/** What may be asked for. A type that never comes would leave its listener waiting for ever, and is refused. */
export const streamedTypes = [...eventTypes, 'changed'] as const;

const query = reader(
  z.strictObject({
    schedule: z.string().optional(),
    type: severalOf(z.enum(streamedTypes)).optional(),
  }),
);

type Params = { readonly namespace?: string };

export async function eventStream(app: FastifyInstance, options: EventStreamOptions): Promise<void> {
  const { hub, prefix } = options;
  const open = new Set<ServerResponse>();
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { namespace: named } = request.params as Params;
    const namespace = named ?? readWord(request.headers, namespaceHeader) ?? options.namespace;
    demandAccess(options.identify(request), 'viewer', namespace);
    const { schedule, type } = query.read({ ...(request.query as object) });
    const wanted: ReadonlySet<string> | undefined = type && new Set(type);
    if (hub.size >= mostListeners) throw tooMany();
    const wants = (event: LiveEvent) =>
      event.type === 'reset' ||
      (event.namespace === namespace &&
        (schedule === undefined || event.schedule === schedule) &&
        (wanted === undefined || wanted.has(event.type)));
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // The connection ends with the stream; kept alive it would hold up a server that stops.
      connection: 'close',
      'x-request-id': request.id,
    });
    raw.write('retry: 2000\n\n');
    open.add(raw);
    const lastId = request.headers['last-event-id'];
    const leave = hub.listen(
      (event) => {
        if (!wants(event)) return;
        if (raw.writableLength > furthestBehind) raw.destroy();
        else raw.write(eventText(event));
      },
      typeof lastId === 'string' ? lastId : undefined,
    );
    const stopBeating = beat(options.clock, raw);
    raw.on('close', () => {
      leave();
      stopBeating();
      open.delete(raw);
    });
  };
  app.get(`${prefix}/events`, handle);
  app.get(`${prefix}/namespaces/:namespace/events`, handle);
  // Streams never end by themselves; without this a server could not stop.
  app.addHook('preClose', async () => {
    for (const raw of open) raw.end();
    hub.close();
  });
}

export function eventText({ id, type, schedule, data }: LiveEvent): string {
  const sent = JSON.stringify(type === 'reset' ? {} : { type, schedule, ...data });
  return `id: ${id}\nevent: ${type}\ndata: ${sent}\n\n`;
}

function beat(clock: Clock, raw: ServerResponse): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = clock.wakeAt(addTime(clock.now(), beatMs), () => {
      raw.write(': beat\n\n');
      arm();
    });
  };
  arm();
  return () => cancel();
}

function tooMany(): ServiceError {
  const message = `${mostListeners} listen already; close some, or listen with filters from one place`;
  return new ServiceError({ code: 'resourceExhausted', reason: 'TOO_MANY_LISTENERS', message });
}
