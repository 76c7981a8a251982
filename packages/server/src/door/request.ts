/** The fields that the server adds to every request; HTTP doors may rely on them. */
import type { Identity } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null on public paths. */
    identity: Identity | null;
    /** Fields that a door adds to the request's log line. */
    note: Readonly<Record<string, string>>;
    /** Monotonic time at which the request arrived. */
    began: number;
  }
}

export const noNote: Readonly<Record<string, string>> = Object.freeze({});
