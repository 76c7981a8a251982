/**
 * A door on the HTTP port, as the server sees it: routes, the paths that are its own, and what it sends when something goes
 * wrong there. The server knows nothing of a door's bodies, so that doors which imitate other systems can stand side by
 * side on one port.
 */
import type { ServiceError } from 'carillon/internal/base';
import type { FastifyInstance } from 'fastify';

/** What is known of a request that was refused, whether or not a route took it. */
export interface RefusedRequest {
  readonly id: string;
  readonly method: string;
  /** As it may be shown: without the query, and without what its door keeps secret. */
  readonly path: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
}

/** What a door sends when something goes wrong. */
export interface HttpErrors {
  error(trouble: ServiceError, request: RefusedRequest): HttpAnswer;
  /** For a path of the door that no route takes. */
  notFound(request: RefusedRequest): HttpAnswer;
}

export interface HttpDoor {
  /**
   * Its paths: each stands for itself and for everything below it. Of two doors, the one with the longer path has a
   * request. Errors before routing (no key, too many requests) are answered by the door of the path, too.
   */
  readonly paths: readonly string[];
  /** Paths that need no key. One that ends with a slash stands for everything below it. */
  readonly publicPaths?: readonly string[];
  /** Paths that machines ask for every few seconds: logged at level debug. */
  readonly quietPaths?: readonly string[];
  /** Paths that get no span. */
  readonly untracedPaths?: readonly string[];
  /** Paths below which the rest is a secret that no log may show; each ends with a slash. */
  readonly secretPaths?: readonly string[];
  /** Absent: those of the server's main door. */
  readonly errors?: HttpErrors;
  /** Adds its routes, in a scope of its own. */
  routes(app: FastifyInstance): Promise<void>;
}
