/** The Temporal door of a server: its addresses, admission of callers, and a log line per call. */

import type { Clock } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import type { FastifyBaseLogger } from 'fastify';
import type { Identity, Role } from '../door/access.ts';
import type { ClusterTargets } from '../door/temporal/cluster-target.ts';
import type { AnsweredCall } from '../door/temporal/grpc-door.ts';
import type { GrpcTls, Peer } from '../door/temporal/grpc-peer.ts';
import type { IncomingCall } from './admission.ts';
import { demandSafeBind, freePort, isFree, isLoopback, portBusy, portsFrom } from './bind.ts';
import type { ApiKey } from './keys.ts';
import type { OpenTemporalHttp } from './temporal-http.ts';
import { openTemporalHttp } from './temporal-http.ts';

export type { GrpcTls };

export interface GrpcOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 7233; 0 lets the system choose. */
  readonly port?: number;
  /** The port of Temporal's HTTP API, usually 7243; 0 lets the system choose. Default: closed. */
  readonly httpPort?: number;
  /** What to do when a port is taken. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** Default: the TLS settings of HTTP. */
  readonly tls?: GrpcTls;
  /** The role of clients with a certificate when there are no keys. Default `admin`. */
  readonly clientCertRole?: Role;
  /** Namespaces whose workflows are started on a Temporal cluster, and not here. */
  readonly namespaces?: ClusterTargets;
}

export interface OpenGrpc {
  readonly host: string;
  readonly port: number;
  /** `127.0.0.1:7233`, the form that Temporal clients expect. */
  readonly address: string;
  /** Temporal's HTTP API; null when it is closed. */
  readonly http: Pick<OpenTemporalHttp, 'port' | 'url'> | null;
  stop(drainMs: number): Promise<void>;
}

export interface GrpcParts {
  readonly services: Services;
  readonly newRequestId: () => string;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly keys: readonly ApiKey[];
  readonly admit: (incoming: IncomingCall) => Identity;
  /** Called after every answer with the name of its status and its duration. */
  readonly answered?: (status: string, milliseconds: number) => void;
  /** Called after every answer of the HTTP API. */
  readonly httpAnswered?: (status: number, milliseconds: number) => void;
}

/** gRPC statuses by number. */
const statusNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

export const defaultGrpcHost = '127.0.0.1';
const defaultPort = 7233;

/** Required client certificates count as keys. */
export function demandSafeGrpc({ host = defaultGrpcHost, tls }: GrpcOptions, keys: readonly ApiKey[]): void {
  demandSafeBind(host, keys.length > 0 || tls?.clientCa !== undefined);
}

export async function openGrpc(options: GrpcOptions, parts: GrpcParts): Promise<OpenGrpc> {
  const {
    host = defaultGrpcHost,
    port: wanted = defaultPort,
    whenBusy = 'fail',
    tls,
    clientCertRole,
  } = options;
  const certified = tls?.clientCa === undefined ? undefined : (clientCertRole ?? 'admin');
  const { clock, newRequestId, log } = parts;
  // Imported here, because the message types load slowly and not every server has this door.
  const { temporalDoor, temporalHttpDoor, temporalProcedures } = await import(
    '../door/temporal/temporal-door.ts'
  );
  const procedures = temporalProcedures(parts.services, options.namespaces);
  const admit = (peer: Peer) => identityOf(peer, parts, certified);
  const answered = (call: AnsweredCall) => {
    const status = statusNames[call.code] ?? String(call.code);
    parts.answered?.(status, call.ms);
    logCall(log, call, status);
  };
  // A gRPC server that failed to bind cannot be bound again, so each attempt creates a new one.
  const open = async (port: number) => {
    const door = temporalDoor(procedures, {
      clock,
      newId: newRequestId,
      admit,
      answered,
      ...given({ tls }),
    });
    return { door, port: await door.open(host, port) };
  };
  const { door, port } = await firstFree(host, whenBusy === 'next' ? portsFrom(wanted) : [wanted], open);
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (options.httpPort === undefined) {
    return { host, port, address, http: null, stop: async (drainMs) => await door.stop(drainMs) };
  }
  const http = await openTemporalHttp({
    host,
    port: whenBusy === 'next' ? await freePort(host, options.httpPort) : options.httpPort,
    door: (identify) => temporalHttpDoor(procedures, { identify }),
    admit,
    isLocal: isLoopback(host) && parts.keys.length === 0,
    clock,
    log,
    newId: newRequestId,
    ...given({ tls, answered: parts.httpAnswered }),
  }).catch(async (error: unknown) => {
    await door.stop(0);
    throw error;
  });
  const stop = async (drainMs: number) => {
    await Promise.all([door.stop(drainMs), http.stop(drainMs)]);
  };
  return { host, port, address, http, stop };
}

/** Opens the first of the ports that is free. */
async function firstFree<T>(
  host: string,
  ports: readonly number[],
  open: (port: number) => Promise<T>,
): Promise<T> {
  for (const port of ports) {
    // Checked first, because the library logs an error for a busy port. Another process may still take the port in between.
    if (!(await isFree(host, port))) continue;
    try {
      return await open(port);
    } catch (error) {
      if (!/EADDRINUSE|EACCES/.test(String((error as Error).message))) throw error;
    }
  }
  throw portBusy(ports[0] ?? 0);
}

/** A caller without a key but with a certificate gets the certificate's name and the configured role. */
function identityOf(
  { headers, ip, certificate }: Peer,
  { admit, keys }: GrpcParts,
  certified: Role | undefined,
): Identity {
  const identity = admit({ headers, ip });
  if (keys.length > 0 || certified === undefined) return identity;
  return { ...identity, role: certified, actor: certificate ?? identity.actor };
}

function logCall(log: FastifyBaseLogger, { fault, code: _, ...call }: AnsweredCall, status: string): void {
  const { requestId, method } = call;
  if (fault !== undefined)
    log.error({ err: fault, requestId, method }, 'a call failed with an internal error');
  // Every connection begins with this call, so it is logged at level debug.
  if (method === 'WorkflowService/GetSystemInfo') log.debug({ ...call, status }, 'call');
  else log.info({ ...call, status }, 'call');
}
