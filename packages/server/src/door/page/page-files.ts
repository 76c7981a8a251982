/** The built files of the page: read once, with the compressed copies that the build wrote beside them. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { given } from 'carillon/internal/base';

/** One file in the forms a browser may accept. */
export interface PageFile {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

/** The folder of the build. It is found from `package.json`, because sources and built code are at different depths. */
export const builtPage = join(
  dirname(createRequire(import.meta.url).resolve('@carillon/server/package.json')),
  'dist/page/',
);

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** The files by their path below the folder, with slashes. Empty when the page was not built. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (!existsSync(folder)) return files;
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(slashed));
  for (const name of names) {
    const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)];
    if (contentType === undefined) continue;
    const plain = readFileSync(`${folder}/${name}`);
    const besides = (ending: string) =>
      names.has(`${name}.${ending}`) ? readFileSync(`${folder}/${name}.${ending}`) : undefined;
    const gzip = besides('gz');
    const brotli = besides('br');
    files.set(name, {
      contentType,
      etag: etagOf(plain),
      plain,
      ...given({ gzip, brotli }),
    });
  }
  return files;
}

/** The compressed forms of the page itself, which is made when the server starts because only the server knows its path. */
export function compressed(plain: Buffer): Pick<PageFile, 'gzip' | 'brotli'> {
  return { gzip: gzipSync(plain, { level: 9 }), brotli: brotliCompressSync(plain) };
}

export function etagOf(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

function slashed(path: string): string {
  return path.split('\\').join('/');
}
