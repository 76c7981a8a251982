import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Tail } from '../../packages/carillon/src/action/tail.ts';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import type { CarillonOptions, CommandInput } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { until } from '../support/until.ts';
import { aCarillon, aWorld, failureIn, hangs, lastRun, runOf, untilRun } from './stage.ts';

const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args];

function aFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'command-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function running(command: CommandInput, options: CarillonOptions = {}, more: object = {}) {
  const carillon = await aCarillon(options);
  await carillon.schedules.create('job', { command, ...more });
  return { carillon, run: await runOf(carillon, 'job') };
}

describe('a command', () => {
  test('gets its words as they are, and its output is the result', async () => {
    const argv = node(
      'console.log(JSON.stringify(process.argv.slice(1))); console.error("note")',
      '$HOME; ls',
      '*',
    );
    const { run } = await running({ argv });
    expect(run).toMatchObject({ outcome: 'completed', queue: '@command', name: 'command', attempt: 1 });
    expect(JSON.parse(run.result ?? '')).toEqual({
      exitCode: 0,
      stdout: '["$HOME; ls","*"]\n',
      stderr: 'note\n',
    });
  });

  test('is read by a shell only when it says so', async () => {
    const { run } = await running({ argv: ['echo', '$((6*7))', '|', 'tr', '4', '5'], shell: true });
    expect(JSON.parse(run.result ?? '').stdout).toBe('52\n');
  });

  test('gets the input as JSON on its standard input', async () => {
    const { run } = await running({ argv: ['cat'] }, {}, { input: { list: [1, 'zwei'] } });
    expect(JSON.parse(run.result ?? '').stdout).toBe('{"list":[1,"zwei"]}');
  });

  test('need not read its input', async () => {
    const { run } = await running({ argv: ['true'] }, {}, { input: 'x'.repeat(500_000) });
    expect(run).toMatchObject({ outcome: 'completed' });
  });

  test('runs where it says', async () => {
    const cwd = aFolder();
    const { run } = await running({ argv: ['pwd'], cwd });
    expect(JSON.parse(run.result ?? '').stdout).toBe(`${cwd}\n`);
  });

  test('sees nothing of our environment but what it is given', async () => {
    process.env.CARILLON_TEST_PASSED = 'yes';
    process.env.CARILLON_TEST_SECRET = 'no';
    onTestFinished(() => {
      delete process.env.CARILLON_TEST_PASSED;
      delete process.env.CARILLON_TEST_SECRET;
    });
    const { carillon, run } = await running({
      argv: node('console.log(JSON.stringify(process.env))'),
      env: { MINE: '1', CARILLON_ATTEMPT: 'forged' },
      passEnv: ['CARILLON_TEST_PASSED', 'CARILLON_TEST_ABSENT'],
    });
    const seen = JSON.parse(JSON.parse(run.result ?? '').stdout) as Record<string, string>;
    const { nominal } = JSON.parse(run.options) as { nominal: number };
    expect(seen).toEqual({
      PATH: process.env.PATH,
      MINE: '1',
      CARILLON_TEST_PASSED: 'yes',
      CARILLON_RUN_ID: run.id,
      CARILLON_NAMESPACE: 'default',
      CARILLON_SCHEDULE: 'job',
      CARILLON_SCHEDULED_AT: new Date(nominal).toISOString().replace('.000Z', 'Z'),
      CARILLON_ATTEMPT: '1',
    });
    expect(carillon.activeRuns).toBe(0);
  });

  test('may write more than is kept: the end stays, and what was cut is said', async () => {
    const argv = node(
      'process.stdout.write("a".repeat(300000) + "END"); process.stderr.write("b".repeat(10))',
    );
    const { run } = await running({ argv }, { command: { outputLimit: 1000 } });
    const result = JSON.parse(run.result ?? '');
    expect(result.stdout).toBe(`${'a'.repeat(997)}END`);
    expect(result).toMatchObject({ stdoutCut: 299_003, stderr: 'b'.repeat(10) });
    expect(result).not.toHaveProperty('stderrCut');
  });

  test('is over when it exits, even if another process still holds its output', async () => {
    const folder = aFolder();
    const command = { argv: ['sleep 30 & echo $! > pid; echo left'], shell: true, cwd: folder };
    const { run } = await running(command);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
    expect(JSON.parse(run.result ?? '')).toMatchObject({ exitCode: 0, stdout: 'left\n' });
  });
});

