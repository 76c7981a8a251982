/**
 * `POST /api/token`: the official clients exchange a key id and a secret for a token, which they send as `X-Authorization`.
 * Here the id is the name of an API key, the secret is the key, and the token is the key again: it needs no renewal and every
 * node knows it. Without keys every token is accepted.
 */
import { ServiceError } from 'carillon/internal/base';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFields } from '../../flow/read-fields.ts';
import { readDocument } from './json-document.ts';

export const tokenPath = '/api/token';

export interface TokenOptions {
  /** The name of the key that is this secret; null when no keys are needed. Throws when there is no such key. */
  readonly keyNameOf: (secret: string, request: FastifyRequest) => string | null;
}

export function tokenRoute(app: FastifyInstance, { keyNameOf }: TokenOptions): void {
  app.post(tokenPath, async (request, reply) => {
    const { body, headers } = request;
    const given = readDocument(typeof body === 'string' ? body : '', headers['content-type']);
    const { keyId, keySecret } = isFields(given) ? given : {};
    if (typeof keyId !== 'string' || typeof keySecret !== 'string') {
      const message = 'send keyId and keySecret: the name of an API key and the key itself';
      throw ServiceError.invalid([{ path: 'keyId', reason: 'MISSING', message }]);
    }
    const name = keyNameOf(keySecret, request);
    if (name !== null && name !== keyId) {
      const message = `the key is not called '${keyId}'`;
      throw new ServiceError({ code: 'unauthenticated', reason: 'API_KEY_UNKNOWN', message });
    }
    return await reply.type('application/json').send(JSON.stringify({ token: keySecret }));
  });
}
