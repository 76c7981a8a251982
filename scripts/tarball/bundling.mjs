// Bundles: for Node with no driver installed, then run where nothing is installed; for browsers without anything of Node.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { succeed } from './run.mjs';
import { checkResult } from './runtimes.mjs';

const forNode = ['esm', 'cjs'].map((format) => ({
  name: `a bundle by esbuild (${format}) runs on memory and SQLite with nothing installed`,
  run: async (projects) => {
    const { folder, node } = await projects.installed(24);
    const place = join(projects.folder, `bundle-${format}`);
    mkdirSync(place);
    const file = join(place, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    const { warnings } = await build({
      entryPoints: [join(folder, 'bundled.mjs')],
      outfile: file,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format,
      logLevel: 'silent',
      // Code in ES modules may ask where it is; without an answer the library looks from the working directory.
      logOverride: { 'empty-import-meta': 'silent' },
    });
    assert.deepEqual(
      warnings.map((each) => each.text),
      [],
    );
    const said = await succeed(node, [file], { cwd: place });
    checkResult(said.stdout);
    return `${(readFileSync(file).length / 1000).toFixed(0)} KB`;
  },
}));

export const bundling = [
  ...forNode,
  {
    name: 'carillon/spec, carillon/client and carillon/doctor are bundled for a browser',
    run: async (projects) => {
      const { folder } = await projects.installed(24);
      const { outputFiles, metafile, warnings } = await build({
        entryPoints: [join(folder, 'browser.mjs')],
        bundle: true,
        platform: 'browser',
        format: 'iife',
        write: false,
        minify: true,
        metafile: true,
        logLevel: 'silent',
      });
      assert.deepEqual(warnings, []);
      const imports = Object.values(metafile.inputs).flatMap((each) => each.imports.map(({ path }) => path));
      assert.deepEqual(
        imports.filter((path) => path.startsWith('node:')),
        [],
      );
      // A page has no process and no require.
      const page = createContext({ URL, TextEncoder, TextDecoder, atob, btoa, crypto: globalThis.crypto });
      runInContext(outputFiles[0].text, page);
      const times = runInContext(
        "carillonInBrowser.validateSpec({ cron: [{ text: '0 9 * * 1-5' }], zone: 'Europe/Berlin' }).ok",
        page,
      );
      assert.equal(times, true);
      const crontab = runInContext(
        "carillonInBrowser.readCrontab('0 9 * * 1-5 backup', { isSystem: false }).entries.length",
        page,
      );
      assert.equal(crontab, 1);
      return `${(outputFiles[0].text.length / 1000).toFixed(0)} KB minified`;
    },
  },
];
