/** `grpc.health.v1.Health`, for load balancers and `temporal operator cluster health`. */
import type { ServerUnaryCall, ServerWritableStream, ServiceDefinition, sendUnaryData } from '@grpc/grpc-js';
import grpc from '@grpc/grpc-js';
import { decode, encode, typeNamed } from './protocol.ts';

const serving = 1;
const notServing = 2;
const serviceUnknown = 3;

interface Watcher {
  write(status: number): void;
  end(): void;
}

/** The serving status. When the server stops, it sends NOT_SERVING to all watchers and ends their streams. */
export class Health {
  readonly #names: ReadonlySet<string>;
  readonly #watchers = new Set<Watcher>();
  #leaving = false;

  /** `names` of the services that this server implements. */
  constructor(names: readonly string[]) {
    // The empty name stands for the server as a whole.
    this.#names = new Set(['', ...names]);
  }

  status(service: string): number {
    if (!this.#names.has(service)) return serviceUnknown;
    return this.#leaving ? notServing : serving;
  }

  watch(service: string, watcher: Watcher): () => void {
    watcher.write(this.status(service));
    if (this.#leaving) watcher.end();
    else this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  leave(): void {
    this.#leaving = true;
    for (const watcher of this.#watchers) {
      watcher.write(notServing);
      watcher.end();
    }
    this.#watchers.clear();
  }
}

interface Request {
  readonly service?: string;
}

export function healthService(health: Health) {
  const request = typeNamed('grpc.health.v1.HealthCheckRequest');
  const response = typeNamed('grpc.health.v1.HealthCheckResponse');
  const path = '/grpc.health.v1.Health';
  const codecs = {
    requestStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (status: number) => encode(response, { status }) as Buffer,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  const definition: ServiceDefinition = {
    Check: { ...codecs, path: `${path}/Check`, responseStream: false },
    Watch: { ...codecs, path: `${path}/Watch`, responseStream: true },
  };
  const serviceOf = (bytes: Buffer): string | undefined => {
    try {
      return decode<Request>(request, bytes).service ?? '';
    } catch {
      return undefined;
    }
  };
  const malformed = { code: grpc.status.INVALID_ARGUMENT, details: 'the request cannot be decoded' };
  return {
    definition,
    implementation: {
      Check: (call: ServerUnaryCall<Buffer, number>, reply: sendUnaryData<number>) => {
        const service = serviceOf(call.request);
        if (service === undefined) return reply(malformed);
        const status = health.status(service);
        if (status === serviceUnknown) {
          return reply({ code: grpc.status.NOT_FOUND, details: `there is no service '${service}' here` });
        }
        return reply(null, status);
      },
      Watch: (call: ServerWritableStream<Buffer, number>) => {
        const service = serviceOf(call.request);
        if (service === undefined) {
          call.destroy(Object.assign(new Error(malformed.details), malformed));
          return;
        }
        const leave = health.watch(service, {
          write: (status) => void call.write(status),
          end: () => call.end(),
        });
        call.on('cancelled', leave);
      },
    },
  };
}
