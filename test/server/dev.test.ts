import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-dev-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const bin = fileURLToPath(new URL('../../packages/server/src/cli/bin.ts', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly first: string;
  readonly took: number;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** Starts a command in a process of its own and waits for its first line. */
async function start(...args: string[]): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', bin, ...args], {
    stdio: 'pipe',
    env: { ...process.env, XDG_STATE_HOME: join(scratch, 'state') },
  });
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
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.lastIndexOf('\n')));
    });
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  return { child, first, took: performance.now() - began, ended };
}

/** A server that logs; resolves with its address when it is ready. */
async function startLogging(args: readonly string[]) {
  const started = await start(...args);
  let address: string | undefined;
  let text = `${started.first}\n`;
  const find = () => {
    const line = text.split('\n').find((each) => each.includes('"ready"') && each.endsWith('}'));
    address = line === undefined ? undefined : (JSON.parse(line) as { url: string }).url;
  };
  find();
  while (address === undefined) {
    const [chunk] = (await once(started.child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    text += chunk.toString();
    find();
  }
  return { ...started, ready: address };
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
      ['daily-digest', 'running'],
      ['demo-hello', 'running'],
      ['demo-report', 'paused'],
      ['demo-slow', 'running'],
      ['invoice-sync', 'running'],
      ['island-roster', 'running'],
      ['launch-mails', 'ended'],
      ['ledger-export', 'running'],
      ['price-feed-refresh', 'running'],
      ['refund-reconcile', 'running'],
      ['search-index-rebuild', 'running'],
      ['tenant-usage-rollup', 'running'],
      ['token-rotate', 'paused'],
    ]);
    const verified = await (await start('verify', '--quiet', '--server', ready.url)).ended;
    expect(verified).toMatchObject({ code: 0, stderr: '' });
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

  test('started by npx, it ends with the shell that npx put between them', async () => {
    const args = [
      '--import',
      'tsx',
      bin,
      'dev',
      '--json',
      '--http-port',
      '0',
      '--db',
      ':memory:',
      '--no-demo',
    ];
    const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_command: 'exec', XDG_STATE_HOME: join(scratch, 'state') },
    });
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const { api } = JSON.parse(line.toString());
    // The server writes to the same pipe, which closes when the last of the two has ended.
    const closed = once(shell.stdout, 'close');
    shell.kill('SIGTERM');
    await closed;
    await expect(fetch(`${api}/schedules`)).rejects.toThrow('fetch failed');
  });

  test('is friendly to people, and says so when its port is taken', async () => {
    const one = await start('dev', '--json', '--http-port', '0', '--db', ':memory:', '--no-demo');
    const { port } = JSON.parse(one.first);
    const two = await start('dev', '--http-port', String(port), '--db', ':memory:');
    two.child.kill('SIGTERM');
    const { stdout, stderr, code } = await two.ended;
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('search-index-rebuild, waits for a worker that is not there');
    expect(stdout).toContain('The workflow demo-orders asks whether a booking was made');
    expect(stdout).toContain(`Port ${port} is busy`);
    expect(stdout).toContain('in memory');
    expect(stdout).toContain('Stopping');
    one.child.kill('SIGTERM');
    await one.ended;
  });

  test('lets a handler finish that runs when SIGTERM comes, and its result is stored', async () => {
    const handlers = join(scratch, 'slow.mjs');
    writeFileSync(
      handlers,
      "export const register = (carillon) => carillon.handle('slow', async () => { await new Promise((r) => setTimeout(r, 700)); return 'done'; });",
    );
    const store = `sqlite:${join(scratch, 'drain.db')}`;
    const args = ['start', '--store', store, '--http-port', '0', '--handlers', handlers];
    const { child, ready, ended } = await startLogging(args);
    const headers = { 'content-type': 'application/json' };
    const queued = await fetch(`${ready}/api/v1/runs`, { method: 'POST', headers, body: '{"run":"slow"}' });
    const { id } = (await queued.json()) as { id: string };
    const stateOf = async () =>
      ((await (await fetch(`${ready}/api/v1/runs/${id}`)).json()) as { state: string }).state;
    while ((await stateOf()) === 'waiting');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    await using carillon = await openCarillon(store);
    expect(await carillon.runs.get(id)).toMatchObject({
      state: 'done',
      outcome: 'completed',
      result: 'done',
      attempt: 1,
    });
  });

  test('runs commands only for callers with its token, which the command line finds by itself', async () => {
    const one = await start(
      'dev',
      '--json',
      '--http-port',
      '0',
      '--grpc-port',
      '0',
      '--db',
      ':memory:',
      '--no-demo',
    );
    const ready = JSON.parse(one.first);
    expect(ready.commandToken).toMatch(/^crl_/);
    expect(readFileSync(ready.commandTokenFile, 'utf8').trim()).toBe(ready.commandToken);
    expect(statSync(ready.commandTokenFile).mode & 0o777).toBe(0o600);
    const listed = await (await start('schedule', 'list', '--server', ready.url)).ended;
    const put = (headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${ready.api}/schedules/evil`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ command: { argv: ['true'] } }),
      });
    expect((await put()).status).toBe(403);
    expect((await put({ 'carillon-command-token': ready.commandToken })).status).toBe(201);
    // What the command line suggests on an empty server is a schedule that runs.
    const words = /Make one: carillon (.+)/.exec(listed.stdout)?.[1]?.split(' ') ?? [];
    const made = await (await start(...words)).ended;
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const client = new CarillonClient({ url: ready.url, commandToken: ready.commandToken });
    const { runId } = await client.schedules.trigger('hello');
    expect(await client.runs.wait(runId ?? '')).toMatchObject({ outcome: 'completed' });
    one.child.kill('SIGTERM');
    expect((await one.ended).code).toBe(0);
    expect(existsSync(ready.commandTokenFile)).toBe(false);
  });

  test('ends after SIGTERM although handlers hold timers and sockets', async () => {
    const handlers = join(scratch, 'holding.mjs');
    writeFileSync(
      handlers,
      `import { createServer } from 'node:net';
       setInterval(() => {}, 1000);
       createServer().listen(0);
       export const register = (carillon) => carillon.handle('x', () => {});`,
    );
    const store = `sqlite:${join(scratch, 'holding.db')}`;
    const { child, ended } = await startLogging([
      'start',
      '--store',
      store,
      '--http-port',
      '0',
      '--handlers',
      handlers,
    ]);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    // Everything that was logged has arrived.
    expect(stdout).toContain('"stopped"');
  });

  test('refuses what is no port', async () => {
    await expect(start('dev', '--http-port', '99999')).rejects.toThrow('ended with 2');
  });
});
