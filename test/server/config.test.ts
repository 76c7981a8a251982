import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { findCommandToken } from '../../packages/carillon/src/cli/command-token.ts';
import { readConfig, settingsOf } from '../../packages/server/src/server/config.ts';
import { runProgram } from '../cli/program.ts';
import { until } from '../support/until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-config-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    return ServiceError.from(error).problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

/** Runs a command; `start` ends as soon as it has started and `act` is done. */
async function carillon(
  args: readonly string[],
  env: Record<string, string> = {},
  act?: (lines: readonly string[]) => Promise<void>,
) {
  let stdout = '';
  let stderr = '';
  let ended = false;
  const code = await runProgram(args, {
    now: new SystemClock().now(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    colors: { stdout: false, stderr: false },
    env,
    untilAsked: async () => {
      // A command that is refused never gets ready; then there is nothing to wait for.
      await until(() => ended || stdout.includes('"ready"'));
      if (!ended) await act?.(stdout.split('\n'));
    },
  });
  ended = true;
  return { code, stdout, stderr };
}

describe('the configuration', () => {
  test('settings of the operator have defaults, and namespaces may differ', () => {
    const { scheduler } = readConfig({
      scheduler: { MinInterval: '5s', namespaces: { a: { MaxBufferSize: 0 } } },
    });
    expect(scheduler).toEqual({
      MaxBufferSize: 1000,
      BackfillsPerIteration: 100,
      MinInterval: 5000,
      SchedulerNamespaceStartWorkflowRPS: 0,
      namespaces: { a: { MaxBufferSize: 0 } },
    });
    expect(
      problemsOf(() => readConfig({ scheduler: { namespaces: { a: { MinInterval: 'often' } } } })),
    ).toEqual([expect.stringContaining('scheduler.namespaces.a.MinInterval: not a duration')]);
  });

  test('has defaults that are safe', () => {
    expect(readConfig({})).toMatchObject({
      store: 'sqlite:./carillon.db',
      http: { host: '127.0.0.1', port: 8080 },
      durability: 'full',
      keys: [],
      allowCommands: false,
      allowPrivateTargets: false,
      drain: 10_000,
    });
  });

  test('flags overrule the environment, which overrules the file', () => {
    const file = { store: 'memory:', http: { host: '127.0.0.2', port: 1 } };
    const env = settingsOf({ CARILLON_HTTP_PORT: '2', CARILLON_DRAIN: '1m', OTHER: 'x', CARILLON_STORE: '' });
    const flags = [{ path: 'http.port', source: '--http-port', value: 3 }];
    expect(readConfig(file, env)).toMatchObject({
      store: 'memory:',
      http: { host: '127.0.0.2', port: 2 },
      drain: 60_000,
    });
    expect(readConfig(file, [...env, ...flags]).http.port).toBe(3);
  });

  test('names every mistake by the name under which it was made', () => {
    const env = settingsOf({ CARILLON_HTTP_PORT: 'eighty', CARILLON_LOG_LEVEL: 'loud' });
    const problems = problemsOf(() =>
      readConfig(
        { stor: 'x', drain: 'soon', http: { ports: 1 }, keys: [{ name: 'a b', hash: 'plain', role: 'god' }] },
        env,
      ),
    );
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':'))).sort()).toEqual(
      [
        'CARILLON_HTTP_PORT',
        'CARILLON_LOG_LEVEL',
        'drain',
        'http.ports',
        'keys[0].hash',
        'keys[0].name',
        'keys[0].role',
        'stor',
      ].sort(),
    );
    const hash = `sha256:${'0'.repeat(64)}`;
    const key = { name: 'k', hash, role: 'viewer' };
    expect(problemsOf(() => readConfig({ keys: [key, key] }))[0]).toContain("two keys are called 'k'");
    expect(problemsOf(() => readConfig([]))).toHaveLength(1);
  });
});

describe('carillon start', () => {
  test('without keys, runs commands only for callers that can read the token of this start', async () => {
    const file = join(scratch, 'commands.json');
    writeFileSync(file, JSON.stringify({ store: 'memory:', http: { port: 0 }, allowCommands: true }));
    const env = { HOME: scratch };
    const statuses: number[] = [];
    const { code, stdout, stderr } = await carillon(['start', '--config', file], env, async (lines) => {
      const { url } = JSON.parse(lines.find((line) => line.includes('"ready"')) ?? '{}');
      const put = async (headers: Readonly<Record<string, string>>) => {
        const { status } = await fetch(`${url}/api/v1/schedules/x`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"command":{"argv":["true"]}}',
        });
        statuses.push(status);
      };
      await put({});
      const told = () => findCommandToken(env, url);
      const token = await until(
        async () => told(),
        (found) => found !== undefined,
      );
      await put({ 'carillon-command-token': token ?? '' });
    });
    expect([code, statuses]).toEqual([0, [403, 201]]);
    expect(stderr).toContain('Carillon-Command-Token');
    expect(stdout).not.toContain('crl_');
  });

  test('starts from a file with handlers and keys, logs JSON, and drains', async () => {
    const made = JSON.parse(
      (await carillon(['key', 'create', 'ops', '--role', 'operator', '--json'])).stdout,
    );
    const handlers = join(scratch, 'handlers.mjs');
    writeFileSync(
      handlers,
      "export function register(carillon) { carillon.handle('greet', () => 'hello'); }\n",
    );
    const file = join(scratch, 'carillon.json');
    writeFileSync(
      file,
      JSON.stringify({ store: 'memory:', http: { port: 0 }, keys: [made.entry], handlers }),
    );
    let result: unknown;
    const { code, stdout, stderr } = await carillon(['start', '--config', file], {}, async (lines) => {
      const { url } = JSON.parse(lines.find((line) => line.includes('"ready"')) ?? '{}');
      const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' };
      const queued = await fetch(`${url}/api/v1/runs`, { method: 'POST', headers, body: '{"run":"greet"}' });
      const { id } = (await queued.json()) as { id: string };
      for (let i = 0; i < 200 && result !== 'hello'; i += 1) {
        const run = await fetch(`${url}/api/v1/runs/${id}`, { headers });
        ({ result } = (await run.json()) as { result: unknown });
      }
    });
    expect([code, stderr, result]).toEqual([0, '', 'hello']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.every(({ level, time }) => typeof level === 'string' && typeof time === 'string')).toBe(
      true,
    );
    expect(stdout).not.toContain(made.key);
  });

  test('refuses a public bind without keys, an unreadable file and bad settings, each with its code', async () => {
    const open = await carillon(['start', '--host', '0.0.0.0', '--store', 'memory:', '--http-port', '0']);
    expect(open.code).toBe(1);
    expect(open.stderr).toContain('configure API keys');
    const missing = await carillon(['start', '--config', join(scratch, 'none.json')]);
    expect([missing.code, missing.stderr.startsWith('error: --config:')]).toEqual([2, true]);
    const bad = await carillon(['start', '--store', 'floppy:a', '--log-level', 'loud']);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('error: --store: not a store');
    expect(bad.stderr).toContain('error: --log-level:');
    const handlers = join(scratch, 'empty.mjs');
    writeFileSync(handlers, 'export const nothing = 1;\n');
    const empty = await carillon(['start', '--store', 'memory:', '--handlers', handlers]);
    expect([empty.code, empty.stderr.includes("no function 'register'")]).toEqual([2, true]);
  });

  test('checks a configuration without starting', async () => {
    expect(await carillon(['start', '--store', 'memory:', '--check'])).toMatchObject({
      code: 0,
      stdout: 'The configuration is in order.\n',
    });
  });
});