describe('failure', () => {
  test.each([[1], [3], [127]])('exit code %i, with the end of stderr', async (code) => {
    const { run } = await running({ argv: node(`console.error("no disk"); process.exit(${code})`) });
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toEqual({
      message: `'${process.execPath}' exited with code ${code}: no disk`,
      type: 'CommandFailed',
      details: { exitCode: code, signal: null },
    });
  });

  test('a signal is named', async () => {
    const { run } = await running({ argv: node('process.kill(process.pid, "SIGKILL")') });
    expect(failureIn(run)).toMatchObject({
      message: `'${process.execPath}' was ended by SIGKILL`,
      details: { exitCode: null, signal: 'SIGKILL' },
    });
  });

  test('is tried again when the schedule says so', async () => {
    const { run } = await running(
      { argv: node('process.exit(process.env.CARILLON_ATTEMPT === "2" ? 0 : 1)') },
      {},
      { retry: { attempts: 3, initial: 1 } },
    );
    expect(run).toMatchObject({ outcome: 'completed', attempt: 2 });
  });

  test('a program that is not there was never started, and trying again cannot help', async () => {
    const { carillon, run } = await running({ argv: ['no-such-program'] }, {}, { retry: { attempts: 5 } });
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toEqual({
      message: "cannot start 'no-such-program': there is no such program (ENOENT)",
      type: 'CommandNotStarted',
      details: { code: 'ENOENT' },
      nonRetryable: true,
      startFailed: true,
    });
    const { items } = await carillon.schedules.slots('job');
    expect(items).toMatchObject([{ verdict: 'startFailed' }]);
  });

  test('a directory that is not there is not blamed on the program', async () => {
    const { run } = await running({ argv: ['true'], cwd: '/no/such/place' });
    expect(failureIn(run).message).toBe("cannot start 'true': there is no directory '/no/such/place'");
  });

  test('a file that is no program', async () => {
    const file = join(aFolder(), 'data');
    writeFileSync(file, 'x');
    chmodSync(file, 0o644);
    const { run } = await running({ argv: [file] });
    expect(failureIn(run)).toMatchObject({
      message: `cannot start '${file}': it is not executable (EACCES)`,
      startFailed: true,
    });
  });

  test('commands can be forbidden', async () => {
    const { run } = await running({ argv: ['true'] }, { allowCommands: false });
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toMatchObject({
      type: 'CommandNotAllowed',
      startFailed: true,
      nonRetryable: true,
    });
  });

  test('or left to other processes', async () => {
    const carillon = await openCarillon({ store: 'memory:', command: false });
    onTestFinished(() => carillon.stop({ drainMs: 0 }));
    carillon.handle('later', () => 'done');
    await carillon.start();
    await carillon.schedules.create('job', { command: { argv: ['true'] } });
    await carillon.schedules.trigger('job');
    // What was enqueued later and is ours has been done: there was time for the command too.
    const later = await carillon.runs.enqueue({ run: 'later' });
    await carillon.runs.wait(later.id);
    expect(await lastRun(carillon, 'job')).toMatchObject({ state: 'waiting', attempt: 0 });
  });
});

