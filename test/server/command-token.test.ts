/** A server without keys that asks for a token before it runs commands, as `carillon dev` does. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  commandTokenFile,
  findCommandToken,
  keepCommandToken,
} from '../../packages/carillon/src/cli/command-token.ts';
import { carillon as commandLine } from '../cli/command-stage.ts';
import { DoorStage, type Heard, type Said } from '../door/door-stage.ts';
import { GrpcStage, schedule } from '../door/temporal/grpc-stage.ts';

const commandToken = 'a token of this start';
const command = { argv: ['true'] };
const reasonOf = ({ status, body }: Heard) => `${status} ${body.error?.reason}`;
const refused = '403 COMMAND_TOKEN_MISSING';

async function aStage(): Promise<DoorStage> {
  const stage = await DoorStage.open({ commandToken }, { command: false });
  onTestFinished(() => stage[Symbol.asyncDispose]());
  // The program itself needs no token.
  await stage.carillon.schedules.create('ours', { every: '1h', command });
  await stage.carillon.schedules.create('plain', { every: '1h', run: 'work' });
  return stage;
}

const attempts: readonly (readonly [string, string, Said])[] = [
  ['creating', '/schedules', { body: { id: 'evil', every: '1h', command } }],
  ['putting', '/schedules/evil', { method: 'PUT', body: { every: '1h', command } }],
  ['replacing', '/schedules/plain', { method: 'PUT', body: { every: '1h', command } }],
  ['patching', '/schedules/plain', { method: 'PATCH', body: { command } }],
  ['changing ours', '/schedules/ours', { method: 'PATCH', body: { note: 'x' } }],
  ['triggering ours', '/schedules/ours:trigger', { method: 'POST' }],
  [
    'backfilling ours',
    '/schedules/ours:backfill',
    { body: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T02:00:00Z' } },
  ],
];

describe('commands', () => {
  test.each(attempts)('%s needs the token', async (_, path, said) => {
    const stage = await aStage();
    expect(reasonOf(await stage.call(path, said))).toBe(refused);
    const wrong = { ...said, headers: { 'carillon-command-token': `${commandToken}!` } };
    expect(reasonOf(await stage.call(path, wrong))).toBe(refused);
    const { status } = await stage.call(path, {
      ...said,
      headers: { 'carillon-command-token': commandToken },
    });
    expect(status).toBeLessThan(300);
  });

  test('come through no other door either', async () => {
    await using stage = await GrpcStage.open({ commandToken }, { command: false });
    const action = {
      type: 'startWorkflow',
      workflowType: 'command',
      taskQueue: '@command',
      args: [command],
    };
    const made = stage.client.schedule.create(schedule('evil', { action } as never));
    await expect(made).rejects.toThrow();
    await expect(stage.carillon.schedules.describe('evil')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  test('are refused with a message that says what to send, or which role is needed', async () => {
    const stage = await aStage();
    const args = ['schedule', 'create', 'job', '--every', '1h', '--command', 'true'];
    const without = await commandLine(args, { url: stage.server.url });
    expect(without.code).not.toBe(0);
    expect(without.stderr).toContain('Carillon-Command-Token');
    const asked: string[] = [];
    const found = await commandLine(args, {
      url: stage.server.url,
      commandToken: (url) => {
        asked.push(url);
        return commandToken;
      },
    });
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(asked).toContain(stage.server.url);
  });
});

test('everything else stays open', async () => {
  const stage = await aStage();
  for (const [path, said] of [
    ['/schedules', {}],
    ['/schedules/ours', {}],
    ['/schedules/hook', { method: 'PUT', body: { every: '1h', http: { url: 'https://a.example' } } }],
    ['/schedules/plain:trigger', { method: 'POST' }],
    ['/schedules/ours:pause', { method: 'POST' }],
    ['/runs', { body: { run: 'work' } }],
    ['/schedules/ours', { method: 'DELETE' }],
  ] as const) {
    expect([path, (await stage.call(path, said as Said)).status < 300]).toEqual([path, true]);
  }
});

describe('the file of the token', () => {
  const home = () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-home-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return { HOME: folder };
  };
  const url = 'http://127.0.0.1:8080';

  test('is for its owner only, also where another file was before', () => {
    const env = home();
    const { file } = keepCommandToken(env, url, 'one') as { file: string };
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o077).toBe(0);
    rmSync(file);
    writeFileSync(file, 'left behind', { mode: 0o644 });
    const kept = keepCommandToken(env, url, 'two');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    expect(findCommandToken(env, url)).toBe('two');
    kept?.remove();
    expect(findCommandToken(env, url)).toBeUndefined();
  });

  test('is left alone by a server whose address another one has taken', () => {
    const env = home();
    const first = keepCommandToken(env, url, 'one');
    keepCommandToken(env, url, 'two');
    first?.remove();
    expect(findCommandToken(env, url)).toBe('two');
  });

  test('is of this machine: a token is sent to no other', () => {
    expect(commandTokenFile({ HOME: '/home/ada' }, 'http://example.com:8080')).toBeUndefined();
    expect(commandTokenFile({ HOME: '/home/ada' }, 'http://localhost:9000')).toBe(
      '/home/ada/.local/state/carillon/dev-9000.token',
    );
    expect(commandTokenFile({}, url)).toBeUndefined();
  });
});
