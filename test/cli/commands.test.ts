import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { DoorStage } from '../door/door-stage.ts';
import { carillon } from './command-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => {
  await stage.server.stop();
});

const run = async (...args: readonly string[]) => await carillon(args, { url: stage.server.url });

interface ErrorJson {
  readonly error: {
    readonly reason: string;
    readonly message: string;
    readonly problems: readonly unknown[];
  };
}

describe('errors as JSON', () => {
  test.each([
    ['an option that cannot be read', ['runs', '--limit', 'many', '--json'], 2, 'BAD_ARGUMENTS'],
    ['an unknown option', ['runs', '--lmit', '3', '--json'], 2, 'BAD_ARGUMENTS'],
    ['an unknown command', ['rnus', '--json'], 2, 'BAD_ARGUMENTS'],
    ['input refused here', ['next', '61 * * * *', '--json'], 2, 'INVALID'],
    ['input refused by the server', ['schedule', 'create', 'x', '--every', '1h', '--json'], 2, 'INVALID'],
    ['what is not there', ['schedule', 'describe', 'absent', '--json'], 1, 'NOT_FOUND'],
    [
      'an action that is no JSON',
      ['run', 'enqueue', 'work', '--input', '{bad', '--json'],
      2,
      'BAD_ARGUMENTS',
    ],
  ])('%s has reason, message and problems, and nothing else is printed', async (_, args, code, reason) => {
    const said = await run(...args);
    const { error } = JSON.parse(said.stderr) as ErrorJson;
    expect({ code: said.code, stdout: said.stdout, reason: error.reason }).toEqual({
      code,
      stdout: '',
      reason,
    });
    expect(error.message).not.toBe('');
    expect(error.problems).toBeInstanceOf(Array);
  });
});

describe('errors for people', () => {
  test('a wrong choice is answered with the choices, in words', async () => {
    expect((await run('runs', '--state', 'foo')).stderr).toBe(
      'error: state: is not one of waiting, leased, done\n',
    );
    const created = await run(
      'schedule',
      'create',
      'x',
      '--every',
      '1h',
      '--run',
      'work',
      '--overlap',
      'nope',
    );
    expect(created.stderr).toMatch(/^error: overlap: is not one of skip, bufferOne, /);
    expect(created.stderr).not.toContain('did you mean');
  });

  test('a mistyped choice is answered with the one that was meant, wherever it is read', async () => {
    const create = ['schedule', 'create', 'x', '--every', '1h', '--run', 'work', '--overlap', 'skp'];
    expect((await run(...create)).stderr).toContain("; did you mean 'skip'?");
    expect((await run('runs', '--state', 'leasd')).stderr).toContain("; did you mean 'leased'?");
    expect((await run('next', '0 9 * * *', '--dialect', 'unx')).stderr).toContain("Did you mean 'unix'?");
    const sent = await stage.call('/schedules', {
      body: { id: 'x', every: '1h', run: 'work', missed: 'latst' },
    });
    expect(sent.body.error.problems).toMatchObject([
      { path: 'missed', message: expect.stringContaining("did you mean 'latest'?") },
    ]);
    const work = { run: 'work', priority: 'hihg' as 'high' };
    await expect(stage.carillon.runs.enqueue(work)).rejects.toThrow("did you mean 'high'?");
  });

  test('an id that is taken is answered with the option that replaces', async () => {
    const create = ['schedule', 'create', 'taken', '--every', '1h', '--run', 'work'];
    await run(...create);
    const refused = await run(...create);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('replace it with --replace')]);
    expect((await run(...create, '--replace')).stdout).toContain('Replaced taken');
  });

  test('what cannot be reached says why when the reason is not the usual one', async () => {
    const https = stage.server.url.replace('http:', 'https:');
    expect((await carillon(['runs'], { url: https })).stderr).toMatch(
      /^error: no Carillon answers at https:.* \(.+\); start one/,
    );
  });

  test('deleting several says which are gone when one of them fails', async () => {
    await run('schedule', 'create', 'gone', '--every', '1h', '--run', 'work');
    const { code, stdout, stderr } = await run('schedule', 'delete', 'gone', 'absent', 'never-reached');
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'Deleted gone.\n' });
    expect(stderr).toContain("there is no schedule 'absent'");
  });
});

