import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
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
  test('lists by start, and with --by slot by the slots, which it then shows', async () => {
    await run('schedule', 'create', 'slots', '--every', '1h', '--run', 'unhandled', '--overlap', 'allowAll');
    for (const day of ['05', '06', '04'])
      await run('schedule', 'trigger', 'slots', '--scheduled-at', `2026-01-${day}T00:00:00Z`);
    const days = async (...more: string[]) => {
      const { stdout } = await run('runs', '--schedule', 'slots', '--json', ...more);
      const { items } = JSON.parse(stdout) as { items: readonly { scheduledAt: string }[] };
      return items.map(({ scheduledAt }) => scheduledAt.slice(8, 10));
    };
    await expect.poll(days).toEqual(['04', '06', '05']);
    expect(await days('--by', 'slot')).toEqual(['06', '05', '04']);
    const shown = (await run('runs', '--schedule', 'slots', '--by', 'slot', '-n', '1')).stdout;
    expect(shown).toMatch(/^RUN +SLOT +SCHEDULE.*\n\S+ +2026-01-06T00:00:00Z +slots /);
    expect((await run('runs', '--by', 'nominal')).stderr).toContain('start, slot');
  });

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

describe('views, audit and keys', () => {
  test('a view is saved, listed, used and removed', async () => {
    await stage.create('bills-nightly', { every: '1h', tags: ['bills'] });
    await stage.create('other', { every: '1h' });
    const saved = await run('view', 'save', 'Bills at night', 'tag:bills nightly');
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect((await run('view', 'list')).stdout).toMatch(/Bills at night +tag:bills nightly +ada/);
    const { stdout } = await run('schedule', 'list', '--view', 'Bills at night', '--json');
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly id: string }[] };
    expect(items.map(({ id }) => id)).toEqual(['bills-nightly']);
    expect(await run('schedule', 'list', '--view', 'Bils')).toMatchObject({
      code: 2,
      stderr: "error: --view: there is no view 'Bils'\n  fix one of 'Bills at night'\n",
    });
    expect(await run('view', 'save', 'x', 'state:sleepy')).toMatchObject({ code: 2 });
    expect((await run('view', 'remove', 'Bills at night')).stdout).toBe('Removed Bills at night.\n');
    expect((await run('view', 'list')).stdout).toBe('No views.\n');
  });

  test('the text of a list finds owners, cron texts and zones', async () => {
    await stage.create('zoned', {
      every: undefined,
      cron: '17 4 * * *',
      zone: 'Asia/Tokyo',
      owner: 'night-shift',
    });
    for (const text of ['tokyo', 'night-shift', '17 4 *'])
      expect((await run('schedule', 'list', '--text', text)).stdout).toContain('zoned');
    expect((await run('schedule', 'list', '--handler', 'work', '--prefix', 'zo')).stdout).toContain('zoned');
  });

  test('the audit names who, what, where and why, field by field', async () => {
    await stage.create('watched', { every: '1h' });
    await run('schedule', 'pause', 'watched', '--note', 'a rest');
    await run('schedule', 'update', 'watched', '--overlap', 'bufferOne');
    const { stdout } = await run('audit', '--schedule', 'watched', '--actor', 'ada');
    expect(stdout).toMatch(/ada pause schedule\/watched \(cli\) {2}"a rest"/);
    expect((await run('audit', '--schedule', 'watched', '--door', 'rest')).stdout).toMatch(
      /create schedule\/watched \(rest\)\n$/,
    );
    expect(stdout).toContain('    policy.overlap: "skip" -> "bufferOne"');
    const paused = await run('audit', '--schedule', 'watched', '--action', 'pause', '--json');
    expect((JSON.parse(paused.stdout) as { readonly items: unknown[] }).items).toHaveLength(1);
    expect((await run('audit', '--actor', 'nobody')).stdout).toBe('No change.\n');
  });

  test('runs and schedules are rehearsed with --dry-run', async () => {
    const client = new CarillonClient({ url: stage.server.url });
    const { id } = await client.runs.enqueue({ run: 'work', at: '2090-01-01T00:00:00Z' });
    expect((await run('run', 'cancel', id, '--dry-run')).stdout).toBe(
      `${id}, nothing is changed:\n  Run ${id} ends at once.\n`,
    );
    expect((await client.runs.get(id)).state).toBe('waiting');
    const enqueue = ['run', 'enqueue', 'work', '--at', '2090-01-01T00:00:00Z', '--dry-run'];
    expect((await run(...enqueue)).stdout).toBe(
      "work, nothing is changed:\n  A run of 'work' is queued, not before 2090-01-01T00:00:00Z.\n",
    );
    expect(JSON.parse((await run(...enqueue, '--json')).stdout).runs).toMatchObject([{ becomes: 'queued' }]);
    expect((await client.runs.list({ state: ['waiting'] })).items.map((each) => each.id)).toContain(id);
    await stage.create('unhurt', { every: '1h' });
    expect((await run('schedule', 'release', 'unhurt', '--dry-run')).stdout).toBe(
      'unhurt, nothing is changed:\n  Nothing changes.\n',
    );
  });

  test('views are rehearsed with --dry-run, field by field', async () => {
    const save = ['view', 'save', 'Rehearsed', 'is:failing'];
    expect((await run(...save, '--dry-run')).stdout).toBe(
      "Rehearsed, nothing is changed:\n  The view 'Rehearsed' is saved.\n",
    );
    expect((await run('view', 'remove', 'Rehearsed', '--dry-run')).stderr).toContain("no view 'Rehearsed'");
    await run(...save);
    expect((await run('view', 'save', 'Rehearsed', 'is:late', '--dry-run')).stdout).toBe(
      `Rehearsed, nothing is changed:
  The view 'Rehearsed', which ada saved, is replaced.
  query: "q=is%3Afailing" -> "q=is%3Alate"
`,
    );
    expect((await run('view', 'remove', 'Rehearsed', '--dry-run')).stdout).toContain('is removed for every');
    expect((await run('view', 'list')).stdout).toContain('is:failing');
    await run('view', 'remove', 'Rehearsed');
  });

  test('keys that were made on the server are listed and revoked', async () => {
    const secret = 'crl_admin-key-of-the-command-line-0123456789';
    await using locked = await DoorStage.open({
      keys: [{ name: 'boss', hash: hashKey(secret), role: 'admin' }],
    });
    const asBoss = { url: locked.server.url, key: secret };
    const client = new CarillonClient({ url: locked.server.url, key: secret });
    await client.settings.createKey({ name: 'robot', role: 'viewer' });
    const { stdout } = await carillon(['key', 'list'], asBoss);
    expect(stdout).toMatch(/boss +admin +all +configuration/);
    expect(stdout).toMatch(/robot +viewer +all +boss/);
    expect((await carillon(['key', 'revoke', 'robot', '--dry-run'], asBoss)).stdout).toBe(
      "robot, nothing is changed:\n  The key 'robot' with the role viewer for all namespaces is revoked: callers that use it are refused.\n",
    );
    expect((await carillon(['key', 'revoke', 'robot'], asBoss)).stdout).toBe('Revoked robot.\n');
    expect((await carillon(['key', 'list'], asBoss)).stdout).not.toContain('robot');
  });
});

