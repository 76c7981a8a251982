// Install size, number of packages, engines, and what the tarballs hold.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packagesIn, sizeOf } from './run.mjs';

const megabyte = 1_000_000;
const mostBytes = 15 * megabyte;
const mostPackages = 10;
const both = ['carillon', '@carillon/server'];

async function measured(projects, major, packages) {
  const { folder, warnings } = await projects.installed(major, packages);
  assert.deepEqual(warnings, [], 'npm warned');
  const modules = join(folder, 'node_modules');
  return { modules, bytes: sizeOf(modules), packages: packagesIn(modules) };
}

const text = ({ bytes, packages }) => `${(bytes / megabyte).toFixed(1)} MB, ${packages} packages`;

/** Links to files, without those in code. */
function linksOf(page) {
  const prose = page.replace(/```[\s\S]*?\n```/g, '');
  const links = [...prose.matchAll(/(?<![\w\]])\[[^\]]*\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link);
  return links.filter((link) => !/^https?:/.test(link));
}

export const sizes = [
  {
    name: 'carillon alone is small on Node 24, and installs without a warning',
    run: async (projects) => {
      const found = await measured(projects, 24, ['carillon']);
      assert.ok(found.bytes <= mostBytes, `${found.bytes} bytes, at most ${mostBytes}`);
      assert.ok(found.packages <= mostPackages, `${found.packages} packages, at most ${mostPackages}`);
      assert.ok(!existsSync(join(found.modules, '@carillon/sqlite-node20')), 'Node 24 has SQLite itself');
      return text(found);
    },
  },
  {
    name: 'carillon alone installs on Node 20 without a warning, with its SQLite driver',
    run: async (projects) => {
      const found = await measured(projects, 20, ['carillon']);
      assert.ok(existsSync(join(found.modules, '@carillon/sqlite-node20')), 'Node 20 needs the driver');
      return text(found);
    },
  },
  ...[20, 22, 24, 26].map((major) => ({
    name: `both packages install on Node ${major} without a warning`,
    run: async (projects) => text(await measured(projects, major, both)),
  })),
  {
    name: 'the tarballs hold what is published and nothing else',
    run: async ({ tarballs }) => {
      for (const [name, { files, manifest }] of Object.entries(tarballs)) {
        const names = files.map(({ path }) => path);
        for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
          assert.equal(manifest.scripts?.[script], undefined, `${name} runs ${script} at the user's`);
        assert.ok(
          !names.some((path) => /\.test\.|(^|\/)src\/|tsbuildinfo/.test(path)),
          `${name} ships sources`,
        );
      }
      const library = tarballs.carillon.files.map(({ path }) => path);
      assert.deepEqual(
        library.filter((path) => path.endsWith('.map')),
        [],
        'the library ships no source maps',
      );
      assert.ok(
        library.includes('bin/carillon.js') && library.includes('LICENSE') && library.includes('README.md'),
      );
      assert.ok(library.includes('docs/guides/first-five-minutes.md'), 'the library carries its docs');
    },
  },
  {
    name: 'every link of the pages in the packages leads to a file of the package',
    run: async (projects) => {
      const { folder } = await projects.installed(24, both);
      for (const name of both) {
        const root = join(folder, 'node_modules', name);
        const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
          (path) => path.endsWith('.md') && !path.startsWith('dist'),
        );
        const lost = pages.flatMap((page) =>
          linksOf(readFileSync(join(root, page), 'utf8'))
            .filter((link) => !existsSync(join(root, dirname(page), link)))
            .map((link) => `${name}/${page}: ${link}`),
        );
        assert.deepEqual(lost, []);
        assert.ok(pages.includes('README.md'));
        assert.doesNotMatch(readFileSync(join(root, 'README.md'), 'utf8'), /npm ci/);
      }
    },
  },
];
