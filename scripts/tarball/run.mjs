// Runs programs for the matrix and keeps what they said for the message of a failure.
import { spawn } from 'node:child_process';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that the matrix needs is not available on this machine. Tests that depend on it are reported as not run. */
export class NotAvailable extends Error {
  name = 'NotAvailable';
}

/** Resolves to `{ code, stdout, stderr }`; the loop goes on meanwhile, because the registry lives in it. */
export async function run(program, args, { cwd, env = {}, timeoutMs = 240_000 } = {}) {
  const child = spawn(program, args, {
    cwd,
    // Variables of an npm that started us would override what the blank project says.
    env: { ...withoutNpm(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  return { code, stdout, stderr };
}

export async function succeed(program, args, options) {
  const said = await run(program, args, options);
  if (said.code !== 0) {
    const words = [program, ...args].join(' ');
    throw new Error(`${words}\nended with ${said.code}:\n${said.stdout}\n${said.stderr}`);
  }
  return said;
}

function withoutNpm(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !/^npm_(lifecycle|package|execpath|command|config_local)/.test(name) &&
        name !== 'NODE_OPTIONS' &&
        name !== 'VITEST',
    ),
  );
}

/** The script of npm, to be run by whichever Node is meant. */
export function npmScript() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      const script = realpathSync(join(folder, 'npm'));
      if (script.endsWith('.js')) return script;
    } catch {
      // Not in this folder.
    }
  }
  throw new NotAvailable('npm is not on the PATH');
}

/** Apparent size in bytes, as `du -s --apparent-size` counts files. */
export function sizeOf(folder) {
  let total = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  }
  return total;
}

/** How many packages npm put into a project. */
export function packagesIn(folder) {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) count += packagesIn(path);
    else {
      count += 1;
      const names = readdirSync(path);
      if (names.includes('node_modules')) count += packagesIn(join(path, 'node_modules'));
    }
  }
  return count;
}
