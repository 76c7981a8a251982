/** A server: starts a Carillon, listens with its doors, and drains when it stops. */
import { given } from 'carillon/internal/base';
import type { FastifyInstance } from 'fastify';
import type { Tls } from './app.ts';
import { listen } from './app.ts';
import type { DoorOptions } from './assembly.ts';
import { assemble } from './assembly.ts';
import { demandSafeBind, freePort, isLoopback } from './bind.ts';
import type { GrpcOptions, OpenGrpc } from './grpc.ts';
import { demandSafeGrpc, openGrpc } from './grpc.ts';

/** The options of `startServer`. */
export interface ServerOptions extends DoorOptions {
  /** Default 127.0.0.1. Without keys, only loopback is allowed. */
  readonly host?: string;
  /** Default 8080; 0 lets the system choose. */
  readonly port?: number;
  /** What to do when the port is taken. Default `fail`. */
  readonly whenBusy?: 'fail' | 'next';
  /** Certificate and key as PEM texts. Default: plain HTTP. */
  readonly tls?: Tls;
  /** The Temporal door, on its own port. Default: closed. */
  readonly grpc?: GrpcOptions | false;
  /** The `Carillon-Command-Token` that a caller must send to have commands run when there are no keys. Default: no token. */
  readonly commandToken?: string;
}

export interface Server extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  readonly app: FastifyInstance;
  /** The addresses for Temporal clients; null when the Temporal door is closed. */
  readonly grpc: Pick<OpenGrpc, 'host' | 'port' | 'address' | 'http'> | null;
  /** Resolves with the reason when the store is lost for good. The server answers 503 then; end the process. */
  readonly lost: Promise<Error>;
  /** Accepts no more requests, answers the open ones, lets handlers finish and closes the store. Safe to call twice. */
  stop(): Promise<void>;
}

const defaultPort = 8080;

/** Starts the Carillon and listens with its doors. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { host = '127.0.0.1', port: wanted = defaultPort, keys = [], tls, commandToken } = options;
  demandSafeBind(host, keys.length > 0);
  const grpcOptions = grpcOf(options);
  if (grpcOptions !== undefined) demandSafeGrpc(grpcOptions, keys);
  const assembly = await assemble(options, {
    basePath: '',
    // With keys a foreign host name is harmless, and a proxy in front of the server may use one.
    isLocal: isLoopback(host) && keys.length === 0,
    ...given({ tls, commandToken }),
  });
  const { app, lost, services, clock, newRequestId, log, tally } = assembly;
  let address: { readonly port: number; readonly url: string };
  let grpc: OpenGrpc | undefined;
  const stop = () => assembly.stop((drainMs) => grpc?.stop(drainMs));
  try {
    await assembly.start();
    const port = options.whenBusy === 'next' ? await freePort(host, wanted) : wanted;
    address = await listen(app, { host, port, isSecure: tls !== undefined });
    if (grpcOptions !== undefined) {
      grpc = await openGrpc(grpcOptions, {
        services,
        clock,
        newRequestId,
        log,
        keys,
        admit: assembly.admitByKey,
        answered: (status, ms) => tally.call(status, ms),
        httpAnswered: (status, ms) => tally.request(status, ms),
      });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, ...address, app, grpc: grpc ?? null, lost, stop, [Symbol.asyncDispose]: stop };
}

function grpcOf({ grpc, tls }: ServerOptions): GrpcOptions | undefined {
  if (grpc === undefined || grpc === false) return undefined;
  return tls === undefined ? grpc : { tls, ...grpc };
}
