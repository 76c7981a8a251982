// A server that `carillon dev` starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

/**
 * Starts `carillon dev` on free ports and waits for its first line. Resolves to the address of its API, and to `end`, which ends
 * the program by its id and resolves to `{ code, stderr }` when its output is closed.
 */
export async function startDev([program, ...first], more, cwd) {
  const args = [...first, 'dev', '--json', '--http-port', '0', '--grpc-port', '0', ...more];
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ready = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve(true);
    });
  });
  const isReady = await Promise.race([ready, ended.then(() => false)]);
  assert.ok(isReady, `it ended instead of starting:\n${stdout}\n${stderr}`);
  const { api } = JSON.parse(stdout.split('\n')[0]);
  const end = async () => {
    child.kill('SIGTERM');
    return { code: await ended, stderr };
  };
  return { api, end };
}