describe('stopping', () => {
  /** Says when it is ready, and what it was told. */
  const stubborn = (folder: string, reaction: string) =>
    node(
      `const { writeFileSync } = require('node:fs');
       process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(join(folder, 'told'))}, ''); ${reaction} });
       writeFileSync(${JSON.stringify(join(folder, 'ready'))}, String(process.pid));
       setInterval(() => {}, 1000);`,
    );

  test('a cancel asks it to end', async () => {
    const folder = aFolder();
    const carillon = await aCarillon();
    await carillon.schedules.create('job', { command: { argv: stubborn(folder, 'process.exit(0)') } });
    await carillon.schedules.trigger('job');
    await until(() => existsSync(join(folder, 'ready')));
    await carillon.runs.cancel((await lastRun(carillon, 'job')).id, { reason: 'enough' });
    const run = await untilRun(carillon, 'job');
    expect(run).toMatchObject({ outcome: 'cancelled' });
    expect(failureIn(run).message).toBe('enough');
    expect(existsSync(join(folder, 'told'))).toBe(true);
  });

  test('and ends it if it does not listen', async () => {
    const folder = aFolder();
    const world = await aWorld({ command: { environment: (name) => process.env[name] }, ...hangs });
    const carillon = world.carillon();
    await carillon.schedules.create('job', { command: { argv: stubborn(folder, '') } });
    await carillon.schedules.trigger('job');
    await world.settle();
    await until(() => existsSync(join(folder, 'ready')) && readFileSync(join(folder, 'ready')).length > 0);
    const pid = Number(readFileSync(join(folder, 'ready'), 'utf8'));
    await carillon.runs.cancel((await lastRun(carillon, 'job')).id);
    await world.settle();
    await until(() => existsSync(join(folder, 'told')));
    await world.advance('4s');
    expect(() => process.kill(pid, 0)).not.toThrow();
    await world.advance('1s');
    await until(async () => {
      await world.settle();
      return (await lastRun(carillon, 'job')).outcome === 'cancelled';
    });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('with everything it started', async () => {
    const folder = aFolder();
    const carillon = await aCarillon({ command: { graceMs: 100 } });
    const argv = ["trap '' TERM; (trap '' TERM; sleep 30) & echo $! > pid; mv pid ready; wait; sleep 30"];
    await carillon.schedules.create('job', { command: { argv, shell: true, cwd: folder } });
    await carillon.schedules.trigger('job');
    await until(() => existsSync(join(folder, 'ready')));
    const pid = Number(readFileSync(join(folder, 'ready'), 'utf8'));
    await carillon.runs.cancel((await lastRun(carillon, 'job')).id);
    expect(await untilRun(carillon, 'job')).toMatchObject({ outcome: 'cancelled' });
    await until(() => isGone(pid));
  });

  test('one that takes too long is stopped and has failed', async () => {
    const { run } = await running({ argv: ['sleep', '30'], timeout: '50ms' });
    expect(run).toMatchObject({ outcome: 'failed' });
    expect(failureIn(run)).toMatchObject({
      message: "'sleep' took longer than 50 ms and was stopped",
      type: 'CommandTimedOut',
      details: { signal: 'SIGTERM' },
    });
  });

  test('time is counted on our clock', async () => {
    const world = await aWorld({ command: { environment: (name) => process.env[name] }, ...hangs });
    const command = { argv: ['sleep', '30'], timeout: '5m' };
    await world.carillon().schedules.create('job', { command });
    await world.carillon().schedules.trigger('job');
    await world.advance('4m');
    expect(await lastRun(world.carillon(), 'job')).toMatchObject({ state: 'leased' });
    await world.advance('61s');
    expect(failureIn(await lastRun(world.carillon(), 'job')).message).toContain('took longer than 5 min');
  });

  test('a worker that stops takes its commands along and gives their runs back', async () => {
    const folder = aFolder();
    const store = `sqlite:${join(folder, 'carillon.db')}`;
    const carillon = await aCarillon({ store });
    await carillon.schedules.create('job', { command: { argv: stubborn(folder, 'process.exit(0)') } });
    await carillon.schedules.trigger('job');
    await until(() => existsSync(join(folder, 'ready')));
    await carillon.stop({ drainMs: 10 });
    await until(() => existsSync(join(folder, 'told')));
    await using later = await openCarillon(store);
    expect(await lastRun(later, 'job')).toMatchObject({ state: 'waiting', attempt: 0 });
  });
});

describe('what cannot be asked for', () => {
  test.each<[CommandInput, string]>([
    [{ argv: [] }, 'command.argv'],
    [{ argv: [' '] }, 'command.argv[0]'],
    [{ argv: ['a\0b'] }, 'command.argv'],
    [{ argv: ['a'], env: { 'A=B': 'c' } }, 'command.env'],
    [{ argv: ['a'], timeout: 'soon' }, 'command.timeout'],
  ])('%j', async (command, path) => {
    const carillon = await aCarillon();
    const error = await carillon.schedules.create('job', { command }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).problems[0]?.path).toBe(path);
  });
});

describe('the tail of a stream', () => {
  test('is the same however it arrives, and never begins inside a character', () => {
    const bytes = Buffer.from(`${'ä'.repeat(50)}€😀x`);
    for (const size of [1, 2, 3, 7, 1000]) {
      for (const limit of [1, 3, 4, 5, 7, 9, 20, 200]) {
        const tail = new Tail(limit);
        for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size));
        const text = tail.text();
        expect(text).not.toContain('\ufffd');
        expect(bytes.toString().endsWith(text)).toBe(true);
        expect(tail.cut + Buffer.byteLength(text)).toBe(bytes.length);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      }
    }
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