describe('carillon calendar', () => {
  test('lists days with what is excluded and paused, and what starts together', async () => {
    const { schedules } = new CarillonClient({ url: stage.server.url });
    const holiday = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    for (const id of ['cal-one', 'cal-two']) {
      await schedules.create(id, {
        cron: '0 * * * *',
        run: 'work',
        tags: ['cal'],
        excludeDates: [holiday],
      });
    }
    await schedules.create('cal-still', { cron: '0 * * * *', run: 'work', tags: ['cal'] });
    await schedules.pause('cal-still', { note: 'a move' });
    await schedules.create('cal-short', { cron: '0 * * * *', run: 'work', tags: ['cal'] });
    await schedules.pause('cal-short', {
      note: 'a day off',
      until: new Date(Date.now() + 2 * 86_400_000).toISOString(),
    });
    const { code, stdout, stderr } = await run('calendar', '--days', '5', '--tag', 'cal');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^DAY +STARTS +AT ONCE +EVENTS$/);
    expect(lines[2]).toMatch(/paused by .* \(a day off\): 1$/);
    const line = lines.find((each) => each.startsWith(holiday));
    expect(line).toMatch(/ 24 +1 +excluded: 2$/);
    expect(stdout).toMatch(/On all these days:\n {2}paused by .* \(a move\): 1\n/);
    expect(stdout.match(/a move/g)).toHaveLength(1);
    expect(stdout).toMatch(/Start together:\n.*: 3 at once \(cal-short, cal-one, cal-two\)/);
    expect(stdout).toMatch(/: 2 at once \(cal-one, cal-two\)\n/);
    const json = JSON.parse((await run('calendar', '--tag', 'cal', '--json')).stdout);
    expect(json.days.excluded).toEqual([
      { date: holiday, label: '', schedules: 2, wholeDay: 2, ids: ['cal-one', 'cal-two'] },
    ]);
    expect((await run('calendar', '--zone', 'Europe/Berln')).stderr).toContain('zone');
  });
});
