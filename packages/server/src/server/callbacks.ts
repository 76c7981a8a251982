/** `POST /callbacks/<token>`: the target of an HTTP action reports how its run ended. The token authenticates the report. */

import type { Carillon } from 'carillon/internal/embed';
import type { HttpDoor } from '../door/http-door.ts';

export const callbackPath = '/callbacks';

export function callbackDoor(carillon: Carillon): HttpDoor {
  return {
    paths: [callbackPath],
    publicPaths: [`${callbackPath}/`],
    // A reader of a log that contains tokens could finish runs.
    secretPaths: [`${callbackPath}/`],
    routes: async (app) => {
      app.post(`${callbackPath}/:token`, async (request, reply) => {
        const { token } = request.params as { readonly token: string };
        // `completeCallback` checks the shape of the body.
        await carillon.completeCallback(token, request.body as Parameters<Carillon['completeCallback']>[1]);
        return await reply.code(204).send();
      });
    },
  };
}
