/** `POST /callbacks/<token>`: the target of an HTTP action says how its run ended. The token is the proof. */

import type { Carillon } from 'carillon/internal/embed';
import type { HttpDoor } from '../door/http-door.ts';

export const callbackPath = '/callbacks';

export function callbackDoor(carillon: Carillon): HttpDoor {
  return {
    paths: [callbackPath],
    publicPaths: [`${callbackPath}/`],
    // A log with tokens would let every reader of it finish runs.
    secretPaths: [`${callbackPath}/`],
    routes: async (app) => {
      app.post(`${callbackPath}/:token`, async (request, reply) => {
        const { token } = request.params as { readonly token: string };
        // Its shape is checked where the run is finished.
        await carillon.completeCallback(token, request.body as Parameters<Carillon['completeCallback']>[1]);
        return await reply.code(204).send();
      });
    },
  };
}
