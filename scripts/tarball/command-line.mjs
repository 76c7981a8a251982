// The program `carillon` as npm links it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startDev } from './dev-server.mjs';
import { run, succeed } from './run.mjs';

const bin = (folder) => join(folder, 'node_modules', '.bin', 'carillon');

export const commandLine = [
  {
    name: 'the program works with the library alone, and says what brings the other commands',
    run: async (projects) => {
      const { folder } = await projects.installed(24);
      const next = await succeed(bin(folder), ['next', '0 9 * * 1-5', '--json'], { cwd: folder });
      assert.equal(JSON.parse(next.stdout).times.length, 5);
      const help = await succeed(bin(folder), ['--help'], { cwd: folder });
      assert.match(help.stdout, /Commands of the server package \(npm install @carillon\/server\):/);
      const dev = await run(bin(folder), ['dev'], { cwd: folder });
      assert.equal(dev.code, 127);
      assert.match(dev.stderr, /npm install @carillon\/server/);
    },
  },
  {
    name: 'with the server package the same program starts a server, and stops it',
    run: async (projects) => {
      const { folder } = await projects.installed(24, ['carillon', '@carillon/server']);
      await startAndStop(bin(folder), folder);
      // npx tells how its shell ended; what counts is that the server has.
      await startAndEnd('npx', folder, ['carillon']);
      const second = await succeed(join(folder, 'node_modules', '.bin', 'carillon-server'), ['version'], {
        cwd: folder,
      });
      assert.equal(second.stdout.trim(), projects.tarballs.carillon.manifest.version);
    },
  },
];

/** Starts `carillon dev`, asks its API, and stops it in order. */
export async function startAndStop(program, cwd) {
  const { code, stderr } = await startAndEnd(program, cwd);
  assert.equal(code, 0, stderr);
}

/** Starts `carillon dev`, asks its API, and ends it. */
async function startAndEnd(program, cwd, first = []) {
  const server = await startDev([program, ...first], ['--db', ':memory:'], cwd);
  let ended;
  try {
    assert.equal((await fetch(`${server.api}/schedules`)).status, 200);
  } finally {
    ended = await server.end();
  }
  return ended;
}
