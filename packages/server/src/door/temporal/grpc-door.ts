/**
 * The gRPC transport: HTTP/2, framing, deadlines, admission, errors, one log line per call, and shutdown. The tables of
 * procedures say what each one does. The transport answers every method of the named services, including unsupported ones.
 *
 * A caller is admitted by its headers, before the door reads a body. Bodies arrive as bytes and are decoded here, so that
 * a body that cannot be decoded is reported as the caller's error and not as an internal one.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type {
  Metadata,
  ServerInterceptor,
  ServerUnaryCall,
  ServiceDefinition,
  StatusObject,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import grpc from '@grpc/grpc-js';
import type { Clock } from 'carillon/internal/base';
import { addTime, ServiceError } from 'carillon/internal/base';
import type { Identity } from '../access.ts';
import type { GrpcTls, Peer } from './grpc-peer.ts';
import type { Health } from './health.ts';
import { healthService } from './health.ts';
import type { Call, CallMetadata, Methods } from './method.ts';
import type { Procedure } from './procedure.ts';
import { perform, proceduresOf } from './procedure.ts';
import type { Trouble } from './status.ts';
import { troubleOf } from './status.ts';

export interface AnsweredCall {
  readonly requestId: string;
  /** `WorkflowService/DescribeSchedule` */
  readonly method: string;
  /** The numeric gRPC status. */
  readonly code: number;
  readonly ms: number;
  readonly namespace: string;
  readonly actor: string;
  /** The internal error, when the call failed with one. */
  readonly fault?: unknown;
}

export interface GrpcDoorOptions {
  readonly clock: Clock;
  /** Generates request ids. */
  readonly newId: () => string;
  /** Throws when the caller is unknown or exceeds its rate limit. */
  readonly admit: (peer: Peer) => Identity;
  /** Tables of procedures by the full name of their service. */
  readonly services: Readonly<Record<string, Methods>>;
  readonly health: Health;
  /** Called after every answer. */
  readonly answered?: (call: AnsweredCall) => void;
  /** Absent: no encryption. */
  readonly tls?: GrpcTls;
}

/** Larger than the limits on the content of a request, so that a client gets the more precise error of those. */
const largestMessage = 16 * 1024 * 1024;

/** Clients must reconnect after this time, so that they also reach nodes that joined later. */
const connectionAge = 5 * 60_000;
const connectionAgeGrace = 70_000;

/** Time for a client to receive the error of a call that the shutdown ended. */
const shutdownGraceMs = 500;

function stopping(): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'STOPPING',
    message: 'this server is stopping; try again',
  });
}

export class GrpcDoor {
  readonly #server: grpc.Server;
  readonly #options: GrpcDoorOptions;
  readonly #identities = new WeakMap<Metadata, Identity>();
  /** Functions that end the open calls with an error. */
  readonly #open = new Set<() => void>();
  #address = '';
  #stopping: Promise<void> | undefined;

