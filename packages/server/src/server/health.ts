/** Health says that the process answers; readiness that work can be sent to it. */

import type { Store } from 'carillon/internal/store';
import type { FastifyInstance } from 'fastify';

export interface Readiness {
  /** Set when shutdown begins: load balancers look away before the port closes. */
  isDraining: boolean;
}

export async function healthRoutes(
  app: FastifyInstance,
  { store, readiness }: { readonly store: Store; readonly readiness: Readiness },
): Promise<void> {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (readiness.isDraining) return await reply.code(503).send({ status: 'draining' });
    try {
      await store.wakeTimes({});
      return { status: 'ready' };
    } catch {
      return await reply.code(503).send({ status: 'store unavailable' });
    }
  });
}
