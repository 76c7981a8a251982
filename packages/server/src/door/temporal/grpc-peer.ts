/** The connections of the gRPC door: how they are encrypted, and who is at their other end. It names no type of a gRPC library. */
import type { IncomingHttpHeaders } from 'node:http';

/** PEM texts. With `clientCa`, only clients with a certificate it signed may connect. */
export interface GrpcTls {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string;
}

/** The other end of a connection: what the server knows about it before it admits the call. */
export interface Peer {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  /** The name in the client's certificate, when the server requires certificates. */
  readonly certificate?: string;
}
