/** Health means that the process answers; readiness means that it accepts work. */

import type { Services } from 'carillon/internal/service';
import type { FastifyInstance } from 'fastify';
import type { HttpDoor } from '../door/http-door.ts';

export interface Readiness {
  /** Set when shutdown begins, so that load balancers stop sending requests before the port closes. */
  isDraining: boolean;
}

export interface HealthOptions {
  readonly services: Pick<Services, 'check'>;
  readonly readiness: Readiness;
}

const paths = ['/healthz', '/readyz'];

export function healthDoor(options: HealthOptions): HttpDoor {
  return {
    paths,
    publicPaths: paths,
    quietPaths: paths,
    untracedPaths: paths,
    routes: async (app) => addRoutes(app, options),
  };
}

function addRoutes(app: FastifyInstance, { services, readiness }: HealthOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (readiness.isDraining) return await reply.code(503).send({ status: 'draining' });
    try {
      await services.check();
      return { status: 'ready' };
    } catch {
      return await reply.code(503).send({ status: 'store unavailable' });
    }
  });
}
