import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { formatInstant } from '../../packages/carillon/src/base/time.ts';
import { clean } from '../../packages/carillon/src/cli/table.ts';
import { readRange, readTimes } from '../../packages/server/src/cli/wall-time.ts';
import { runProgram } from '../cli/program.ts';
import { DoorStage } from '../door/door-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-cli-'));
let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => {
  await stage.server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

async function carillon(words: string, ...more: string[]) {
  return await withInput('', words, ...more);
}

async function withInput(input: string, words: string, ...more: string[]) {
  let stdout = '';
  let stderr = '';
  const code = await runProgram([...words.split(' '), ...more], {
    now: new SystemClock().now(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    colors: { stdout: false, stderr: false },
    env: { CARILLON_URL: stage.server.url },
    user: 'ada',
    readInput: async () => input,
  });
  return { code, stdout, stderr };
}

describe('carillon schedule', () => {
  test('creates, lists, describes, changes and deletes', async () => {
    const created = await carillon(
      'schedule create nightly --every 1h --run work --tag a --tag b --owner',
      'the team',
    );
    expect(created.stderr).toBe('');
    expect(created.stdout).toMatch(/^Created nightly: Every hour\. First due \d{4}-.*Z\.\n$/);
    const listed = await carillon('schedule list --tag a --tag b --owner', 'the team');
    expect(listed.stdout).toMatch(
      /^ID +STATUS +NEXT +STARTED +RUNNING +WHEN\nnightly +running +in .+ 0 +0 +Every hour\n$/,
    );
    expect((await carillon('schedule update nightly --every 2h --match 1')).stdout).toContain(
      'Updated nightly: Every 2 hours.',
    );
    expect((await carillon('schedule pause nightly --note deploy')).stdout).toBe('Paused nightly.\n');
    const described = await carillon('schedule describe nightly');
    expect(described.stdout).toMatch(/status +paused by ada .*: "deploy"/);
    expect(described.stdout).toContain('would come');
    expect((await carillon('schedule resume nightly --missed skip')).stdout).toBe('Resumed nightly.\n');
    expect((await carillon('schedule resume nightly')).stdout).toBe(
      'nightly was not paused; nothing changed.\n',
    );
    expect((await carillon('schedule trigger nightly')).stdout).toContain('trigger:1');
    const preview = await carillon(
      'schedule backfill nightly --from 2026-01-01T00:00:00Z --to 2026-01-01T05:00:00Z --preview',
    );
    expect(preview.stdout).toBe(
      'SLOT\n2026-01-01T00:00:00Z\n2026-01-01T02:00:00Z\n2026-01-01T04:00:00Z\n3 slots would run.\n',
    );
    const filled = await carillon(
      'schedule backfill nightly --from 2026-01-01T00:00:00Z --to 2026-01-01T05:00:00Z',
    );
    expect(filled.stdout).toMatch(/^Backfill 2/);
    expect((await carillon('schedule delete nightly')).stdout).toBe('Deleted nightly.\n');
    expect((await carillon('schedule list --owner', 'the team')).stdout).toBe('No schedule matches.\n');
  });

  test('takes a definition from a file or from standard input', async () => {
    const file = join(scratch, 'definition.json');
    writeFileSync(file, JSON.stringify({ every: '1h', run: 'work', description: 'from a file' }));
    expect((await carillon(`schedule create filed --file ${file} --every 3h`)).stdout).toContain(
      'Every 3 hours',
    );
    const piped = await withInput('{"description":"piped"}', 'schedule update filed --file -');
    expect(piped.code).toBe(0);
    const { stdout } = await carillon('schedule describe filed --json');
    expect(JSON.parse(stdout)).toMatchObject({ description: 'piped', words: 'Every 3 hours' });
    expect(await carillon('schedule create bad --file', join(scratch, 'none.json'))).toMatchObject({
      code: 2,
    });
    expect((await withInput('[1]', 'schedule create bad --file -')).stderr).toContain('one object');
    // A copy of the page names its schedule.
    const copied = '{"id":"filed","every":"2h","run":"greet"}';
    expect((await withInput(copied, 'schedule create filed --replace --file -')).stdout).toContain(
      'Replaced filed',
    );
    expect((await withInput(copied, 'schedule create bad --file -')).stderr).toContain(
      "it defines the schedule 'filed', but the command names 'bad'",
    );
  });

  test('prints JSON for machines, errors included', async () => {
    const created = await carillon('schedule create machine --every 1h --run work --json');
    expect(JSON.parse(created.stdout)).toMatchObject({ id: 'machine', token: 1 });
    const listed = await carillon('schedule list --json');
    expect(JSON.parse(listed.stdout).items.length).toBeGreaterThan(0);
    const refused = await carillon('schedule create machine --every 1h --run work --json');
    expect(JSON.parse(refused.stderr).error.reason).toBe('ALREADY_EXISTS');
    expect(refused.code).toBe(1);
  });

  test('exit codes tell bad input from failure', async () => {
    const bad = await carillon('schedule create x --every soon --run work');
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('error: every: not a duration');
    expect((await carillon('schedule update machine')).code).toBe(2);
    expect((await carillon('schedule describe absent')).code).toBe(1);
    expect((await carillon('schedule update machine --every 2h --match 99')).code).toBe(1);
    expect((await carillon('schedule list --server nowhere')).code).toBe(2);
    const gone = await carillon('schedule list --server http://127.0.0.1:1');
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain("start one with 'carillon dev'");
  });
});

describe('carillon why and runs', () => {
  test('tell what became of a slot', async () => {
    await carillon('schedule create told --every 1h --run fail');
    await carillon('schedule trigger told --scheduled-at 2026-01-01T00:00:00Z');
    await stage.until('/schedules/told/runs', ({ body }) => body.items[0]?.state === 'done');
    const why = await carillon('why told');
    expect(why.stdout).toMatch(/^2026-01-01T00:00:00Z .* started.* trigger:1\n {2}It started/);
    expect(why.stdout).toContain('error on purpose');
    const absent = await carillon('why told 2020-01-01T00:00');
    expect(absent.stdout).toContain('beforeCreation');
    const runs = await carillon('runs --schedule told --outcome failed');
    expect(runs.stdout).toMatch(/^RUN +SCHEDULE +HANDLER +STATE/);
    const [, line = ''] = runs.stdout.split('\n');
    const id = line.split(' ')[0] ?? '';
    expect((await carillon(`run describe ${id}`)).stdout).toMatch(/failure +on purpose/);
    expect((await carillon(`run cancel ${id}`)).stdout).toBe('It was over already.\n');
    expect((await carillon('run enqueue work --queue absent')).stdout).toMatch(/^Queued /);
    expect((await carillon('runs --queue absent --json')).stdout).toContain('"queue": "absent"');
    expect((await carillon('why told yesterday')).code).toBe(2);
  });

  test('wall-clock times are read in the zone of the schedule, twice where the clock repeats them', () => {
    const read = (text: string, zone?: string) => readTimes(text, zone).map(formatInstant);
    expect(read('2026-07-01T09:00', 'Europe/Berlin')).toEqual(['2026-07-01T07:00:00Z']);
    expect(read('2026-10-25T02:30', 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
    ]);
    expect(read('2026-03-29 02:30', 'Europe/Berlin')).toEqual(['2026-03-29T01:30:00Z']);
    expect(read('2026-01-01T00:00')).toEqual(['2026-01-01T00:00:00Z']);
    expect(read('2026-01-01T00:00:00+02:00', 'Asia/Tokyo')).toEqual(['2025-12-31T22:00:00Z']);
  });

  test('the ends of a range may be days in the zone of the schedule', async () => {
    const berlin = async () => 'Europe/Berlin';
    expect(await readRange({ from: '2026-10-25', to: '2026-10-25' }, berlin)).toEqual({
      from: '2026-10-24T22:00:00Z',
      to: '2026-10-25T22:59:59Z',
      zone: 'Europe/Berlin',
    });
    // A time that the clock repeats is included both times.
    expect(await readRange({ from: '2026-10-25T02:30', to: '2026-10-25T02:30' }, berlin)).toMatchObject({
      from: '2026-10-25T00:30:00Z',
      to: '2026-10-25T01:30:00Z',
    });
    const exact = { from: '2026-10-25T00:00:00Z', to: '2026-10-26T00:00:00Z' };
    const unasked = () => Promise.reject(new Error('the zone is not needed'));
    expect(await readRange(exact, unasked)).toEqual({ ...exact, zone: null });
    await expect(readRange({ from: 'monday', to: '2026-10-26' }, berlin)).rejects.toMatchObject({
      problems: [{ path: '--from', reason: 'BAD_TIME' }],
    });
  });

  test('a backfill of days says which times it means', async () => {
    await carillon('schedule create daily --cron @daily --zone Europe/Berlin --run work');
    const said = await carillon('schedule backfill daily --from 2025-11-01 --to 2025-11-03 --preview');
    expect(said.stderr).toBe(
      'From 2025-10-31T23:00:00Z to 2025-11-03T22:59:59Z: days and times in Europe/Berlin.\n',
    );
    expect(said.stdout).toContain('2025-11-01T23:00:00Z');
  });

  test('what others wrote cannot take over the terminal', () => {
    expect(clean('a\u001b[2Jb\u202ec\nd')).toBe('a [2Jb c d');
  });
});
