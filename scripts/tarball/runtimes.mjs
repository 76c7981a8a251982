// The same small app from the tarball on every runtime, by import and by require.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { succeed } from './run.mjs';
import { bun, deno, nodeOf } from './tools.mjs';

export const expected = {
  memory: { of: 'memory', why: 'started' },
  sqlite: { of: 'sqlite', why: 'started' },
};

export function checkResult(stdout) {
  const result = JSON.parse(stdout.trim().split('\n').at(-1));
  // On a busy machine the run may be late; `startedLate` counts as started.
  for (const each of Object.values(result)) if (each.why === 'startedLate') each.why = 'started';
  assert.deepEqual(result, expected);
}

async function importTime(node, folder) {
  const script =
    "const began = performance.now(); await import('carillon'); console.log(performance.now() - began)";
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const { stdout } = await succeed(node, ['--input-type=module', '-e', script], { cwd: folder });
    times.push(Number(stdout));
  }
  return Math.min(...times);
}

// 22.13.0 is the first that has a SQLite of its own, with fewer abilities than later ones.
const onNode = [20, '22.13.0', 22, 24, 26].map((version) => ({
  name: `the app runs on Node ${version}, by import and by require`,
  run: async (projects) => {
    const node = await nodeOf(version);
    // What Node 24 installs is right for everything newer than 22.13.
    const { folder } = await projects.installed(version === 20 ? 20 : 24);
    for (const file of ['app.mjs', 'app.cjs']) {
      const said = await succeed(node, [join(folder, file)], { cwd: folder });
      checkResult(said.stdout);
      assert.equal(said.stderr, '', `${file} warns`);
    }
    return `import takes ${(await importTime(node, folder)).toFixed(0)} ms`;
  },
}));

export const runtimes = [
  ...onNode,
  {
    name: 'the app runs on Bun',
    run: async (projects) => {
      const { folder } = await projects.installed(24);
      const said = await succeed(await bun(), ['app.mjs'], { cwd: folder });
      checkResult(said.stdout);
    },
  },
  {
    name: 'the app runs on Deno',
    run: async (projects) => {
      const { folder } = await projects.installed(24);
      const said = await succeed(await deno(), ['run', '-A', '--node-modules-dir=manual', 'app.mjs'], {
        cwd: folder,
      });
      checkResult(said.stdout);
    },
  },
];
