/**
 * The web interface under `/ui/`; `/` redirects there. It serves static files only: the page gets its data from the native
 * door, with the caller's own key. Every address below `/ui/` that is not a file answers with the page itself, which reads
 * the address.
 */
import { ServiceError } from 'carillon/internal/base';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDoor } from '../http-door.ts';
import type { PageFile } from './page-files.ts';
import { builtPage, compressed, etagOf, readPageFiles } from './page-files.ts';
import { pagePolicy } from './page-policy.ts';

export interface PageOptions {
  /** The path before `/ui/` by which browsers reach the server, such as `/tools/carillon`. Default: none. */
  readonly basePath?: string;
  /** The folder of the built page. Default: the one that ships with this package. */
  readonly folder?: string;
}

/** Names of files below `assets/` carry a hash of their content. */
const forEver = 'public, max-age=31536000, immutable';

/** The placeholder in the built page for the path under which the page is served. */
const baseMark = '__CARILLON_BASE__';

/** Matches files of the build, but no addresses of a namespace that is called `assets`: those have no dot in their last part. */
const assetName = /^assets\/[^/]+\.\w+$/;

export function pageDoor(options: PageOptions = {}): HttpDoor {
  return {
    paths: ['/ui'],
    publicPaths: ['/', '/ui', '/ui/'],
    quietPaths: ['/ui/'],
    untracedPaths: ['/', '/ui', '/ui/'],
    routes: async (app) => addRoutes(app, options),
  };
}

function addRoutes(app: FastifyInstance, options: PageOptions): void {
  const basePath = options.basePath ?? '';
  const files = readPageFiles(options.folder ?? builtPage);
  const page = pageOf(files.get('index.html'), `${basePath}/ui/`);
  const policy = pagePolicy(page.plain.toString('utf8'));
  const toPage = async (_: FastifyRequest, reply: FastifyReply) => await reply.redirect(`${basePath}/ui/`);
  app.get('/', toPage);
  app.get('/ui', toPage);
  app.get('/ui/*', async (request, reply) => {
    const name = (request.params as { readonly '*': string })['*'];
    if (assetName.test(name)) return await sendAsset(request, reply, files.get(name), name);
    reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    return await sendFile(request, reply, page);
  });
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile | undefined,
  name: string,
): Promise<FastifyReply> {
  if (file === undefined) {
    // A page of an older version may request a file that a newer server no longer has; it must not cache this answer.
    reply.header('cache-control', 'no-store');
    throw new ServiceError({
      code: 'notFound',
      reason: 'NO_SUCH_FILE',
      message: `the page has no file ${name}`,
    });
  }
  reply.header('cache-control', forEver);
  return await sendFile(request, reply, file);
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): Promise<FastifyReply> {
  reply.header('etag', file.etag).header('vary', 'accept-encoding').type(file.contentType);
  if (request.headers['if-none-match'] === file.etag) return await reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (file.brotli !== undefined && /\bbr\b/.test(accepted)) {
    return await reply.header('content-encoding', 'br').send(file.brotli);
  }
  if (file.gzip !== undefined && /\bgzip\b/.test(accepted)) {
    return await reply.header('content-encoding', 'gzip').send(file.gzip);
  }
  return await reply.send(file.plain);
}

/** The page with its placeholder replaced by the path. */
function pageOf(built: PageFile | undefined, base: string): PageFile {
  const text = built === undefined ? unbuilt : built.plain.toString('utf8').replaceAll(baseMark, base);
  const plain = Buffer.from(text);
  return { contentType: 'text/html; charset=utf-8', etag: etagOf(plain), plain, ...compressed(plain) };
}

const unbuilt =
  '<!doctype html><html lang="en"><title>Carillon</title><p>The page is not built. Run <code>npm run build</code>; the API\'s reference is at <a href="../api/v1/docs">/api/v1/docs</a>.</html>';
