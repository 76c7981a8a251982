/** Receives callbacks: `POST <path>/<token>` with `{"result": …}` or `{"failure": {"message": …}}`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import type { CallbackOutcome } from '../runs/callback.ts';

/** The part of a Carillon that receives callbacks. */
export interface CallbackReceiver {
  completeCallback(token: string, outcome: CallbackOutcome): Promise<void>;
}

export interface CallbackHandlerOptions {
  /** The most bytes of a body. Default 1 MiB. */
  readonly limit?: number;
}

const defaultLimit = 1024 * 1024;

const statusOf: Partial<Readonly<Record<ErrorCode, number>>> = {
  invalidArgument: 400,
  unauthenticated: 401,
  failedPrecondition: 409,
  unavailable: 503,
};

/**
 * A handler for `node:http`; mount it at the path of `callbackUrl`. The last part of the path is the token. Answers
 * 204 when the run is finished, 400 for a body without a result or failure, 401 for a token that Carillon did not
 * sign, 409 for a used or expired token, 413 for a body that is too long, and 405 for any method but POST.
 */
export function callbackHandler(
  carillon: CallbackReceiver,
  { limit = defaultLimit }: CallbackHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      refuse(response, 405, { reason: 'METHOD_NOT_ALLOWED', message: 'send callbacks with POST' });
      return;
    }
    try {
      const [path = ''] = (request.url ?? '').split('?', 1);
      const token = path.slice(path.lastIndexOf('/') + 1);
      const body = await readBody(request, limit);
      if (body === undefined) {
        // The rest of the body stays unread, so the connection cannot serve another request.
        response.setHeader('connection', 'close');
        refuse(response, 413, { reason: 'TOO_LARGE', message: `the body is longer than ${limit} bytes` });
        return;
      }
      await carillon.completeCallback(token, parse(body));
      response.writeHead(204).end();
    } catch (error) {
      const { code, reason, message } = ServiceError.from(error);
      const status = statusOf[code];
      if (status === undefined) refuse(response, 500, { reason: 'INTERNAL', message: 'try again later' });
      else refuse(response, status, { reason, message });
    }
  };
}

async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): CallbackOutcome {
  try {
    // `completeCallback` checks the shape.
    return JSON.parse(text) as CallbackOutcome;
  } catch {
    throw ServiceError.invalid([{ path: '', reason: 'NOT_JSON', message: 'the body is not JSON' }]);
  }
}

function refuse(response: ServerResponse, status: number, body: { reason: string; message: string }): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
