// Builds the page into packages/server/dist/page and compresses its files, so that the server never compresses anything.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { pageShell } from './page-shell.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}packages/server/dist/page`;

await build({ configFile: `${root}ui/vite.config.ts`, logLevel: 'warn' });
writeFileSync(`${folder}/index.html`, await pageShell(folder));
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const file = `${folder}/${name}`;
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  );
}