describe('carillon runs --schedule', () => {
  test('finds matching runs behind newer ones that do not match', async () => {
    // No process has this handler, so its runs wait until they are stopped.
    await run('schedule', 'create', 'mixed', '--every', '1h', '--run', 'unhandled', '--overlap', 'allowAll');
    await run('schedule', 'trigger', 'mixed');
    await run('schedule', 'trigger', 'mixed');
    const listed = async () => JSON.parse((await run('runs', '--schedule', 'mixed', '--json')).stdout).items;
    await expect.poll(listed).toHaveLength(2);
    const oldest = (await listed()).at(-1).id as string;
    expect((await run('run', 'terminate', oldest)).stdout).toBe('It has ended.\n');
    const found = await run('runs', '--schedule', 'mixed', '--outcome', 'terminated', '-n', '1');
    expect(found.stdout).toContain(oldest);
    const waiting = await run('runs', '--schedule', 'mixed', '--state', 'waiting');
    expect(waiting.stdout).toMatch(/\n\S+ +mixed +unhandled +waiting +0 +-\n$/);

    const [newest] = await listed();
    expect(await run('run', 'delete', newest.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the run '${newest.id}' has not ended`),
    });
    expect((await run('run', 'delete', oldest, '--reason', 'a secret')).stdout).toBe(`Deleted ${oldest}.\n`);
    expect((await run('run', 'describe', oldest)).stderr).toContain(`there is no run '${oldest}'`);
    const { items } = await new CarillonClient({ url: stage.server.url }).audit.list({ limit: 10 });
    expect(items).toContainEqual(
      expect.objectContaining({ target: `run/${oldest}`, action: 'delete', note: 'a secret', after: null }),
    );
  });
});

describe('carillon schedule create --command', () => {
  test('after -- the words are the program’s own, dashes included', async () => {
    const { code, stderr } = await run(
      ...[
        'schedule',
        'create',
        'cleanup',
        '--cron',
        '@daily',
        '--json',
        '--command',
        '--',
        'find',
        '/tmp',
        '-mtime',
        '+7',
      ],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { stdout } = await run('schedule', 'describe', 'cleanup', '--json');
    expect(JSON.parse(stdout).action.input.argv).toEqual(['find', '/tmp', '-mtime', '+7']);
  });
});

describe('carillon start --check', () => {
  test('finds what a start would stumble over', async () => {
    const open = await carillon(['start', '--store', 'memory:', '--host', '0.0.0.0', '--check']);
    expect(open.code).toBe(1);
    expect(open.stderr).toContain('configure API keys');
    const lost = await carillon([
      'start',
      '--store',
      'memory:',
      '--handlers',
      './there-is-none.mjs',
      '--check',
    ]);
    expect(lost.code).toBe(2);
    expect(lost.stderr).toMatch(/^error: handlers: cannot load .*there-is-none\.mjs/);
  });
});

describe('carillon schedule release', () => {
  test('asks the server, and says so', async () => {
    await run('schedule', 'create', 'held', '--every', '1h', '--run', 'work');
    expect(await run('schedule', 'release', 'held')).toMatchObject({ code: 0, stdout: 'Released held.\n' });
    expect((await run('schedule', 'release', 'absent')).code).toBe(1);
  });
});

describe('carillon schedule create --url', () => {
  test('says where the request goes, how, and whether it may stay inside', async () => {
    const url = 'http://127.0.0.1:3000/jobs';
    const words = ['--every', '1h', '--url', url, '--method', 'PUT', '--allow-private'];
    expect((await run('schedule', 'create', 'inside', ...words)).stderr).toBe('');
    const { stdout } = await run('schedule', 'describe', 'inside', '--json');
    expect(JSON.parse(stdout).action.input).toMatchObject({ url, method: 'PUT', allowPrivate: true });
  });
});

describe('the definition of a schedule', () => {
  test('an option named like a field stands for it, and kinds of work are asked for by their own', async () => {
    const when = ['--cron', '0 9 * * 1-5', '--cron', '@daily', '--zone', 'Europe/Berlin', '--jitter', '5s'];
    const what = [
      '--url',
      'https://example.com/hook',
      '--method',
      'PUT',
      '--attempts',
      '4',
      '--timeout',
      '5m',
    ];
    const how = ['--limit', '2', '--catchup', '2h', '--missed', 'once', '--pause-after-failures', '3'];
    const about = ['--remaining', '7', '--tag', 'a', '--tag', 'b', '--owner', 'team', '--paused', 'not yet'];
    const created = await run('schedule', 'create', 'said', ...when, ...what, ...how, ...about);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { body } = await stage.call('/schedules/said/definition');
    expect(body).toMatchObject({
      spec: { cron: [{ text: '0 9 * * 1-5' }, { text: '@daily' }], zone: 'Europe/Berlin', jitterMs: 5000 },
      http: { url: 'https://example.com/hook', method: 'PUT' },
      retry: { attempts: 4 },
      timeout: 300_000,
      limit: 2,
      catchup: 7_200_000,
      missed: 'latest',
      pauseAfterFailures: 3,
      tags: ['a', 'b'],
      owner: 'team',
    });
    const { body: described } = await stage.call('/schedules/said');
    expect(described).toMatchObject({ remaining: 7, paused: { note: 'not yet' } });
    expect((await run('schedule', 'update', 'said', '--run', 'work', '--queue', 'other')).code).toBe(0);
    const { body: changed } = await stage.call('/schedules/said/definition');
    expect(changed).toMatchObject({ run: 'work', queue: 'other', limit: 2 });
    expect(changed).not.toHaveProperty('http');
  });

  test.each([
    [{ run: 'work' }, 'work on the queue default'],
    [{ http: { url: 'https://example.com' } }, 'POST https://example.com'],
    [{ command: { argv: ['backup', '--all'] } }, 'command backup --all'],
    [{ bullmq: { queue: 'mail', name: 'digest' } }, 'job digest on the BullMQ queue mail'],
  ])('%j is described in one line', async (work, line) => {
    const id = `described-${Object.keys(work)[0]}`;
    await stage.call('/schedules', { body: { id, every: '1h', ...work } });
    const { stdout } = await run('schedule', 'describe', id);
    expect(stdout).toMatch(new RegExp(`what +${line}\n`));
  });
});