  constructor(options: GrpcDoorOptions) {
    this.#options = options;
    this.#server = new grpc.Server({
      'grpc.max_receive_message_length': largestMessage,
      'grpc.max_send_message_length': -1,
      'grpc.max_connection_age_ms': connectionAge,
      'grpc.max_connection_age_grace_ms': connectionAgeGrace,
      'grpc.enable_channelz': 0,
      interceptors: [this.#admission()],
    });
    for (const [name, methods] of Object.entries(options.services)) this.#serve(name, methods);
    const health = healthService(options.health);
    this.#server.addService(health.definition, health.implementation);
  }

  /** Listens and returns the port. */
  async open(host: string, port: number): Promise<number> {
    const { tls } = this.#options;
    const name = host.includes(':') ? `[${host}]` : host;
    const credentials = tls === undefined ? grpc.ServerCredentials.createInsecure() : secure(tls);
    const bound = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`${name}:${port}`, credentials, (error, found) => {
        if (error === null) resolve(found);
        else reject(error);
      });
    });
    this.#address = `${name}:${bound}`;
    return bound;
  }

  /**
   * Accepts no more calls and answers the open ones. A call that is unanswered after `drainMs` fails with a status that tells
   * the client to retry. Safe to call twice.
   */
  stop(drainMs: number): Promise<void> {
    const { clock, health } = this.#options;
    this.#stopping ??= new Promise((resolve) => {
      health.leave();
      const cancel = clock.wakeAt(addTime(clock.now(), drainMs), () => {
        for (const abandon of this.#open) abandon();
      });
      // Before the shutdown: `drain` also closes, a little later, the connections of clients that do not react.
      if (this.#address !== '') this.#server.drain(this.#address, drainMs + shutdownGraceMs);
      this.#server.tryShutdown(() => {
        cancel();
        resolve();
      });
    });
    return this.#stopping;
  }

  #serve(name: string, methods: Methods): void {
    const definition: Record<string, ServiceDefinition[string]> = {};
    const implementation: UntypedServiceImplementation = {};
    for (const procedure of proceduresOf(name, methods)) {
      const { name: method } = procedure;
      definition[method] = {
        path: `/${name}/${method}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: asBuffer,
        requestDeserialize: asBuffer,
        responseSerialize: asBuffer,
        responseDeserialize: asBuffer,
      };
      implementation[method] = this.#handler(procedure);
    }
    this.#server.addService(definition, implementation);
  }

  #handler(procedure: Procedure) {
    const { clock, newId, answered } = this.#options;
    const label = `${procedure.service.slice(procedure.service.lastIndexOf('.') + 1)}/${procedure.name}`;
    return (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>): void => {
      const began = clock.now();
      const requestId = newId();
      const identity = this.#identities.get(call.metadata) as Identity;
      let namespace = '';
      const end = (trouble: Trouble | undefined, response: Uint8Array | null) => {
        // A call that the shutdown ended has been answered already.
        if (!this.#open.delete(abandon)) return;
        if (trouble === undefined) reply(null, response as Buffer);
        else reply(statusOf(trouble));
        const { code, cause } = trouble ?? { code: grpc.status.OK };
        const fault = cause?.code === 'internal' ? (cause.cause ?? cause) : undefined;
        answered?.({
          requestId,
          method: label,
          code,
          ms: clock.now() - began,
          namespace,
          actor: identity.actor,
          ...(fault === undefined ? {} : { fault }),
        });
      };
      const abandon = () => end(troubleOf(stopping(), requestId), null);
      this.#open.add(abandon);
      const about = (name: string) => {
        namespace = name;
      };
      perform(procedure, callOf(call, identity, began), about).then(
        (response) => end(undefined, response),
        (error: unknown) => end(troubleOf(error, requestId, namespace), null),
      );
    };
  }

  /** Admits or refuses a call when its headers have arrived. */
  #admission(): ServerInterceptor {
    const { admit, newId, answered } = this.#options;
    return (method, call) => {
      const listener = new grpc.ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, next) => {
          if (method.path.startsWith(openPath)) {
            next(metadata);
            return;
          }
          try {
            this.#identities.set(metadata, admit(peerOf(metadata, call)));
          } catch (error) {
            const requestId = newId();
            const trouble = troubleOf(error, requestId);
            call.sendStatus(statusOf(trouble));
            const { code } = trouble;
            answered?.({ requestId, method: method.path.slice(1), code, ms: 0, namespace: '', actor: '' });
            return;
          }
          next(metadata);
        })
        .build();
      return new grpc.ServerInterceptingCall(call, { start: (next) => next(listener) });
    };
  }
}

/** Health checks need no key. */
const openPath = '/grpc.health.v1.Health/';

function callOf(call: ServerUnaryCall<Buffer, Buffer>, identity: Identity, now: number): Call {
  let controller: AbortController | undefined;
  return {
    identity,
    body: call.request,
    metadata: metadataOf(call.metadata),
    remainingMs: Number(call.getDeadline()) - now,
    // Created on first use, because most calls are answered without waiting.
    get signal() {
      if (controller === undefined) {
        const made = new AbortController();
        controller = made;
        if (call.cancelled) made.abort();
        call.once('cancelled', () => made.abort());
      }
      return controller.signal;
    },
  };
}

function metadataOf(metadata: Metadata): CallMetadata {
  return { get: (name) => metadata.get(name)[0]?.toString() };
}

function peerOf(metadata: Metadata, call: Parameters<ServerInterceptor>[1]): Peer {
  const headers: IncomingHttpHeaders = {};
  for (const name of ['authorization', 'x-api-key', 'carillon-actor']) {
    const [value] = metadata.get(name);
    if (typeof value === 'string') headers[name] = value;
  }
  const { remoteAddress } = call.getConnectionInfo();
  const name = call.getAuthContext().sslPeerCertificate?.subject?.CN;
  return {
    headers,
    ip: remoteAddress ?? '',
    ...(typeof name === 'string' && name !== '' ? { certificate: name } : {}),
  };
}

function statusOf({
  code,
  message,
  details,
}: Trouble): Pick<StatusObject, 'code' | 'details'> & Partial<StatusObject> {
  if (details === undefined) return { code, details: message };
  const metadata = new grpc.Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(details));
  return { code, details: message, metadata };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes as Buffer;
}

function secure({ cert, key, clientCa }: GrpcTls): grpc.ServerCredentials {
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  return grpc.ServerCredentials.createSsl(
    clientCa === undefined ? null : Buffer.from(clientCa),
    [pair],
    clientCa !== undefined,
  );
}
