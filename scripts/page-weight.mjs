// What each screen of the built page loads first, gzipped: its files, and what they come to.
//   node scripts/page-weight.mjs             a table by screen and file
//   node scripts/page-weight.mjs --modules   what each file consists of, by package and module
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { screenFiles } from './page-shell.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const builtPage = `${root}packages/server/dist/page`;

const zipped = (file) => gzipSync(readFileSync(`${builtPage}/${file}`), { level: 9 }).length;

/** By screen: the bytes of the page itself (with styles and the first script), of the script of every screen, and of its own files. */
export function screenWeights() {
  const manifest = JSON.parse(readFileSync(`${builtPage}/manifest.json`, 'utf8'));
  const shared = ['index.html', manifest['index.html'].file].map((file) => ({ file, bytes: zipped(file) }));
  return screenFiles(manifest).map(([screen, files]) => {
    const loaded = [...shared, ...files.map((file) => ({ file, bytes: zipped(file) }))];
    return { screen, files: loaded, bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

const kb = (bytes) => (bytes / 1024).toFixed(1);

/** Modules are weighed apart, minified, so their sum is more than the file that holds them. */
async function modules() {
  const [{ build }, { minifySync }] = await Promise.all([import('vite'), import('rolldown/utils')]);
  const { output } = await build({
    configFile: `${root}ui/vite.config.ts`,
    logLevel: 'warn',
    build: { write: false },
  });
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    const groups = new Map();
    for (const [id, { code }] of Object.entries(chunk.modules)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id.replace(root, '');
      groups.set(name, (groups.get(name) ?? '') + (code ?? ''));
    }
    console.log(`${chunk.fileName}: ${kb(gzipSync(chunk.code, { level: 9 }).length)} KB`);
    const weighed = [...groups].map(([name, code]) => [
      gzipSync(minifySync('part.js', code).code).length,
      name,
    ]);
    for (const [bytes, name] of weighed.sort(([a], [b]) => b - a))
      console.log(`${kb(bytes).padStart(8)} ${name}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--modules')) await modules();
  else {
    for (const { screen, files, bytes } of screenWeights()) {
      console.log(`${kb(bytes).padStart(6)} KB  /${screen}`);
      for (const each of files) console.log(`${kb(each.bytes).padStart(15)}  ${each.file}`);
    }
  }
}
