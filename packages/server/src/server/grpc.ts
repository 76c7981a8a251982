/** The gRPC door of a server: its address, admission of callers, and a log line per call. */

import type { Clock } from 'carillon/internal/base';
import type { FastifyBaseLogger } from 'fastify';
import type { Identity, Role } from '../door/access.ts';
import type { AnsweredCall, Caller, GrpcTls } from '../door/temporal/grpc-door.ts';
import type { TemporalDoorOptions } from '../door/temporal/temporal-door.ts';
import type { IncomingCall } from './admission.ts';
import { demandSafeBind, isFree, portBusy, portsFrom } from './bind.ts';
import type { ApiKey } from './keys.ts';

export type { GrpcTls };

export interface GrpcOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 7233; 0 lets the system choose. */
  readonly port?: number;
  /** What to do when the port is taken. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** Default: the TLS settings of HTTP. */
  readonly tls?: GrpcTls;
  /** The role of clients with a certificate when there are no keys. Default `admin`. */
  readonly clientCertRole?: Role;
}

export interface OpenGrpc {
  readonly host: string;
  readonly port: number;
  /** `127.0.0.1:7233`, the form that Temporal clients expect. */
  readonly address: string;
  stop(drainMs: number): Promise<void>;
}

export interface GrpcParts extends Pick<TemporalDoorOptions, 'services' | 'newRequestId'> {
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly keys: readonly ApiKey[];
  readonly admit: (incoming: IncomingCall) => Identity;
  /** Called after every answer with the name of its status and its duration. */
  readonly answered?: (status: string, milliseconds: number) => void;
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
  const { services, clock, newRequestId, log } = parts;
  // Imported here, because the message types load slowly and not every server has this door.
  const { temporalDoor } = await import('../door/temporal/temporal-door.ts');
  const answered = (call: AnsweredCall) => {
    const status = statusNames[call.code] ?? String(call.code);
    parts.answered?.(status, call.ms);
    logCall(log, call, status);
  };
  // A gRPC server that failed to bind cannot be bound again, so each attempt creates a new one.
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
    // Checked first, because the library logs an error for a busy port. Another process may still take the port in between.
    if (!(await isFree(host, port))) continue;
    try {
      return await open(port);
    } catch (error) {
      if (!/EADDRINUSE|EACCES/.test(String((error as Error).message))) throw error;
    }
  }
  throw portBusy(wanted);
}

/** A caller without a key but with a certificate gets the certificate's name and the configured role. */
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
  // Every connection begins with this call, so it is logged at level debug.
  if (method === 'WorkflowService/GetSystemInfo') log.debug({ ...call, status }, 'call');
  else log.info({ ...call, status }, 'call');
}
