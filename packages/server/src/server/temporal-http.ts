/** Temporal's HTTP API on its own port: its paths are also those of the server's own API. */
import { TLSSocket } from 'node:tls';
import type { Clock } from 'carillon/internal/base';
import { assert, given } from 'carillon/internal/base';
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../door/access.ts';
import type { HttpDoor } from '../door/http-door.ts';
import type { Peer } from '../door/temporal/grpc-peer.ts';
import type { AppOptions, Tls } from './app.ts';
import { buildApp, listen } from './app.ts';
import { Traffic } from './traffic.ts';

export interface TemporalHttpOptions extends Pick<AppOptions, 'log' | 'newId' | 'isLocal' | 'answered'> {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly door: (
    identify: (request: FastifyRequest) => Identity,
  ) => Required<Pick<HttpDoor, 'errors'>> & HttpDoor;
  readonly admit: (peer: Peer) => Identity;
  readonly tls?: Tls;
}

export interface OpenTemporalHttp {
  readonly port: number;
  /** `http://127.0.0.1:7243` */
  readonly url: string;
  stop(drainMs: number): Promise<void>;
}

export async function openTemporalHttp(options: TemporalHttpOptions): Promise<OpenTemporalHttp> {
  const { host, port: wanted, clock, log, newId, isLocal, answered, tls } = options;
  const door = options.door((request) => {
    assert(request.identity !== null, 'every request to this door was admitted');
    return request.identity;
  });
  const traffic = new Traffic();
  const app = await buildApp({
    log,
    newId,
    isLocal,
    traffic,
    admit: (request) => options.admit(peerOf(request)),
    doors: [door],
    errors: door.errors,
    ...given({ tls, answered }),
  });
  const { port, url } = await listen(app, { host, port: wanted, isSecure: tls !== undefined });
  const stop = async (drainMs: number) => {
    const closing = app.close();
    await traffic.settled(clock, drainMs);
    app.server.closeAllConnections();
    await closing;
  };
  return { port, url, stop };
}

function peerOf({ headers, ip, socket }: FastifyRequest): Peer {
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
  return { headers, ip, ...(typeof name === 'string' && name !== '' ? { certificate: name } : {}) };
}
