// Other installers than npm. With pnpm and Yarn's Plug'n'Play a package sees only what it depends on itself: the program must
// find the server from the working directory.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeed } from './run.mjs';
import { checkResult } from './runtimes.mjs';
import { nodeOf, pnpm, yarn } from './tools.mjs';

const packages = ['carillon', '@carillon/server'];

export const installers = [
  {
    name: 'pnpm installs both packages; the app runs, and the program finds the server',
    run: async (projects) => {
      const [node, script] = [await nodeOf(24), await pnpm()];
      const folder = projects.blank('pnpm');
      const env = { PATH: `${join(node, '..')}:${process.env.PATH}` };
      const call = async (...args) => await succeed(node, [script, ...args], { cwd: folder, env });
      await call(
        'add',
        `--store-dir=${join(projects.folder, 'pnpm-store')}`,
        '--config.minimum-release-age=0',
        ...packages,
      );
      assert.ok(
        !readdirSync(join(folder, 'node_modules', '.pnpm')).some((name) => name.includes('sqlite-node20')),
        'the driver of Node 20 is left out',
      );
      checkResult((await succeed(node, ['app.mjs'], { cwd: folder })).stdout);
      const help = await call('exec', 'carillon', 'dev', '--help');
      assert.match(help.stdout, /--http-port/);
    },
  },
  {
    name: "Yarn's Plug'n'Play installs both packages; the app runs, and the program finds the server",
    run: async (projects) => {
      const [node, script] = [await nodeOf(24), await yarn()];
      const folder = projects.blank('yarn');
      writeFileSync(
        join(folder, '.yarnrc.yml'),
        [
          'nodeLinker: pnp',
          'enableTelemetry: false',
          'enableGlobalCache: false',
          'enableImmutableInstalls: false',
          'npmMinimalAgeGate: 0',
          `npmRegistryServer: "${projects.registry.url}"`,
          'unsafeHttpWhitelist: ["127.0.0.1"]',
        ].join('\n'),
      );
      writeFileSync(join(folder, 'yarn.lock'), '');
      const env = { PATH: `${join(node, '..')}:${process.env.PATH}`, YARN_IGNORE_PATH: '1' };
      const call = async (...args) => await succeed(node, [script, ...args], { cwd: folder, env });
      await call('add', ...packages);
      checkResult((await call('node', 'app.mjs')).stdout);
      const help = await call('carillon', 'dev', '--help');
      assert.match(help.stdout, /--http-port/);
    },
  },
];
