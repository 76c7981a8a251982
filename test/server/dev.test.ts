import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-dev-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly first: string;
  readonly took: number;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Starts a command in a process of its own and waits for its first line. */
async function start(...args: string[]): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', bin, ...args], { stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Awaited<Running['ended']>>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  const first = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  return { child, first, took: performance.now() - began, ended };
}

async function schedules(url: string): Promise<readonly Record<string, unknown>[]> {
  const response = await fetch(url);
  return ((await response.json()) as { items: Record<string, unknown>[] }).items;
}

describe('carillon dev', () => {
  test('says in one line where it is, has something to look at, and drains on SIGTERM', async () => {
    const file = join(scratch, 'first.db');
    const { child, first, took, ended } = await start('dev', '--json', '--http-port', '0', '--db', file);
    console.log(`carillon dev --json was ready after ${Math.round(took)} ms (from source)`);
    const ready = JSON.parse(first);
    expect(ready).toMatchObject({ data: file, isNew: true });
    const items = await schedules(`${ready.api}/schedules?owner=demo`);
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      ['demo-hello', 'running'],
      ['demo-report', 'paused'],
      ['demo-slow', 'running'],
    ]);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });

    // What was changed stays changed; --no-demo takes the demo away and nothing else.
    const again = await start('dev', '--json', '--http-port', '0', '--db', file, '--no-demo');
    const { api, isNew } = JSON.parse(again.first);
    expect(isNew).toBe(false);
    expect(await schedules(`${api}/schedules`)).toEqual([]);
    again.child.kill('SIGINT');
    expect((await again.ended).code).toBe(0);
  });

  test('is friendly to people, and says so when its port is taken', async () => {
    const one = await start('dev', '--json', '--http-port', '0', '--db', ':memory:');
    const { port } = JSON.parse(one.first);
    const two = await start('dev', '--http-port', String(port), '--db', ':memory:');
    two.child.kill('SIGTERM');
    const { stdout, code } = await two.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`Port ${port} is busy`);
    expect(stdout).toContain('in memory');
    expect(stdout).toContain('Stopping');
    one.child.kill('SIGTERM');
    await one.ended;
  });

  test('refuses what is no port', async () => {
    await expect(start('dev', '--http-port', '99999')).rejects.toThrow('ended with 2');
  });
});
