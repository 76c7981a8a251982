/** `POST /callbacks/<token>`: whoever was handed a run over HTTP says how it ended. The token is the proof. */

import type { Carillon } from 'carillon/internal/embed';
import type { FastifyInstance } from 'fastify';

export const callbackPath = '/callbacks';

export async function callbackRoute(app: FastifyInstance, carillon: Carillon): Promise<void> {
  app.post(`${callbackPath}/:token`, async (request, reply) => {
    const { token } = request.params as { readonly token: string };
    // Its shape is checked by whoever completes the callback.
    await carillon.completeCallback(token, request.body as Parameters<Carillon['completeCallback']>[1]);
    return await reply.code(204).send();
  });
}
