// Makes the built page paint before its script is there: the styles and a small first script go into the page itself, and so does
// the frame, drawn by the page's own components. The server allows both by their hashes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The page with everything for the first paint inside of it. */
export async function pageShell(folder) {
  const html = readFileSync(`${folder}/index.html`, 'utf8');
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'));
  const entry = manifest['index.html'];
  const style = readFileSync(`${folder}/${entry.css[0]}`, 'utf8').trim();
  const first = await firstScript(entry.file, screenFiles(manifest));
  return [
    [
      /<script type="module"[^>]*><\/script>/,
      `<link rel="modulepreload" crossorigin href="./${entry.file}">`,
    ],
    // The link that is switched off keeps parts that load later from asking for the same styles as a file.
    [
      /<link rel="stylesheet"[^>]*>/,
      `<style>${style}</style>\n    <link rel="stylesheet" href="./${entry.css[0]}" disabled>`,
    ],
    [/<div id="root"><\/div>/, `<div id="root">${await frame()}</div>\n    <script>${first}</script>`],
  ].reduce((text, [mark, with_]) => {
    if (!mark.test(text)) throw new Error(`the built page has no ${mark}`);
    return text.replace(mark, () => with_);
  }, html);
}

/** The files that each screen needs beside those of every screen, by the screen's path. */
export function screenFiles(manifest) {
  const source = readFileSync(`${root}ui/src/app/screens.ts`, 'utf8');
  const screens = [
    ...source.matchAll(/creen\('([^']*)', async \(\) => \(await import\('\.\.\/([^']+)'\)\)/g),
  ];
  return screens.map(([, path, file]) => {
    const found = new Set();
    collect(manifest, `src/${file}`, found);
    return [path, [...found]];
  });
}

function collect(manifest, key, found) {
  const { file, imports = [], css = [], isEntry = false } = manifest[key];
  if (isEntry || found.has(file)) return;
  for (const each of [file, ...css]) found.add(each);
  for (const each of imports) collect(manifest, each, found);
}

async function firstScript(entryFile, files) {
  const text = await bundled('first.ts', {
    format: 'iife',
    minify: true,
    define: { entryFile: JSON.stringify(entryFile), screenFiles: JSON.stringify(files) },
  });
  return text.trim();
}

/** Styles in attributes would need a weaker policy, so the frame has none. */
async function frame() {
  const code = await bundled('Frame.tsx', { format: 'cjs', platform: 'node', packages: 'external' });
  const module = { exports: {} };
  new Function('module', 'require', code)(module, createRequire(import.meta.url));
  return renderToStaticMarkup(createElement(module.exports.Frame));
}

async function bundled(name, options) {
  const { outputFiles } = await build({
    entryPoints: [`${root}ui/src/first/${name}`],
    bundle: true,
    write: false,
    jsx: 'automatic',
    target: 'es2022',
    logLevel: 'warning',
    ...options,
  });
  return outputFiles[0].text;
}
