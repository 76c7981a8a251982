/** An answer as JSON, compressed when it is long and the caller can read it so: a list of schedules becomes a sixth. */
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** In characters. A shorter answer fits into few packets anyway. */
const leastToCompress = 4096;

/** A low level: most of the gain for a third of the time. */
const options: ZlibOptions = { level: 3 };

/** On a thread of its own, so that the scheduler does not wait for it. */
const compress = promisify<string, ZlibOptions, Buffer>(gzip);

export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<FastifyReply> {
  const text = JSON.stringify(body);
  reply.type('application/json; charset=utf-8');
  // Only what is read: answers to changes are short, or hold a secret that must not be guessed from a length.
  if (request.method !== 'GET' || text.length < leastToCompress) return await reply.send(text);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return await reply.send(text);
  return await reply.header('content-encoding', 'gzip').send(await compress(text, options));
}

/** `gzip;q=0` refuses it. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((each) => /^\s*gzip\s*(;\s*q=(0\.0*[1-9]\d*|1(\.0*)?))?\s*$/i.test(each));
}
