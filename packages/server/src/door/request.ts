/** What a request carries besides what was sent. The server sets it up; every HTTP door may rely on it. */
import type { Identity } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on public paths. */
    identity: Identity | null;
    /** What a door adds to the one line of log of a request. */
    note: Readonly<Record<string, string>>;
    /** When it came in, by the stopwatch. */
    began: number;
  }
}

export const noNote: Readonly<Record<string, string>> = Object.freeze({});
