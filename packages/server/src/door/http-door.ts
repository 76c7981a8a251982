/**
 * A door on the HTTP port, as the server sees it: its paths, its routes, and its answers to errors. The server does not
 * know the bodies of a door, so that doors which imitate other systems can share one port.
 */
import type { ServiceError } from 'carillon/internal/base';
import type { FastifyInstance } from 'fastify';

/** What the server knows about a refused request, whether or not a route matched it. */
export interface RefusedRequest {
  readonly id: string;
  readonly method: string;
  /** The path without the query and without the part that its door declares secret. */
  readonly path: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
}

/** The error answers of a door. */
export interface HttpErrors {
  error(trouble: ServiceError, request: RefusedRequest): HttpAnswer;
  /** The answer for a path of the door that matches no route. */
  notFound(request: RefusedRequest): HttpAnswer;
}

export interface HttpDoor {
  /**
   * The door's paths. Each covers itself and everything below it; when two doors match, the longer path wins. The door of
   * a path also answers errors before routing (no key, too many requests).
   */
  readonly paths: readonly string[];
  /** Paths that need no key. A path that ends with a slash covers everything below it. */
  readonly publicPaths?: readonly string[];
  /** Paths that machines poll every few seconds. The server logs them at level debug. */
  readonly quietPaths?: readonly string[];
  /** Paths whose requests get no span. */
  readonly untracedPaths?: readonly string[];
  /** Prefixes, each ending with a slash, after which the path is a secret that no log may show. */
  readonly secretPaths?: readonly string[];
  /** Default: the error answers of the server's main door. */
  readonly errors?: HttpErrors;
  /** Adds the door's routes, in their own Fastify scope. */
  routes(app: FastifyInstance): Promise<void>;
}
