/** The gRPC door of a server: where it listens, who may come in, and what the log says of each call. */

import type { Clock } from 'carillon/internal/base';
import type { FastifyBaseLogger } from 'fastify';
import type { Identity, Role } from '../door/access.ts';
import type { AnsweredCall, Caller, GrpcTls } from '../door/temporal/grpc-door.ts';
import type { TemporalDoorOptions } from '../door/temporal/temporal-door.ts';
import type { Knocking } from './admission.ts';
import { demandSafeBind, isFree, portBusy, portsFrom } from './bind.ts';
import type { ApiKey } from './keys.ts';

export type { GrpcTls };

export interface GrpcOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 7233; 0: any that is free. */
  readonly port?: number;
  /** What to do when the port is taken. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** Default: that of HTTP. */
  readonly tls?: GrpcTls;
  /** What holders of a client certificate may do when there are no keys. Default `admin`. */
  readonly clientCertRole?: Role;
}

export interface OpenGrpc {
  readonly host: string;
  readonly port: number;
  /** `127.0.0.1:7233`, as Temporal clients want it. */
  readonly address: string;
  stop(drainMs: number): Promise<void>;
}

export interface GrpcParts extends Pick<TemporalDoorOptions, 'services' | 'newRequestId'> {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly keys: readonly ApiKey[];
  readonly admit: (knocking: Knocking) => Identity;
  /** Told of every answer: the name of its status, and how long it took. */
  readonly answered?: (status: string, milliseconds: number) => void;
}

/** By number, as gRPC counts them. */
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

/** Client certificates are keys too. */
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
  const { services, clock, newRequestId, log } = parts;
  // Loaded here: the message types take a while, and not every server has this door.
  const { temporalDoor } = await import('../door/temporal/temporal-door.ts');
  const answered = (call: AnsweredCall) => {
    const status = statusNames[call.code] ?? String(call.code);
    parts.answered?.(status, call.ms);
    logCall(log, call, status);
  };
  // A server that failed to bind cannot be bound again, so each port gets one of its own.
  const open = async (port: number): Promise<OpenGrpc> => {
    const door = temporalDoor({
      services,
      clock,
      newRequestId,
      admit: (caller) => identityOf(caller, parts, certified),
      answered,
      ...(tls === undefined ? {} : { tls }),
    });
    const bound = await door.open(host, port);
    const address = `${host.includes(':') ? `[${host}]` : host}:${bound}`;
    return { host, port: bound, address, stop: (drainMs) => door.stop(drainMs) };
  };
  for (const port of whenBusy === 'next' ? portsFrom(wanted) : [wanted]) {
    // Asked first, because the library complains aloud about a port it cannot have; another process may still be faster.
    if (!(await isFree(host, port))) continue;
    try {
      return await open(port);
    } catch (error) {
      if (!/EADDRINUSE|EACCES/.test(String((error as Error).message))) throw error;
    }
  }
  throw portBusy(wanted);
}

/** Who needs no key but had to show a certificate is known by the name in it, and has the role of such. */
function identityOf(
  { headers, ip, certificate }: Caller,
  { admit, keys }: GrpcParts,
  certified: Role | undefined,
): Identity {
  const identity = admit({ headers, ip });
  if (keys.length > 0 || certified === undefined) return identity;
  return { ...identity, role: certified, actor: certificate ?? identity.actor };
}

function logCall(log: FastifyBaseLogger, { fault, code: _, ...call }: AnsweredCall, status: string): void {
  const { requestId, method } = call;
  if (fault !== undefined) log.error({ err: fault, requestId, method }, 'a call failed here');
  // Every connection begins with it, so that it says nothing.
  if (method === 'WorkflowService/GetSystemInfo') log.debug({ ...call, status }, 'call');
  else log.info({ ...call, status }, 'call');
}
