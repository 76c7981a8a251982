/** Health says that the process answers; readiness that work can be sent to it. */

import type { Services } from 'carillon/internal/service';
import type { FastifyInstance } from 'fastify';

export interface Readiness {
  /** Set when shutdown begins: load balancers look away before the port closes. */
  isDraining: boolean;
}

export async function healthRoutes(
  app: FastifyInstance,
  { services, readiness }: { readonly services: Pick<Services, 'check'>; readonly readiness: Readiness },
): Promise<void> {
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
