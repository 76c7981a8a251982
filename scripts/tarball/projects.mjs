// Packs the three packages and makes blank projects that install them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRegistry } from './registry.mjs';
import { NotAvailable, npmScript, run, succeed } from './run.mjs';
import { nodeOf } from './tools.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const app = fileURLToPath(new URL('./app/', import.meta.url));
const folders = ['carillon', 'server', 'sqlite-node20'];

/**
 * Lines that say nothing about our packages: settings of this machine, and npm's list of install scripts that it leaves out.
 * The one on it is of the SQLite driver for Node 20, which carries its binary and works without the script.
 */
const ownTrouble = /Unknown (user|env|cli|builtin|global) config|npm notice|npm warn install-scripts/;

export class Projects {
  /** Packs everything; `tarballs` is by package name. */
  static async open() {
    const npm = npmScript();
    const folder = mkdtempSync(join(tmpdir(), 'carillon-tarball-'));
    const packed = await succeed(
      process.execPath,
      [
        npm,
        'pack',
        '--json',
        '--pack-destination',
        folder,
        ...folders.flatMap((name) => ['-w', `packages/${name}`]),
      ],
      { cwd: root },
    );
    const tarballs = {};
    for (const { name, filename, files, size, unpackedSize } of listOf(packed.stdout)) {
      const place = folders.find((each) => manifestOf(each).name === name);
      tarballs[name] = {
        file: join(folder, filename),
        manifest: manifestOf(place),
        files,
        size,
        unpackedSize,
      };
    }
    const { stdout } = await run(process.execPath, [npm, 'config', 'get', 'registry'], { cwd: folder });
    const upstream = stdout.trim() || 'https://registry.npmjs.org/';
    const reached = await run(process.execPath, [npm, 'view', 'zod', 'version'], {
      cwd: folder,
      timeoutMs: 60_000,
    });
    if (reached.code !== 0) throw new NotAvailable(`the npm registry ${upstream} does not answer`);
    return new Projects(folder, tarballs, await openRegistry(tarballs, upstream));
  }

  constructor(folder, tarballs, registry) {
    this.folder = folder;
    this.tarballs = tarballs;
    this.registry = registry;
    this.known = new Map();
  }

  async close() {
    await this.registry.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An empty folder with a package.json and the files of the app. */
  blank(name, manifest = {}) {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    cpSync(app, folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'blank', private: true, ...manifest }),
    );
    writeFileSync(join(folder, '.npmrc'), `registry=${this.registry.url}\nfund=false\naudit=false\n`);
    return folder;
  }

  /** A project with these packages, installed by npm under that Node with --engine-strict; made once. */
  async installed(major, packages = ['carillon']) {
    const name = `node${major}-${packages.map((each) => each.replace(/\W/g, '')).join('-')}`;
    const known = this.known.get(name) ?? this.#install(name, major, packages);
    this.known.set(name, known);
    return await known;
  }

  async #install(name, major, packages) {
    const folder = this.blank(name);
    const node = await nodeOf(major);
    const said = await succeed(node, [npmScript(), 'install', '--engine-strict', ...packages], {
      cwd: folder,
      // Scripts of packages find the same Node.
      env: { PATH: `${join(node, '..')}:${process.env.PATH}` },
    });
    const warnings = said.stderr.split('\n').filter((line) => line !== '' && !ownTrouble.test(line));
    return { folder, node, warnings };
  }
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

/** npm 12 gives the packages by name, older ones give a list; lines of scripts may stand before either. */
function listOf(stdout) {
  const parsed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  return Array.isArray(parsed) ? parsed : Object.values(parsed);
}
